/** Owns the application's servers of node (one, or one per address of `localhost`), and turns what they receive into exchanges. */
import { AsyncResource } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Engine, HandOverReason } from '@ambit/http-engine';
import { bun, deno } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ListenOptions, ServerSettings, Unfinished } from '../types/options.ts';
import { engineListener, loadEngine, NodeExchange } from './node-exchange.ts';
import { bind, bindOtherAddresses, type ClosableServer, hasDescriptor, makeServer } from './node-server.ts';
import { ServerConnections } from './server-connections.ts';
import { exchangeOver, Transport, type TransportHost } from './transport.ts';

const require = createRequire(import.meta.url);

const loadWebTransport = lazyModule<typeof import('./web-transport.ts')>(() => require('./web-transport.ts'));

/** Chooses the transport of an application. On Bun and Deno, the option `engine: 'node'` selects the runtime's `node:http`. */
export function makeTransport(settings: ServerSettings, host: TransportHost): Transport {
  if ((bun === undefined && deno === undefined) || settings.userOptions.engine === 'node')
    return new NodeTransport(settings, host);
  return new (loadWebTransport().WebTransport)(settings, host);
}

class NodeTransport extends Transport {
  readonly server: ClosableServer;
  /** The connections of each server. The main server is the last one, because its `close` also closes the others that still listen. */
  readonly #connections: ServerConnections[] = [];
  readonly #engines: Engine[] = [];

  constructor(settings: ServerSettings, host: TransportHost) {
    super(settings, host);
    this.server = this.#makeServer();
  }

  // HOT: once per request of HTTP/2, or of a server that the application has made.
  override readonly handle = (request: IncomingMessage, response: ServerResponse): void =>
    this.#runAlone(exchangeOver(request, response));

