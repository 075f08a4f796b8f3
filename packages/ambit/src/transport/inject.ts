/** Serves requests without a socket, through light-my-request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { RawHandler } from './node-server.ts';

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
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    delayDestruction(request, response);
    if (signal) destroyOnAbort(signal, request, response);
    if (whenReady === undefined) handler(request, response);
    else
      whenReady().then(
        () => handler(request, response),
        (error) => response.emit('error', error),
      );
  };
  return loadInject()(dispatch, options, callback);
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
