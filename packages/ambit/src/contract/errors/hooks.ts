/** The errors of hooks. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The name of a hook is not a string. */
export const HookNameInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_TYPE',
  message: 'The hook name must be a string',
  base: TypeError,
});
/** The hook is not a function. */
export const HookHandlerInvalid: ErrorClass<[hook: string, received: string]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_HANDLER',
  message: '%s hook should be a function, instead got %s',
  base: TypeError,
});
/** An async hook has the parameter `done`. */
export const HookMixesStyles: ErrorClass<[]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
  message: "Async function has too many arguments. Async hooks should not use the 'done' argument.",
  base: TypeError,
});
/** There is no hook of that name. */
export const HookUnknown: ErrorClass<[hook: string]> = defineError({
  code: 'FST_ERR_HOOK_NOT_SUPPORTED',
  message: '%s hook not supported!',
  base: TypeError,
});
/** A boot hook or a plugin failed with a value that is not an error: `done(false)`, a rejection without a reason. */
export const FailedWithoutError: ErrorClass<[what: string, received: string]> = defineError({
  code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
  message: '%s failed with %s instead of an error',
  hint: 'pass an Error that says why; only `undefined` and `null` mean success',
});
/** An `onReady`, `onListen` or `preClose` hook did not finish in time, or an `onClose` hook where `close` has options. */
export const HookTimeout: ErrorClass<[hook: string, name: string]> = defineError({
  code: 'FST_ERR_HOOK_TIMEOUT',
  message:
    "A callback for '%s' hook%s timed out. You may have forgotten to call 'done' function or to resolve a Promise",
});
