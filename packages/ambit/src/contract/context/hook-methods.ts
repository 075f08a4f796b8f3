/** The method of a context that adds hooks. */
import type { ContextTypes } from '../context-types.ts';
import type { HookName, Hooks } from '../hooks.ts';

/** Adds hooks. */
export interface HookMethods<Types extends ContextTypes> {
  /**
   * Adds a hook to this context and to its children. It also applies to routes that were declared before.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<Name extends HookName>(name: Name, hook: Hooks<Types>[Name]): this;
  /**
   * Disposes of a resource when the server has closed.
   *
   * @param name `onClose`.
   * @param resource Its method `Symbol.asyncDispose` or `Symbol.dispose` is called.
   */
  addHook(name: 'onClose', resource: AsyncDisposable | Disposable): this;
}
