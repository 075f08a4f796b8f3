/** Serves an application with the server of Bun or Deno: one, or one for each address of `localhost`. */
import type { AddressInfo } from 'node:net';
import { type BunServer, bun, deno } from '../shared/js-runtime.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ListenOptions, ServerSettings } from '../types/options.ts';
import { checkWebOptions, type WebRuntime } from './check-web-options.ts';
import { FetchExchange } from './fetch-exchange.ts';
import { listenError } from './listen-error.ts';
import type { ClosableServer } from './node-server.ts';
import { unreadLimit } from './open-connection.ts';
import type { ServeRequest } from './serve-request.ts';
import { Transport, type TransportHost, withinTime } from './transport.ts';
import { openBunServer, openDenoServer, type WebServer, type WebServerOptions } from './web-server.ts';
import { makeWebServerObject, type WebServerObject } from './web-server-object.ts';

const runtime: WebRuntime = bun === undefined ? 'Deno' : 'Bun';

const needsNode = "use `engine: 'node'`, which serves with node:http of the runtime";
const hints = {
  upgrade: `A plugin that takes over connections, such as one for WebSocket, needs a server of node: ${needsNode}`,
  other: `Use a hook or an option of the application, or ${needsNode}`,
};

/** Errors for an address that the system does not have, because it has no IPv4 or no IPv6. */
const noSuchAddress: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

export class WebTransport extends Transport {
  readonly server: ClosableServer;
  readonly #object: WebServerObject;
  readonly #servers: WebServer[] = [];
  #longRequestTimer: ReturnType<typeof setInterval> | undefined;
  #stopped: Promise<unknown> | undefined;

  constructor(settings: ServerSettings, host: TransportHost) {
    super(settings, host);
    this.#object = makeWebServerObject(hints);
    this.server = this.#object as unknown as ClosableServer;
  }

  // HOT: once per request.
  readonly #serve: ServeRequest = (request, context) => {
    const x = new FetchExchange(request, context, this.unconnected, true);
    this.host.dispatch(x);
    return x.answer;
  };

  protected override checkListening(options: ListenOptions): void {
    checkWebOptions(runtime, this.settings.userOptions, options);
    checkPort(options.port);
  }

  protected override async open(options: ListenOptions): Promise<string | undefined> {
    const [first, ...others] =
      options.host === 'localhost' ? this.#openLocalhost(options) : [this.#openOne(options)];
    for (const server of [first!, ...others]) {
      this.#servers.push(server);
      this.#object.begin(server.bound);
    }
    this.#keepLongRequests();
    const [address] = this.announce(boundTo(first!), options);
    for (const server of others) this.announce(boundTo(server), options);
    return address;
  }

  /** Opens both addresses of `localhost` (RFC 6761, 6.3). If one of them cannot be opened, it is left out. */
  #openLocalhost(options: ListenOptions): WebServer[] {
    const openIPv6 = (port: ListenOptions['port']): WebServer =>
      this.#openOne({ ...options, host: '::1', port: port ?? 0 });
    let ipv4Server: WebServer;
    try {
      ipv4Server = this.#openOne({ ...options, host: '127.0.0.1' });
    } catch (error) {
      if (!noSuchAddress.has((error as { code?: unknown }).code)) throw error;
      return [openIPv6(options.port)];
    }
    try {
      return [ipv4Server, openIPv6((ipv4Server.bound as AddressInfo).port)];
    } catch {
      return [ipv4Server];
    }
  }

  #openOne(listen: ListenOptions): WebServer {
    const options: WebServerOptions = {
      listen,
      tls: tlsOf(this.settings),
      idleSeconds: Math.min(Math.ceil(this.settings.keepAliveTimeout / 1000), 255),
      serve: this.#serve,
      errors: this.settings.userOptions.errors,
    };
    try {
      return bun === undefined ? openDenoServer(deno!, options) : openBunServer(bun, options);
    } catch (error) {
      throw listenError(error, listen);
    }
  }

  /**
   * Turns off Bun's idle limit for requests that have arrived completely: it also counts while a handler runs, but is meant for silent
   * clients only.
   */
  #keepLongRequests(): void {
    const { keepAliveTimeout } = this.settings;
    if (bun === undefined || keepAliveTimeout === 0) return;
    this.#longRequestTimer = setInterval(() => {
      for (const x of this.unconnected.running) {
        const completeRequest = x instanceof FetchExchange ? x.completeRequest : undefined;
        if (completeRequest !== undefined)
          (completeRequest.context as BunServer).timeout(completeRequest.request, 0);
      }
    }, keepAliveTimeout / 4);
    this.#longRequestTimer.unref();
  }

  addresses(): AddressInfo[] {
    // The main address comes last, as in node's transport.
    return this.#servers.map(({ bound }) => bound as AddressInfo).reverse();
  }

  /** It is not known which connection a request came on, so all responses announce the end of their connections. */
  announceEnd(): (x: Exchange) => boolean {
    return () => true;
  }

  destroyAll(): void {
    for (const x of this.unconnected.running) x.destroy();
    for (const server of this.#servers) server.destroy();
  }

  stopAccepting(onStopped?: () => void): Promise<unknown> {
    this.#stopped ??= Promise.all(this.#servers.map((server) => server.stop()));
    onStopped?.();
    return this.#stopped;
  }

  async close(): Promise<void> {
    const stopped = this.stopAccepting();
    if (this.settings.userOptions.forceCloseConnections === true) this.destroyAll();
    void this.#endUnread(stopped);
    await stopped;
    clearInterval(this.#longRequestTimer);
    this.#servers.length = 0;
    this.#object.end();
  }

  /** When every handler has replied, the clients get a time to read their responses. Those that do not are cut off. */
  async #endUnread(stopped: Promise<unknown>): Promise<void> {
    const limitMs = unreadLimit(this.settings.keepAliveTimeout);
    if (limitMs === 0) return;
    await this.unconnected.whenEmpty();
    await withinTime(limitMs, stopped);
    for (const server of this.#servers) server.destroy();
  }
}

function boundTo({ bound }: WebServer): Pick<ClosableServer, 'address'> {
  return { address: () => bound };
}

/** Throws the same error as node. */
function checkPort(port: unknown): void {
  if (port === undefined || port === null) return;
  const isPort = Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= 65_535 && port !== '';
  if (isPort) return;
  const error = new RangeError(`options.port should be >= 0 and < 65536. Received ${String(port)}.`);
  throw Object.assign(error, { code: 'ERR_SOCKET_BAD_PORT' });
}

/** Deno accepts only strings, but users may also pass bytes, as with node. */
function tlsOf({ userOptions: { https } }: ServerSettings): object | undefined {
  if (typeof https !== 'object' || https === null) return undefined;
  if (bun !== undefined) return https;
  return { key: String(https.key), cert: String(https.cert) };
}
