/** Detects promises, reading nothing but `then`, and detects async functions and generators. */
import { types } from 'node:util';

export function isThenable<T = unknown>(value: unknown): value is PromiseLike<T> {
  return (
    value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Whether a function is declared `async`: its promise says when it has ended, so it never needs a callback `done`. */
export function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}

/** Whether a function is an `async function*`. */
export function isAsyncGeneratorFunction(value: unknown): boolean {
  return types.isGeneratorFunction(value) && types.isAsyncFunction(value);
}

/** Whether a function is a generator, also an async one. When it returns, its body has not run yet. */
export function isGeneratorFunction(value: unknown): boolean {
  return types.isGeneratorFunction(value);
}
