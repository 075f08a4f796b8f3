/** Puts our HTTP engine in front of a server of node, and reports the reason if the engine cannot be used. */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Engine, HandOverReason, Exchange as InnerExchange } from '@ambit/http-engine';
import { lazyModule, require } from '../shared/lazy-module.ts';

// Loaded late, because only an application that listens needs it.
const loadEngine = lazyModule<typeof import('@ambit/http-engine')>(() => require('@ambit/http-engine'));

/** The functions that the engine calls, and its options. */
export interface EngineHost {
  /** Serves a request that the engine has read. */
  readonly serve: (exchange: InnerExchange) => void;
  /** The listener of `request`, for connections that node serves. */
  readonly requestListener: RequestListener;
  /** Whether a closing server keeps connections until their clients end them. */
  readonly keepsWhenClosing: boolean;
  /** The engine of the application's first server. Its counters count for all servers. */
  readonly first: Engine | undefined;
  readonly report: (text: string) => void;
}

/** The texts of the reasons why node serves all connections of a server. */
const reasonTexts: Readonly<Partial<Record<HandOverReason, string>>> = {
  'request-listener': "the server has another listener of 'request'",
  emit: "the server's `emit` was replaced",
  'diagnostics-channel': "a diagnostics channel of node's HTTP server has subscribers",
};

export function attachEngine(server: Server, host: EngineHost): Engine {
  const { requestListener, keepsWhenClosing, first } = host;
  const reported = new Set<string>();
  const onHandOver = (reason: HandOverReason): void => {
    const cause = reasonTexts[reason];
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
 * Whether the engine would accept the Host of a request that node has read (RFC 9112, 3.2): which requests are rejected must not depend on
 * whether node or the engine serves the connection.
 */
export function hasValidHost(request: IncomingMessage): boolean {
  return loadEngine().hasValidHost(request);
}

/** Whether this error of the engine says that a client has left before its response was complete. */
export function leftBeforeEnd(error: Error): boolean {
  return error instanceof loadEngine().ClientGone;
}

/** Takes the host of an absolute target. Returns false if it is not valid. */
export function takeTargetHost(request: IncomingMessage): boolean {
  return request.url!.startsWith('/') || loadEngine().takeTargetHost(request);
}

/** The error that listeners of `clientError` get for an invalid Host. */
export function invalidHost(): Error {
  return Object.assign(new Error('Parse Error: Invalid Host'), { code: 'HPE_INVALID_HEADER_TOKEN' });
}
