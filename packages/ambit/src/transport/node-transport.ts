/** Owns the application's servers: one, or one an address of `localhost`. Turns what they receive into exchanges. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import type { Engine, Exchange as Served } from '@ambit/http-engine';
import type { Unfinished } from '../contract/closing.ts';
import { AlreadyClosed, AlreadyListening } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ListenOptions, ServerSettings } from '../contract/server.ts';
import { attachEngine, hasValidHost, invalidHost } from './engine.ts';
import { EngineExchange } from './engine-exchange.ts';
import { followServer } from './follow-server.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { bind, bindOtherAddresses, publicAddresses } from './listen.ts';
import { NodeExchange } from './node-exchange.ts';
import { type ClosableServer, makeServer } from './node-server.ts';
import { ServerConnections } from './server-connections.ts';
import { UnconnectedExchanges } from './unconnected-exchanges.ts';

/** What the transport needs of the application. */
export interface TransportHost {
  /** Takes an exchange, routes it and runs it. All that a transport needs. */
  dispatch(exchange: Exchange): void;
  whenReady(): Promise<unknown>;
  close(): Promise<void>;
  /** Closes without a caller that waits, so errors are logged. */
  closeUnattended(): void;
  announce(address: string): void;
}

export class NodeTransport {
  readonly server: ClosableServer;
  readonly #settings: ServerSettings;
  readonly #host: TransportHost;
  readonly #others: ClosableServer[] = [];
  #isListening = false;
  readonly #connections = new Map<ClosableServer, ServerConnections>();
  readonly #engines: Engine[] = [];
  readonly unconnected: UnconnectedExchanges = new UnconnectedExchanges();
  readonly #state = { isClosing: false, endsConnections: false };

  constructor(settings: ServerSettings, host: TransportHost) {
    this.#settings = settings;
    this.#host = host;
    this.server = this.#makeServer();
  }

  /** Serves a pair of node objects, wherever they come from. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void =>
    this.#host.dispatch(exchangeOver(request, response));

  /** The same for requests that `inject` makes: they come over no connection that could tell of them. */
  readonly handleInjected = (request: IncomingMessage, response: ServerResponse): void => {
    const x = exchangeOver(request, response);
    this.unconnected.add(x);
    const forget = (): void => this.unconnected.delete(x);
    response.once('finish', forget).once('close', forget);
    this.#host.dispatch(x);
  };

