/** Reads promises that are already fulfilled without waiting for them. Only Bun can do this. */
import { types } from 'node:util';
import { bun } from './js-runtime.ts';

/** The class and the method of promises of async functions. An application may have replaced the global `Promise`. */
const { constructor: NativePromise, then } = (async () => {})();

/** Whether a value is a promise as async functions return it. Reading it runs no code of the application. */
export function isNativePromise(value: unknown): value is Promise<unknown> {
  // A proxy of a promise is an instance of the class, too.
  return types.isPromise(value) && value.constructor === NativePromise && value.then === then;
}

// HOT: once per result of a handler or a hook (benchmarks `get` and `hooks` on Bun).
/**
 * @returns Whether `peekValue` can read the promise; always `false` on other runtimes, and for promises of another class. Their `then` must
 *   be called, as `await` does, because a lazy promise begins its work there.
 */
export function isFulfilled(promise: PromiseLike<unknown>): boolean {
  // Of an object that is no promise, Bun would say that it is fulfilled.
  return bun !== undefined && isNativePromise(promise) && bun.peek.status(promise) === 'fulfilled';
}

/** Returns the value of a promise for which `isFulfilled` is true. */
export function peekValue(promise: PromiseLike<unknown>): unknown {
  return bun!.peek(promise);
}