  // HOT: once per request of a connection that node serves.
  readonly handleHttp1 = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.#hasValidHost(request)) this.#runAlone(new NodeExchange(request, response, this.state));
    else refuseHost(this.server, request, response);
  };

  /** Which requests are rejected must not depend on whether node or the engine serves the connection (RFC 9112, 3.2). */
  #hasValidHost(request: IncomingMessage): boolean {
    if (this.#engines.length > 0 && !loadEngine().hasValidHost(request)) return false;
    return request.url!.startsWith('/') || loadEngine().takeTargetHost(request);
  }

  /** An async context that a handler enters must not be visible in the next request of the connection. Our engine does the same. */
  #runAlone(x: Exchange): void {
    new AsyncResource('HTTPSERVERREQUEST').runInAsyncScope(this.host.dispatch, this.host, x);
  }

  protected override async open(options: ListenOptions): Promise<string | undefined> {
    await bind(this.server, options);
    const [first] = this.announce(this.server.address(), options);
    const isLocalhost = options.host === 'localhost' && !hasDescriptor(options);
    if (isLocalhost && this.settings.userOptions.serverFactory === undefined)
      await this.#openOtherServers(options);
    return first;
  }

  async #openOtherServers(options: ListenOptions): Promise<void> {
    const others = await bindOtherAddresses(this.server, options, () => this.#makeServer());
    followServer(this.server, others);
    for (const server of others) {
      this.announce(server.address(), options);
      // If the application was closed meanwhile, this server was not closed with the others.
      if (this.state.isClosing) server.close();
    }
  }

  addresses(): AddressInfo[] {
    const addresses = this.#connections.map(({ server }) => server.address() as AddressInfo);
    return addresses.filter((address) => address != null);
  }

  override startClosing(): void {
    super.startClosing();
    if (this.state.endsConnections) for (const engine of this.#engines) engine.startClosing();
  }

  announceEnd(): (x: Exchange) => boolean {
    const kept = new WeakSet<object>();
    for (const connections of this.#connections) {
      connections.announceEnd();
      for (const socket of connections.sockets) kept.add(socket);
    }
    return ({ rawSocket }) => rawSocket !== undefined && kept.has(rawSocket);
  }

  override unfinished(): Unfinished[] {
    const connected = this.#connections.flatMap((connections) => connections.unfinished());
    return [...connected, ...super.unfinished()];
  }

  destroyAll(): void {
    for (const connections of this.#connections) connections.destroyAll();
  }

  async stopAccepting(onStopped?: () => void): Promise<unknown> {
    await Promise.all(this.#connections.map((connections) => connections.stopAccepting()));
    onStopped?.();
    return Promise.all(this.#connections.map((connections) => connections.ended));
  }

  async close(): Promise<void> {
    // A server of the application's factory is closed only if we opened it.
    if (this.settings.userOptions.serverFactory !== undefined && !this.isListening) return;
    await Promise.all(this.#connections.map((connections) => connections.prepareToClose()));
    await Promise.all(this.#connections.map((connections) => connections.close()));
  }

  #attachEngine(connections: ServerConnections): void {
    const { host, state } = this;
    const reported = new Set<string>();
    const engine = loadEngine().attach(connections.server, engineListener(host.dispatch, state), {
      requestListener: this.handleHttp1,
      keepsWhenClosing: this.settings.userOptions.forceCloseConnections === false,
      // The counters of the first server count for all.
      countsWith: this.#engines[0],
      onHandOver: (reason) => {
        const cause = handOverCauses[reason];
        if (cause === undefined || reported.has(cause)) return;
        reported.add(cause);
        host.announce(`node:http serves the connections, not the HTTP engine: ${cause}`);
      },
    });
    this.#engines.push(engine);
    connections.engine = engine;
  }

  #makeServer(): ClosableServer {
    const server = makeServer(this.settings, this);
    const connections = new ServerConnections(server, this.settings);
    this.#connections.splice(-1, 0, connections);
    // On `listening`, so that the engine is attached before the first connection, even if other code makes the server listen.
    if (usesEngine(this.settings)) server.once('listening', () => this.#attachEngine(connections));
    return server;
  }
}

/** Not with `maxRequestsPerSocket`, because node has its own way of rejecting requests above that limit. */
function usesEngine({ maxRequestsPerSocket, userOptions }: ServerSettings): boolean {
  const { engine, http2, serverFactory } = userOptions;
  return engine !== 'node' && !http2 && serverFactory === undefined && maxRequestsPerSocket === 0;
}

/** Why node serves all connections of a server. */
const handOverCauses: Readonly<Partial<Record<HandOverReason, string>>> = {
  'request-listener': "the server has another listener of 'request'",
  emit: "the server's `emit` was replaced",
  'diagnostics-channel': "a diagnostics channel of node's HTTP server has subscribers",
};

/** Emits `clientError` when all earlier requests have their responses, because its listeners write to the socket. */
function refuseHost(server: EventEmitter, { socket }: IncomingMessage, response: ServerResponse): void {
  const refuse = (): void => {
    const error = Object.assign(new Error('Parse Error: Invalid Host'), { code: 'HPE_INVALID_HEADER_TOKEN' });
    server.emit('clientError', error, socket);
  };
  // Node gives a response its socket after the earlier responses.
  if (response.socket === null) response.once('socket', refuse);
  else refuse();
}

/** Methods of the main server that must also be called on the others. */
const sharedMethods = ['ref', 'unref', 'close', 'closeAllConnections', 'closeIdleConnections'] as const;

/** Users see only the main server. From now on, the others close with it, and keep the process alive only as long as it does. */
function followServer(main: ClosableServer, others: readonly ClosableServer[]): void {
  for (const name of sharedMethods) {
    const mainMethod = main[name] as ((...args: never[]) => never) | undefined;
    if (mainMethod === undefined) continue;
    main[name] = (...args: never[]): never => {
      for (const other of others) if (name !== 'close' || other.listening) other[name]();
      return mainMethod.apply(main, args);
    };
  }
  // Code that calls the method of node's class, instead of that of the object, only causes this event.
  main.once('close', () => {
    for (const other of others) other.close();
  });
  for (const other of others) forwardEvents(main, other);
}

function forwardEvents(main: ClosableServer, other: ClosableServer): void {
  other.on('clientError', (...args) => main.emit('clientError', ...args));
  const forward = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    main.emit('upgrade', request, socket, head);
  };
  // A server with an `upgrade` listener passes it every upgrade request. A server without one handles them like other requests.
  if (main.listenerCount('upgrade') > 0) other.on('upgrade', forward);
  main.on('newListener', (name) => {
    if (name === 'upgrade' && other.listenerCount('upgrade') === 0) other.on('upgrade', forward);
  });
  main.on('removeListener', (name) => {
    if (name === 'upgrade' && main.listenerCount('upgrade') === 0) other.removeListener('upgrade', forward);
  });
}
