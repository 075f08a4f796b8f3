/** Makes node's servers: HTTP, HTTPS, HTTP/2 in clear text and over TLS, or whatever the application's factory makes. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ForceCloseIdleUnavailable } from '../contract/errors.ts';
import type { ServerSettings } from '../contract/server.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';

// Most applications serve neither: a third of node's own modules need not be loaded for them.
const loadHttps = lazyModule<typeof import('node:https')>(() => require('node:https'));
const loadHttp2 = lazyModule<typeof import('node:http2')>(() => require('node:http2'));

/** Handles one pair of node objects. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Who handles what servers receive. */
export interface RawHandlers {
  /** Any pair. */
  readonly handle: RawHandler;
  /** Handles pairs of our own HTTP/1.1 servers, exactly as node created them. */
  readonly handleHttp1: RawHandler;
}

/** A server of any kind: one of HTTP/2 lacks some of its methods. */
export type ClosableServer = Server & Partial<Pick<Server, 'closeAllConnections' | 'closeIdleConnections'>>;

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
  // Node wants an object where we take `true`.
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
    return limitTimes(server as unknown as ClosableServer, settings);
  }
  const server =
    tls === undefined
      ? http.createServer(userOptions.http ?? {}, handleHttp1)
      : loadHttps().createServer(tls, handleHttp1);
  if (settings.maxRequestsPerSocket > 0) server.maxRequestsPerSocket = settings.maxRequestsPerSocket;
  return limitTimes(server as ClosableServer, settings);
}

/** A server of HTTP/2 has the limits of HTTP/1.1 for the connections that it serves in that version (`allowHTTP1`). */
function limitTimes(server: ClosableServer, settings: ServerSettings): ClosableServer {
  const { keepAliveTimeout, headersTimeout, requestTimeout, connectionTimeout } = settings;
  server.requestTimeout = requestTimeout;
  server.headersTimeout = Math.min(headersTimeout, requestTimeout || headersTimeout);
  // Sessions have a limit of their own, `http2SessionTimeout`.
  const { http2, https } = settings.userOptions;
  if (!http2 || (https as { allowHTTP1?: boolean })?.allowHTTP1) server.keepAliveTimeout = keepAliveTimeout;
  server.setTimeout(connectionTimeout);
  return server;
}
