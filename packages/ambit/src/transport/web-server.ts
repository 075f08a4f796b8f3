/** Opens servers of Bun and Deno: they call a function with each `Request`, and send the `Response` that it returns. */
import type { AddressInfo } from 'node:net';
import type { BunRuntime, DenoRuntime } from '../shared/js-runtime.ts';
import type { AmbitOptions, ListenOptions } from '../types/options.ts';
import { serveAtOnce, serveInMicrotask } from './deno-async-context.ts';
import { refuseWrongHost, showsValidHost } from './refuse-wrong-host.ts';
import { pathOf } from './request-parts.ts';
import type { ServeRequest } from './serve-request.ts';

/** One server on one address. */
export interface WebServer {
  readonly bound: AddressInfo | string;
  /** Accepts no more connections, ends those without a request, and resolves when the others have ended. */
  stop(): Promise<void>;
  /** Ends every connection, as far as the runtime can. Their requests have been destroyed before. */
  destroy(): void;
}

/** Where to listen, and with which settings and handler. */
export interface WebServerOptions {
  /** The options of `listen`. `host` is the address to open. */
  readonly listen: ListenOptions;
  /** The options of TLS; `undefined` without it. */
  readonly tls: object | undefined;
  /** How long a connection may be silent, in seconds. Ignored if the runtime has no such limit. */
  readonly idleSeconds: number;
  readonly serve: ServeRequest;
  /** The format of errors. */
  readonly errors: AmbitOptions['errors'];
  /** What serves GET requests for a path, instead of `serve`. */
  readonly byPath: ReadonlyMap<string, ServeRequest>;
}

/** How often a stopping server is checked for running requests, because Bun does not report their end. */
const pollMs = 10;

export function openBunServer(bun: BunRuntime, options: WebServerOptions): WebServer {
  const { listen, tls, idleSeconds, serve, byPath } = options;
  const { path, host, port, ipv6Only = false, reusePort = false } = listen;
  const address = path == null ? { hostname: host, port: Number(port), ipv6Only, reusePort } : { unix: path };
  const server = bun.serve({
    ...address,
    fetch: serve,
    routes: Object.fromEntries([...byPath].map(([path, get]) => [path, { GET: get, HEAD: serve }])),
    tls,
    idleTimeout: idleSeconds,
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

export function openDenoServer(deno: DenoRuntime, options: WebServerOptions): WebServer {
  const { listen, tls } = options;
  const { path, host, port, reusePort } = listen;
  const address = path == null ? { hostname: host, port: Number(port), reusePort } : { path };
  const server = deno.serve({ ...address, ...tls, onListen() {} }, serveByPath(options));
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

/** Deno finds no routes by itself. */
function serveByPath(options: WebServerOptions): ServeRequest {
  const withHost = (serve: ServeRequest): ServeRequest => {
    return (request, context) => refuseWrongHost(request, options.errors) ?? serve(request, context);
  };
  const serve = serveInMicrotask(withHost(options.serve));
  const byPath = new Map(
    [...options.byPath].map(([path, get]) => [path, serveAtOnce(showsValidHost(path) ? get : withHost(get))]),
  );
  if (byPath.size === 0) return serve;
  // HOT: once per request.
  return (request, context) => {
    const { method, url } = request;
    // Clients send no fragment, but a wrong host may have one.
    const get = method === 'GET' && !url.includes('#') ? byPath.get(pathOf(url)) : undefined;
    return get === undefined ? serve(request, context) : get(request, context);
  };
}

function addressOf({ hostname, port }: { hostname: string; port: number }): AddressInfo {
  return { address: hostname, family: hostname.includes(':') ? 'IPv6' : 'IPv4', port };
}
