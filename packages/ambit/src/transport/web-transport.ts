/** Serves an application with the server of Bun or Deno: one, or one for each address of `localhost`. */
import type { AddressInfo } from 'node:net';
import { type BunRuntime, type BunServer, bun, type DenoRuntime, deno } from '../shared/js-runtime.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ListenOptions, ServerSettings } from '../types/options.ts';
import { FetchExchange } from './fetch-exchange.ts';
import type { ClosableServer } from './node-server.ts';
import { unreadLimit } from './open-connection.ts';
import { Transport, type TransportHost, withinTime } from './transport.ts';
import { refuseWrongHost } from './unconnected-requests.ts';
import { checkWebOptions, listenError, nodeInstead, type WebRuntime } from './web-options.ts';
import { makeWebServerObject, type WebServerObject } from './web-server-object.ts';

const runtime: WebRuntime = bun === undefined ? 'Deno' : 'Bun';

const hints = {
  upgrade: `A plugin that takes over connections, such as one for WebSocket, needs a server of node: ${nodeInstead}`,
  other: `Use a hook or an option of the application, or ${nodeInstead}`,
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
    const [address] = this.announce(first!.bound, options);
    for (const { bound } of others) this.announce(bound, options);
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
    try {
      return bun === undefined
        ? openDenoServer(deno!, listen, this.settings, this.#serve)
        : openBunServer(bun, listen, this.settings, this.#serve);
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

/** Throws the same error as node. */
function checkPort(port: unknown): void {
  if (port === undefined || port === null) return;
  const isPort = Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= 65_535 && port !== '';
  if (isPort) return;
  const error = new RangeError(`options.port should be >= 0 and < 65536. Received ${String(port)}.`);
  throw Object.assign(error, { code: 'ERR_SOCKET_BAD_PORT' });
}

/** One server on one address. */
interface WebServer {
  readonly bound: AddressInfo | string;
  /** Accepts no more connections, ends those without a request, and resolves when the others have ended. */
  stop(): Promise<void>;
  /** Ends every connection, as far as the runtime can. Their requests have been destroyed before. */
  destroy(): void;
}

/** @param context What the runtime passes as the second argument, after the request. */
type ServeRequest = (request: Request, context: unknown) => Response | Promise<Response>;

/** How often a stopping server is checked for running requests, because Bun does not report their end. */
const pollMs = 10;

function openBunServer(
  bun: BunRuntime,
  { path, host, port, ipv6Only = false, reusePort = false }: ListenOptions,
  { keepAliveTimeout, userOptions }: ServerSettings,
  serve: ServeRequest,
): WebServer {
  const address = path == null ? { hostname: host, port: Number(port), ipv6Only, reusePort } : { unix: path };
  const server = bun.serve({
    ...address,
    fetch: serve,
    tls: userOptions.https || undefined,
    idleTimeout: Math.min(Math.ceil(keepAliveTimeout / 1000), 255),
    development: false,
    // The application has its own limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  });
  return {
    bound: path ?? (server.address as AddressInfo),
    async stop() {
      server.stop(false);
      while (server.pendingRequests > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
    },
    destroy: () => void server.stop(true),
  };
}

function openDenoServer(
  deno: DenoRuntime,
  { path, host, port, reusePort }: ListenOptions,
  { userOptions: { https, errors = 'json' } }: ServerSettings,
  serve: ServeRequest,
): WebServer {
  const address = path == null ? { hostname: host, port: Number(port), reusePort } : { path };
  // Deno accepts only strings, but users may also pass bytes, as with node.
  const tls = https && https !== true && { key: String(https.key), cert: String(https.cert) };
  // Deno calls us in the async context that the calls before have left, and restores it after a microtask. Without one, the store that a
  // request enters (`AsyncLocalStorage.enterWith`) would be seen by later requests.
  const started = Promise.resolve();
  // HOT: once per request.
  const server = deno.serve({ ...address, ...tls, onListen() {} }, (request, context) =>
    started.then(() => refuseWrongHost(request, errors) ?? serve(request, context)),
  );
  let stopWaiting!: () => void;
  const isNotAwaited = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  return {
    bound: path ?? addressOf(server.addr),
    stop: () => Promise.race([server.shutdown(), isNotAwaited]),
    // Deno cannot end connections while it shuts down. The remaining ones have got their last response, so they are not waited for.
    destroy: stopWaiting,
  };
}

function addressOf({ hostname, port }: { hostname: string; port: number }): AddressInfo {
  return { address: hostname, family: hostname.includes(':') ? 'IPv6' : 'IPv4', port };
}
