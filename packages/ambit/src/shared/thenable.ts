/** Tells promises from other values without touching anything but `then`, and functions by how they end. */
import { types } from 'node:util';

export function isThenable<T = unknown>(value: unknown): value is PromiseLike<T> {
  return (
    value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** True for functions declared `async`: they settle by promise, so they never need a `done` callback. */
export function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}

/** True for `async function*`. */
export function isAsyncGeneratorFunction(value: unknown): boolean {
  return types.isGeneratorFunction(value) && types.isAsyncFunction(value);
}

/** True for generators, async ones too: what they return is no result, and their body has not run. */
export function isGeneratorFunction(value: unknown): boolean {
  return types.isGeneratorFunction(value);
}
