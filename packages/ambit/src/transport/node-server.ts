/** Creates node's servers: HTTP, HTTPS, HTTP/2 in clear text and over TLS, or the server of the application's factory. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { ForceCloseIdleUnavailable } from '../types/errors.ts';
import type { ServerSettings } from '../types/options.ts';

// Loaded late: most applications use neither, and they are a third of node's own modules.
const loadHttps = lazyModule<typeof import('node:https')>(() => require('node:https'));
const loadHttp2 = lazyModule<typeof import('node:http2')>(() => require('node:http2'));

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
