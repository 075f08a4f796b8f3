/** The methods of a context for plugins and for boot. */
import type { CloseOptions } from '../closing.ts';
import type { ContextOf } from '../context.ts';
import type { ContextTypes, Extended, Inherited, Merged } from '../context-types.ts';
import type { ContextHooks, Done, Settled } from '../hooks.ts';
import type {
  NotInferredYet,
  PluginResultTypes,
  RegisteredOptions,
  RegisteredPlugin,
  ResultOfPlugin,
} from '../registration.ts';
import type { Prefixed } from '../route-table.ts';

/** A context that can be awaited. The promise resolves when the plugin has loaded. */
type Loading<Types extends ContextTypes> = ContextOf<Types> & PromiseLike<ContextOf<Types>>;

/**
 * The context after a call of `register`: with the types that a hoisted plugin adds, or with the routes in the type of the plugin's result.
 */
type RegisterResult<Types extends ContextTypes, PluginArgument, Prefix extends string> = Loading<
  PluginArgument extends { readonly '~added': infer Added extends ContextTypes }
    ? Merged<Types, Added>
    : Extended<Types, 'routes', Prefixed<PluginResultTypes<ResultOfPlugin<PluginArgument>>['routes'], Prefix>>
>;

/** Registers plugins, and waits for them. */
export interface PluginMethods<Types extends ContextTypes> {
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a hoisted plugin runs in this context.
   *
   * @param plugin A function, an ES module whose default export is one, or a promise of either.
   * @param options The plugin's options, or a function that returns them from this context. The framework reads `prefix`, `logLevel` and
   *   `logSerializers`.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   * @throws {FST_ERR_ROOT_PLG_BOOTED} or {FST_ERR_PARENT_PLUGIN_BOOTED} if the application has booted, or this context has loaded.
   */
  register<Self, PluginArgument = NotInferredYet, Options = never, const Prefix extends string = ''>(
    this: Self,
    plugin: RegisteredPlugin<ContextOf<Inherited<Types>>, Self, PluginArgument, Options>,
    options?: RegisteredOptions<ContextOf<Types>, PluginArgument, Options> & { prefix?: Prefix },
  ): RegisterResult<Types, PluginArgument, Prefix>;
  /**
   * Waits until everything that is registered so far has loaded.
   *
   * @returns A promise, which rejects with the error of a plugin that failed.
   */
  after(): Promise<void>;
  /**
   * Calls a function when everything that is registered so far has loaded.
   *
   * @param listener Gets the error of a plugin that failed, or `null`. It may return a promise, or call `done`.
   */
  after(listener: (error: Error | null, done: Done) => Settled): this;
  /**
   * Boots the application: loads every plugin, compiles every route, runs the `onReady` hooks.
   *
   * @returns A promise of this context. It rejects with the first error of boot.
   */
  ready(): Promise<ContextOf<Types>>;
  /**
   * Boots the application.
   *
   * @param listener Gets the first error of boot, or `null`.
   */
  ready(listener: (error: Error | null, context?: ContextOf<Types>) => void): void;
  /**
   * Closes the application: stops listening, waits for running requests, runs the `preClose` and `onClose` hooks. The method is bound to
   * its context: `process.once('SIGTERM', app.close)`.
   *
   * @returns A promise that resolves when everything has closed. It rejects with the error of a hook that failed.
   */
  close(): Promise<void>;
  /**
   * Closes the application in order and within limits of time. First, it still serves everything for `delayMs`, while `isStopping` is
   * `true`. Then it accepts no more connections. Requests, streams and upgraded connections that have not ended after another `graceMs` are
   * destroyed and logged. In each context, `preClose` and `onClose` hooks run in reverse order. If a hook fails, the others still run.
   *
   * @param options The times. A second call can make them shorter.
   * @returns A promise of the number of requests that were cut off; 0 means that all ended in order. It rejects with the error of a hook
   *   that failed.
   * @throws {AMBIT_ERR_CLOSE_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   */
  close(options: CloseOptions): Promise<number>;
  /**
   * Closes the application.
   *
   * @param listener Called when everything has closed, with the error of a hook that failed.
   */
  close(listener: (error?: Error) => void): this;
  /**
   * Adds an `onClose` hook.
   *
   * @param hook Runs when the server has closed.
   */
  onClose(hook: ContextHooks<Types>['onClose']): this;
  /**
   * Tells whether a plugin is registered in this context or in one of its ancestors.
   *
   * @param name The name in the plugin's metadata.
   */
  hasPlugin(name: string): boolean;
  /**
   * Draws the tree of plugins, with the time that each took to load.
   *
   * @returns Lines of text. The tree is complete once the application is ready.
   */
  printPlugins(): string;
}
