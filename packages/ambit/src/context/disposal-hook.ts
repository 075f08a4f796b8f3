/** Lets a disposable resource be given where an `onClose` hook is expected. */
import { HookHandlerInvalid } from '../contract/errors.ts';
import type { AnyHook } from './hook-table.ts';

/** The hook as it is, or one that disposes of the resource. */
export function disposalHook(hookOrResource: unknown): AnyHook {
  if (typeof hookOrResource === 'function') return hookOrResource as AnyHook;
  const resource = Object(hookOrResource) as Partial<AsyncDisposable & Disposable>;
  if (typeof resource[Symbol.asyncDispose] === 'function')
    return async () => resource[Symbol.asyncDispose]!();
  if (typeof resource[Symbol.dispose] === 'function') return async () => resource[Symbol.dispose]!();
  throw new HookHandlerInvalid('onClose', Object.prototype.toString.call(hookOrResource));
}
