/** Serves requests without a socket, through light-my-request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { RawHandler } from './node-server.ts';

type Inject = (dispatch: RawHandler, options?: unknown, callback?: unknown) => unknown;
const loadInject = lazyModule<Inject>(() => require('light-my-request'));

/** A promise of the response, a chain that builds the request, or nothing when there is a callback. */
export function injectInto(
  handler: RawHandler,
  whenReady: (() => Promise<unknown>) | undefined,
  options: unknown,
  callback: ((error: Error | undefined, response: never) => void) | undefined,
): unknown {
  const { signal } = (options ?? {}) as { signal?: AbortSignal };
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    answerFirst(request, response);
    if (signal) leaveOnAbort(signal, request, response);
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
 * A pipeline that fails destroys the request that it reads. A socket still carries the answer to that; light-my-request would
 * fail the call at once, before whoever reads the body has seen the error. So the answer gets one turn.
 */
function answerFirst(request: IncomingMessage, response: ServerResponse): void {
  const { destroy } = response;
  response.destroy = (error) => {
    if (request.destroyed && !response.headersSent) setImmediate(() => destroy.call(response, error));
    else destroy.call(response, error);
    return response;
  };
}

/** A caller leaves by its signal. light-my-request only has the signal end the request, which has ended by itself once its body was read. */
function leaveOnAbort(signal: AbortSignal, request: IncomingMessage, response: ServerResponse): void {
  const leave = (): void => {
    if (!request.readableEnded || response.writableEnded) return;
    const error = new Error('The operation was aborted', { cause: signal.reason });
    response.destroy(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
  };
  signal.addEventListener('abort', leave, { once: true });
  response.once('close', () => signal.removeEventListener('abort', leave));
}
