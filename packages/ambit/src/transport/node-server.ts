/** Makes node's servers: HTTP, HTTPS, HTTP/2 in clear text and over TLS, or whatever the application's factory makes. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2Server, Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { ForceCloseIdleUnavailable } from '../contract/errors.ts';
import type { ServerSettings } from '../contract/server-settings.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { require } from '../shared/require.ts';

// Most applications serve neither: a third of node's own modules need not be loaded for them.
const loadHttps = lazyModule<typeof import('node:https')>(() => require('node:https'));
const loadHttp2 = lazyModule<typeof import('node:http2')>(() => require('node:http2'));

/** Handles one pair of node objects. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Who handles what servers receive. */
export interface RawHandlers {
  /** Any pair. */
  readonly handle: RawHandler;
  /** Pairs of our own HTTP/1.1 servers: as node makes them, and as nobody has touched them. */
  readonly handleHttp1: RawHandler;
}

/** What servers of one kind or another can be asked to close. */
export type ClosableServer = Server & { closeHttp2Sessions?: () => void; closeUnused?: () => void };

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
  const { userOptions, connectionTimeout } = settings;
  // Node wants an object where we take `true`.
  const tls = userOptions.https === true ? {} : userOptions.https || undefined;
  if (userOptions.http2) {
    const listener = handle as never;
    const server =
      tls === undefined
        ? loadHttp2().createServer((userOptions.http ?? {}) as object, listener)
        : loadHttp2().createSecureServer(tls, listener);
    return setUpHttp2(server, settings) as unknown as ClosableServer;
  }
  const server =
    tls === undefined
      ? http.createServer(userOptions.http ?? {}, handleHttp1)
      : loadHttps().createServer(tls, handleHttp1);
  server.keepAliveTimeout = settings.keepAliveTimeout;
  server.requestTimeout = settings.requestTimeout;
  server.headersTimeout = Math.min(
    settings.headersTimeout,
    settings.requestTimeout || settings.headersTimeout,
  );
  server.setTimeout(connectionTimeout);
  if (settings.maxRequestsPerSocket > 0) server.maxRequestsPerSocket = settings.maxRequestsPerSocket;
  return closeUnusedOnClose(server as ClosableServer, tls === undefined ? 'connection' : 'secureConnection');
}

/** Node ends connections that are between two requests when it closes; this sees to the others. */
function closeUnusedOnClose(
  server: ClosableServer,
  opened: 'connection' | 'secureConnection',
): ClosableServer {
  const sockets = new Set<Socket>();
  server.on(opened, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.closeUnused = () => {
    // Browsers open connections ahead of need: one that never asked for anything would hold up the end.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // What serves a request ends once it is idle, not when the usual time has passed.
    Object.assign(server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 });
  };
  return server;
}

type AnyHttp2Server = (Http2Server | Http2SecureServer) & { closeHttp2Sessions?: () => void };

function setUpHttp2(server: AnyHttp2Server, settings: ServerSettings): AnyHttp2Server {
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => {
    session.setTimeout(settings.http2SessionTimeout, () => session.close());
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.setTimeout(settings.connectionTimeout);
  // Sessions outlive their requests by design: only a closing server ends them.
  if (settings.userOptions.forceCloseConnections === true) {
    server.closeHttp2Sessions = () => {
      for (const session of sessions) session.close();
    };
  }
  return server;
}
