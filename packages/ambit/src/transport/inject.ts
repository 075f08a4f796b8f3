/** Serves requests without a socket, through light-my-request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazyModule } from '../kit/lazy-module.ts';
import { require } from '../kit/require.ts';
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
  const dispatch =
    whenReady === undefined
      ? handler
      : (request: IncomingMessage, response: ServerResponse): void => {
          whenReady().then(
            () => handler(request, response),
            (error) => response.emit('error', error),
          );
        };
  return loadInject()(dispatch, options, callback);
}