  // HOT: once per request of a connection that node serves.
  readonly handleHttp1 = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.#engines.length > 0 && !hasValidHost(request))
      this.server.emit('clientError', invalidHost(), request.socket);
    else this.#host.dispatch(new Http1Exchange(request, response, this.#state));
  };

  // HOT: once per request of a connection that the engine serves.
  readonly #serve = (served: Served): void => this.#host.dispatch(new EngineExchange(served, this.#state));

  /** @returns The first address listened on; `undefined` when closing came first. */
  async listen(listenOptions: ListenOptions): Promise<string | undefined> {
    const { signal } = listenOptions;
    if (this.#isListening) throw this.#state.isClosing ? new AlreadyClosed() : new AlreadyListening();
    if (signal?.aborted) {
      await this.#host.close();
      return undefined;
    }
    signal?.addEventListener('abort', () => this.#host.closeUnattended(), { once: true });
    this.#isListening = true;
    try {
      return await this.#open(listenOptions);
    } catch (error) {
      this.#isListening = false;
      throw error;
    }
  }

  async #open({ signal, listenTextResolver, ...listenOptions }: ListenOptions): Promise<string | undefined> {
    await this.#host.whenReady();
    if (this.#state.isClosing || signal?.aborted) return undefined;
    // A path is an address by itself: no host goes with it.
    const options =
      listenOptions.path == null
        ? { port: 0, ...listenOptions, host: listenOptions.host ?? 'localhost' }
        : listenOptions;
    await bind(this.server, options);
    const [first] = this.#announce(this.server, listenTextResolver);
    if (options.host === 'localhost' && this.#settings.userOptions.serverFactory === undefined) {
      await this.#openOthers(options, listenTextResolver);
    }
    return first;
  }

  async #openOthers(options: ListenOptions, resolver: ListenOptions['listenTextResolver']): Promise<void> {
    const others = await bindOtherAddresses(this.server, options, () => this.#makeServer());
    followServer(this.server, others);
    for (const server of others) {
      this.#announce(server, resolver);
      // Closed meanwhile: this one came too late to be closed with the rest.
      if (this.#state.isClosing) server.close();
      else this.#others.push(server);
    }
  }

  #announce(server: ClosableServer, resolver: ListenOptions['listenTextResolver']): string[] {
    const addresses = publicAddresses(server, this.#settings.userOptions.https ? 'https' : 'http');
    for (const address of addresses)
      this.#host.announce(resolver?.(address) ?? `Server listening at ${address}`);
    return addresses;
  }

  addresses(): AddressInfo[] {
    const servers = [...this.#others, this.server];
    return servers.map((server) => server.address() as AddressInfo).filter((address) => address != null);
  }

  /** From now on, responses say that their connection ends, unless clients may keep their connections. */
  startClosing(): void {
    this.#state.isClosing = true;
    this.#state.endsConnections = this.#settings.userOptions.forceCloseConnections !== false;
    if (this.#state.endsConnections) for (const engine of this.#engines) engine.startClosing();
  }

  /**
   * Tells clients that their connections end, where the wire has a message for that.
   *
   * @returns Whether a request has come over one of these connections.
   */
  announceEnd(): (x: Exchange) => boolean {
    const kept = new WeakSet<object>();
    for (const connections of this.#connections.values()) {
      connections.announceEnd();
      for (const socket of connections.sockets) kept.add(socket);
    }
    return ({ rawSocket }) => rawSocket !== undefined && kept.has(rawSocket);
  }

  /** The requests that have no complete response yet, and connections that were upgraded. */
  unfinished(): Unfinished[] {
    const unconnected = this.unconnected.running.map((exchange) => ({ exchange, openedMs: 0 }));
    const connected = [...this.#connections.values()].flatMap((connections) => connections.unfinished());
    return [...connected, ...unconnected];
  }

  destroyAll(): void {
    for (const connections of this.#connections.values()) connections.destroyAll();
    for (const server of [...this.#others, this.server])
      if (!this.#connections.has(server)) server.closeAllConnections?.();
  }

  /** Resolves when no connection is left, or when the time is up. */
  drain(graceMs: number): Promise<void> {
    return withinTime(graceMs, this.stopAccepting());
  }

  /** Resolves when no connection is left. */
  stopAccepting(): Promise<unknown> {
    return Promise.all([...this.#connections.values()].map((connections) => connections.drain()));
  }

  async close(): Promise<void> {
    // A server of the application's own is closed only if we opened it.
    if (this.#settings.userOptions.serverFactory !== undefined && !this.#isListening) return;
    // The main one last: closing it closes those that still listen.
    const servers = [...this.#others, this.server];
    await Promise.all(servers.map((server) => this.#connections.get(server)?.prepareToClose()));
    await Promise.all(servers.map((server) => this.#connections.get(server)?.close() ?? this.#close(server)));
  }

  /** A server that is not node's knows its connections itself. */
  #close(server: ClosableServer): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const { forceCloseConnections } = this.#settings.userOptions;
    if (forceCloseConnections === true) server.closeAllConnections?.();
    else if (forceCloseConnections !== false) server.closeIdleConnections?.();
    return closed;
  }

  #attachEngine(server: ClosableServer, connections: ServerConnections): void {
    const engine = attachEngine(server, {
      serve: this.#serve,
      requestListener: this.handleHttp1,
      keepsWhenClosing: this.#settings.userOptions.forceCloseConnections === false,
      report: (text) => this.#host.announce(text),
    });
    this.#engines.push(engine);
    connections.engine = engine;
  }

  #makeServer(): ClosableServer {
    const server = makeServer(this.#settings, this);
    // A factory may make anything.
    if (!(server instanceof Server)) return server;
    const connections = new ServerConnections(server, this.#settings);
    this.#connections.set(server, connections);
    // Before the first connection, whoever has the server listen.
    if (usesEngine(this.#settings))
      server.once('listening', () => this.#attachEngine(server as ClosableServer, connections));
    return server;
  }
}

function withinTime(limitMs: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Node refuses requests beyond a limit of their number in a way of its own. */
function usesEngine({ maxRequestsPerSocket, userOptions }: ServerSettings): boolean {
  const { engine, http2, serverFactory } = userOptions;
  return engine !== 'node' && !http2 && serverFactory === undefined && maxRequestsPerSocket === 0;
}

/** The exchange for a pair of node objects of either version. */
export function exchangeOver(request: IncomingMessage, response: ServerResponse): NodeExchange {
  return request.httpVersionMajor === 2
    ? new Http2Exchange(request, response)
    : new NodeExchange(request, response);
}
