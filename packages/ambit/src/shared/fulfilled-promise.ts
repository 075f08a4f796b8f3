/** Reads promises that are fulfilled already without waiting for them, where the runtime can: Bun. */
import { bun } from './js-runtime.ts';

// HOT: once per result of a handler or a hook (benchmarks `get` and `hooks` on Bun).
/**
 * @returns Whether `peekValue` can read the promise; always `false` on other runtimes. As for `await`, only `then` tells for the
 *   promises of another class: a lazy one begins its work there.
 */
export function isFulfilled(promise: PromiseLike<unknown>): boolean {
  return bun !== undefined && promise.constructor === Promise && bun.peek.status(promise) === 'fulfilled';
}

/** The value of a promise that is fulfilled. */
export function peekValue(promise: PromiseLike<unknown>): unknown {
  return bun!.peek(promise);
}
