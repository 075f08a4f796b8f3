/** Serves requests without a socket, through light-my-request. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';
import type { RawHandler } from './node-server.ts';

const require = createRequire(import.meta.url);

type Inject = (dispatch: RawHandler, options?: unknown, callback?: unknown) => unknown;
const loadInject = lazyModule<Inject>(() => require('light-my-request'));

/** @returns A promise of the response, a chain that builds the request, or `undefined` if there is a callback. */
export function injectInto(
  handler: RawHandler,
  whenReady: (() => Promise<unknown>) | undefined,
  options: unknown,
  callback: ((error: Error | undefined, response: never) => void) | undefined,
): unknown {
  const { signal } = (options ?? {}) as { signal?: AbortSignal };
  let injected: unknown;
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    // A chain collects the options.
    keepPath(request, (injected as Chain | undefined)?.option ?? options);
    delayDestruction(request, response);
    if (signal) destroyOnAbort(signal, request, response);
    if (whenReady === undefined) handler(request, response);
    else
      whenReady().then(
        () => handler(request, response),
        (error) => response.emit('error', error),
      );
  };
  injected = loadInject()(dispatch, options, callback);
  return injected;
}

/** The part of light-my-request's chain that we read. */
interface Chain {
  readonly option?: unknown;
}

/**
 * Gives the request the path that a socket would pass. light-my-request resolves `..` and `%2e%2e`, and replaces backslashes, so that
 * another route would be called.
 */
function keepPath(request: IncomingMessage, options: unknown): void {
  const { url, path } = (typeof options === 'string' ? { url: options } : (options ?? {})) as Target;
  const target = url || path;
  const text = typeof target === 'string' ? target : target?.pathname;
  if (typeof text !== 'string') return;
  const given = text.replace(/[?#].*$/s, '').replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\]*/i, '');
  if (!/\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(given)) return;
  const encoded = given
    .replace(/^(?!\/)/, '/')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^\x21-\x7e]+|["<>`{}]/gu, encodeURIComponent);
  const queryAt = request.url!.indexOf('?');
  request.url = queryAt === -1 ? encoded : encoded + request.url!.slice(queryAt);
}

/** The target in the options of a request: a text, or an object with a path. */
interface Target {
  readonly url?: string | { readonly pathname?: unknown };
  readonly path?: string | { readonly pathname?: unknown };
}

/**
 * If a pipeline that reads the request fails, it destroys the request. On a socket, the response to that is still sent, but
 * light-my-request would fail the call at once, before the code that reads the body has seen the error. So the destruction waits for one
 * turn.
 */
function delayDestruction(request: IncomingMessage, response: ServerResponse): void {
  const { destroy } = response;
  response.destroy = (error) => {
    if (request.destroyed && !response.headersSent) setImmediate(() => destroy.call(response, error));
    else destroy.call(response, error);
    return response;
  };
}

/**
 * Destroys the response when the caller's signal aborts. light-my-request only destroys the request, which has no effect after its body was
 * read.
 */
function destroyOnAbort(signal: AbortSignal, request: IncomingMessage, response: ServerResponse): void {
  const onAbort = (): void => {
    if (!request.readableEnded || response.writableEnded) return;
    const error = new Error('The operation was aborted', { cause: signal.reason });
    response.destroy(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  response.once('close', () => signal.removeEventListener('abort', onAbort));
}
