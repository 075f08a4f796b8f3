/** Opens servers of Bun and Deno: they call a function with each `Request`, and send the `Response` that it returns. */
import type { AddressInfo } from 'node:net';
import type { BunRuntime, DenoRuntime } from '../shared/js-runtime.ts';
import type { AmbitOptions, ListenOptions } from '../types/options.ts';
import { refuseWrongHost } from './refuse-wrong-host.ts';
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
}

/** How often a stopping server is checked for running requests, because Bun does not report their end. */
const pollMs = 10;

export function openBunServer(bun: BunRuntime, options: WebServerOptions): WebServer {
  const { listen, tls, idleSeconds, serve } = options;
  const { path, host, port, ipv6Only = false, reusePort = false } = listen;
  const address = path == null ? { hostname: host, port: Number(port), ipv6Only, reusePort } : { unix: path };
  const server = bun.serve({
    ...address,
    fetch: serve,
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
  const { listen, tls, serve, errors } = options;
  const { path, host, port, reusePort } = listen;
  const address = path == null ? { hostname: host, port: Number(port), reusePort } : { path };
  const started = Promise.resolve();
  // HOT: once per request.
  const server = deno.serve({ ...address, ...tls, onListen() {} }, (request, context) =>
    // In a microtask, after which Deno restores the async context: it calls this function in the context that the calls before have left, so a
    // store that a request enters (`AsyncLocalStorage.enterWith`) would be seen by later requests.
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
