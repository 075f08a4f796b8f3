/** Servers of node, of HTTP, HTTPS and HTTP/2, or of the application's factory: how are they made, bound to addresses, and named? */

import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { lazyModule } from '../shared/lazy-module.ts';
import { ForceCloseIdleUnavailable } from '../types/errors.ts';
import type { ListenOptions, ServerSettings } from '../types/options.ts';

const require = createRequire(import.meta.url);

// Loaded late: most applications use none of them, and the first two are a third of node's own modules.
const loadHttps = lazyModule<typeof import('node:https')>(() => require('node:https'));
const loadHttp2 = lazyModule<typeof import('node:http2')>(() => require('node:http2'));
const loadDns = lazyModule<typeof import('node:dns/promises')>(() => require('node:dns/promises'));
const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));

/** Handles one pair of node objects. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The handlers of requests that servers receive. */
export interface RawHandlers {
  /** Handles any pair. */
  readonly handle: RawHandler;
  /** Handles pairs of our own HTTP/1.1 servers, exactly as node created them. */
  readonly handleHttp1: RawHandler;
}

/** A server of any kind. HTTP/2 servers lack some of these methods. */
export type ClosableServer = Server &
  Partial<Pick<Server, 'closeAllConnections' | 'closeIdleConnections'>> & {
    /** Whether a client that has ended its side still gets responses. A property of node's servers that its types lack. */
    httpAllowHalfOpen?: boolean;
  };

export function makeServer(settings: ServerSettings, handlers: RawHandlers): ClosableServer {
  const { userOptions } = settings;
  const server =
    userOptions.serverFactory?.(handlers.handle, userOptions) ?? makeNodeServer(settings, handlers);
  if (userOptions.forceCloseConnections === 'idle' && typeof server.closeIdleConnections !== 'function') {
    throw new ForceCloseIdleUnavailable();
  }
  return server;
}

function makeNodeServer(settings: ServerSettings, { handle, handleHttp1 }: RawHandlers): ClosableServer {
  const { userOptions } = settings;
  // Node requires an object, but we also accept `true`.
  const tls = userOptions.https === true ? {} : userOptions.https || undefined;
  if (userOptions.http2) {
    const listener = handle as never;
    const server =
      tls === undefined
        ? loadHttp2().createServer((userOptions.http ?? {}) as object, listener)
        : loadHttp2().createSecureServer(tls, listener);
    server.on('session', (session) =>
      session.setTimeout(settings.http2SessionTimeout, () => session.close()),
    );
    delayContinue(server as unknown as Server, handle);
    return limitTimes(server as unknown as ClosableServer, settings);
  }
  const server =
    tls === undefined
      ? http.createServer(userOptions.http ?? {}, handleHttp1)
      : loadHttps().createServer(tls, handleHttp1);
  delayContinue(server, handleHttp1);
  // Who ends its side behind a request still gets its response; `Http1Connection` limits the time.
  (server as ClosableServer).httpAllowHalfOpen = true;
  if (settings.maxRequestsPerSocket > 0) server.maxRequestsPerSocket = settings.maxRequestsPerSocket;
  return limitTimes(server as ClosableServer, settings);
}

/**
 * Sends 100 (Continue) when something begins to read the body: a client that waits for it then need not send a body that the head has already
 * caused to be refused (RFC 9110, 10.1.1). Node would send it before the request is handled.
 */
function delayContinue(server: Server, handle: RawHandler): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Another listener does the same in its own way.
    if (server.listenerCount('checkContinue') > 1) return;
    const { _read: read } = request;
    const { shouldKeepAlive } = response;
    // Without a 100, the client may send the body or not, so the next request would not be found.
    response.shouldKeepAlive = false;
    request._read = (sizeBytes) => {
      request._read = read;
      if (!response.headersSent) {
        response.writeContinue();
        response.shouldKeepAlive = shouldKeepAlive;
      }
      read.call(request, sizeBytes);
    };
    handle(request, response);
  });
}

/** Sets the time limits. On HTTP/2 servers, those of HTTP/1.1 are for connections that use that version (`allowHTTP1`). */
function limitTimes(server: ClosableServer, settings: ServerSettings): ClosableServer {
  const { keepAliveTimeout, headersTimeout, requestTimeout, connectionTimeout } = settings;
  server.requestTimeout = requestTimeout;
  server.headersTimeout = Math.min(headersTimeout, requestTimeout || headersTimeout);
  // HTTP/2 sessions have their own limit, `http2SessionTimeout`.
  const { http2, https } = settings.userOptions;
  if (!http2 || (https as { allowHTTP1?: boolean })?.allowHTTP1) server.keepAliveTimeout = keepAliveTimeout;
  server.setTimeout(connectionTimeout);
  return server;
}

/** Resolves when the server listens. Rejects with the system's error if it cannot. */
export function bind(server: ClosableServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      server.removeListener('listening', onListening);
      reject(error);
    };
    const onListening = (): void => {
      server.removeListener('error', onError);
      resolve();
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen(options);
  });
}

/**
 * Binds the other addresses of `localhost` to the port of the main server (specification 2.6), one server each. An address that cannot be
 * bound is left out, because the main server listens.
 */
export async function bindOtherAddresses(
  main: ClosableServer,
  options: ListenOptions,
  makeAnother: () => ClosableServer,
): Promise<ClosableServer[]> {
  const primary = main.address() as AddressInfo;
  const resolved = await loadDns()
    .lookup(options.host!, { all: true })
    .catch(() => []);
  // A hosts file may contain only one of the two, but the name means both (RFC 6761, 6.3).
  const addresses = new Set([...resolved.map(({ address }) => address), '127.0.0.1', '::1']);
  const others: ClosableServer[] = [];
  for (const address of addresses) {
    if (address === primary.address) continue;
    const server = makeAnother();
    try {
      await bind(server, { ...options, host: address, port: primary.port });
      others.push(server);
    } catch {
      server.close();
    }
  }
  return others;
}

/** Whether the server listens on an open file descriptor: node prefers it to a port or a path. */
export function hasDescriptor({ fd }: ListenOptions): boolean {
  return typeof fd === 'number' && fd >= 0;
}

/** The addresses to show for a bound server. The IPv4 wildcard is replaced by the addresses of all interfaces. */
export function publicAddresses(
  bound: ReturnType<ClosableServer['address']>,
  scheme: 'http' | 'https',
  options: ListenOptions,
): string[] {
  // Node does not know the path of a UNIX socket that it has not opened.
  if (bound === null) return hasDescriptor(options) ? [`fd://${options.fd}`] : [];
  if (typeof bound === 'string') return [bound];
  const { address, port } = bound;
  if (address.includes(':')) return [`${scheme}://[${address}]:${port}`];
  const hosts = address === '0.0.0.0' ? ownAddresses() : [address];
  return hosts.map((host) => `${scheme}://${host}:${port}`);
}

/** IPv4 addresses of this machine, internal ones first. */
function ownAddresses(): string[] {
  return Object.values(loadOs().networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
    .sort((a, b) => Number(b.internal) - Number(a.internal))
    .map(({ address }) => address);
}
