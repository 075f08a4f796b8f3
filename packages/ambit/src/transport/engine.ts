/** Puts our HTTP engine in front of a server of node's, and tells the application where it cannot be used. */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Engine, HandOverReason, Exchange as Served } from '@ambit/http-engine';
import { lazyModule, require } from '../shared/lazy-module.ts';

// Only an application that listens needs it.
const loadEngine = lazyModule<typeof import('@ambit/http-engine')>(() => require('@ambit/http-engine'));

/** Who serves what, and is told what happens. */
export interface EngineHost {
  /** Serves a request that the engine has read. */
  readonly serve: (served: Served) => void;
  /** The listener of `request`, for connections that node serves. */
  readonly requestListener: RequestListener;
  /** Whether a closing server leaves connections to their clients. */
  readonly keepsWhenClosing: boolean;
  /** The engine of the application's first server, which counts for all of them. */
  readonly first: Engine | undefined;
  readonly report: (text: string) => void;
}

/** Why node serves all connections of a server, in words. */
const watched: Readonly<Partial<Record<HandOverReason, string>>> = {
  'request-listener': "the server has another listener of 'request'",
  emit: "the server's `emit` was replaced",
  'diagnostics-channel': "a diagnostics channel of node's HTTP server has subscribers",
};

export function attachEngine(server: Server, host: EngineHost): Engine {
  const { requestListener, keepsWhenClosing, first } = host;
  const reported = new Set<string>();
  const onHandOver = (reason: HandOverReason): void => {
    const cause = watched[reason];
    if (cause === undefined || reported.has(cause)) return;
    reported.add(cause);
    host.report(`node:http serves the connections, not the HTTP engine: ${cause}`);
  };
  return loadEngine().attach(server, host.serve, {
    requestListener,
    keepsWhenClosing,
    onHandOver,
    countsWith: first,
  });
}

/**
 * Whether a request that node has read has no Host that the engine would refuse (RFC 9112, 3.2): what is refused must not depend on who serves a
 * connection.
 */
export function hasValidHost(request: IncomingMessage): boolean {
  return loadEngine().hasValidHost(request);
}

/** What the listener of `clientError` is told of a Host that is invalid. */
export function invalidHost(): Error {
  return Object.assign(new Error('Parse Error: Invalid Host'), { code: 'HPE_INVALID_HEADER_TOKEN' });
}
