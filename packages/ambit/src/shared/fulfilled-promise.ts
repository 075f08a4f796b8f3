/** Reads promises that are already fulfilled without waiting for them. Only Bun can do this. */
import { bun } from './js-runtime.ts';

// HOT: once per result of a handler or a hook (benchmarks `get` and `hooks` on Bun).
/**
 * @returns Whether `peekValue` can read the promise; always `false` on other runtimes, and for promises of another class. Their `then` must
 *   be called, as `await` does, because a lazy promise begins its work there.
 */
export function isFulfilled(promise: PromiseLike<unknown>): boolean {
  return bun !== undefined && promise.constructor === Promise && bun.peek.status(promise) === 'fulfilled';
}

/** Returns the value of a promise for which `isFulfilled` is true. */
export function peekValue(promise: PromiseLike<unknown>): unknown {
  return bun!.peek(promise);
}
