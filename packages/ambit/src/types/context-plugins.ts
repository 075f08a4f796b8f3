/** The methods of a context about plugins, hooks, the server, health and overload. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Prefixed } from './calls.ts';
import type { ContextOf } from './context.ts';
import type { ContextTypes, Extended, Inherited, Merged } from './context-types.ts';
import type { OverloadOptions, ReadinessCheckFunction, ReadinessCheckOptions } from './feature-options.ts';
import type { ContextHooks, Done, HookName, Hooks, Settled } from './hooks.ts';
import type { Inject } from './inject.ts';
import type { CloseOptions, FetchExecution, ListenOptions } from './options.ts';
import type {
  NotInferredYet,
  PluginResultTypes,
  RegisteredOptions,
  RegisteredPlugin,
  ResultOfPlugin,
} from './plugins.ts';

/** A context that can be awaited. The promise resolves when the plugin has loaded. */
type Loading<Types extends ContextTypes> = ContextOf<Types> & PromiseLike<ContextOf<Types>>;

/** The context after `register`: with the types that a hoisted plugin adds, or with the routes in the type of the plugin's result. */
type RegisterResult<Types extends ContextTypes, PluginArgument, Prefix extends string> = Loading<
  PluginArgument extends { readonly '~added': infer Added extends ContextTypes }
    ? Merged<Types, Added>
    : Extended<Types, 'routes', Prefixed<PluginResultTypes<ResultOfPlugin<PluginArgument>>['routes'], Prefix>>
>;

/** Registers plugins, and waits for them. */
export interface PluginMethods<Types extends ContextTypes> {
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a hoisted plugin runs in its parent.
   * Within a plugin, the parent is the context of that plugin, whichever context `register` is called on.
   * @param plugin A function, an ES module whose default export is one, or a promise of either.
   * @param options The plugin's, or a function that returns them from the plugin's context. `prefix`, `logLevel` and `logSerializers` apply
   *   only in an object, and not to a hoisted plugin.
   * @returns This context. `await` it to wait until the plugin has loaded. It rejects with an error of the plugin, which fails boot also if
   *   you catch it there: only a listener of `after` takes an error.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   * @throws {FST_ERR_ROOT_PLG_BOOTED} or {FST_ERR_PARENT_PLUGIN_BOOTED} if the application, or the plugin of this context, has loaded.
   */
  register<Self, PluginArgument = NotInferredYet, Options = never, const Prefix extends string = ''>(
    this: Self,
    plugin: RegisteredPlugin<ContextOf<Inherited<Types>>, Self, PluginArgument, Options>,
    options?: RegisteredOptions<ContextOf<Types>, PluginArgument, Options> & { prefix?: Prefix },
  ): RegisterResult<Types, PluginArgument, Prefix>;
  /** Waits until everything that is registered so far has loaded. @returns A promise. It rejects with the error of a plugin. */
  after(): Promise<void>;
  /** Calls a function when all has loaded. @param listener Gets a plugin's error, or `null`. May return a promise, or call `done`. */
  after(listener: (error: Error | null, done: Done) => Settled): this;
  /** Boots: loads every plugin, compiles every route, runs the `onReady` hooks. @returns A promise. It rejects with the first error. */
  ready(): Promise<ContextOf<Types>>;
  /** Boots the application. @param listener Gets the first error of boot, or `null`. */
  ready(listener: (error: Error | null, context?: ContextOf<Types>) => void): void;
  /**
   * Stops listening, waits for running requests, runs the `preClose` and `onClose` hooks. Bound: `process.once('SIGTERM', app.close)`.
   * @returns A promise. It rejects with the error of a hook.
   */
  close(): Promise<void>;
  /**
   * Closes the application in order and within limits of time. First, it still serves everything for `delayMs`, while `isStopping` is
   * `true`. Then it accepts no more connections. Requests, streams and upgraded connections that have not ended after another `graceMs` are
   * destroyed and logged. In each context, `preClose` and `onClose` hooks run in reverse order. If a hook fails, the others still run.
   * @param options The times. A second call can make them shorter.
   * @returns A promise of the number of requests that were cut off; 0 means that all ended in order. It rejects with the error of a hook.
   * @throws {AMBIT_ERR_CLOSE_OPTIONS_INVALID} for an option that is wrong.
   */
  close(options: CloseOptions): Promise<number>;
  /** Closes the application. @param listener Called when everything has closed, with the error of a hook that failed. */
  close(listener: (error?: Error) => void): this;
  /** Adds an `onClose` hook. @param hook Runs when the server has closed. */
  onClose(hook: ContextHooks<Types>['onClose']): this;
  /** Tells whether a plugin is registered in this context or in one of its ancestors. @param name The name in the plugin's metadata. */
  hasPlugin(name: string): boolean;
  /** Draws the tree of plugins, with the time that each took to load. It is complete once the application is ready. @returns Lines. */
  printPlugins(): string;
}

/** Listens, and serves requests. */
export interface ServerMethods<Routes> {
  /** Node's own server. */
  readonly server: Server;
  /**
   * Boots the application, and listens.
   * @param options Where. Default: a free port of `localhost`.
   * @returns A promise of the first address: `http://127.0.0.1:3000`. It rejects if boot fails, or if the server cannot listen.
   * @throws {FST_ERR_LISTEN_OPTIONS_INVALID} for an option that is wrong.
   */
  listen(options?: ListenOptions): Promise<string>;
  /**
   * Boots the application, and listens.
   * @param options Where.
   * @param listener Gets the first address, or the error.
   */
  listen(options: ListenOptions, listener: (error: Error | null, address: string) => void): void;
  /** Boots the application, and listens on a free port of `localhost`. @param listener Gets the first address, or the error. */
  listen(listener: (error: Error | null, address: string) => void): void;
  /** Lists the addresses that the application listens on. @returns An empty array before it listens. */
  addresses(): AddressInfo[];
  /** The last address on which the application began to listen: `http://localhost:3000`. */
  readonly listeningOrigin: string;
  /**
   * Serves a request of another server.
   * @param rawRequest Node's request object.
   * @param rawResponse Node's response object.
   */
  routing(rawRequest: unknown, rawResponse: unknown): void;
  /**
   * Serves a web-standard request, for runtimes whose servers call `fetch`, such as `Bun.serve` and `Deno.serve`. Boots the application
   * first. The method is bound: `const { fetch } = app`.
   * @param request A `Request`. Its signal aborts when the client leaves.
   * @param context What the runtime passes second. The address of the client is read from it.
   * @param execution What workers pass third. Its `waitUntil` keeps the request alive while handlers and hooks still run.
   * @returns A promise. It rejects if boot fails, the client leaves, or the response is destroyed. A closed application replies 503.
   * @throws {AMBIT_ERR_FETCH_REQUEST_INVALID} as a rejection, if it is not called with a `Request`.
   */
  fetch(request: Request, context?: unknown, execution?: FetchExecution): Promise<Response>;
  /**
   * Serves a request without a socket, for tests. Boots the application first, if it has not booted.
   *
   * `inject(options)` sends any request. `inject.get('/users/:id', { params })` sends a typed one: there is a method for GET, POST, PUT,
   * PATCH, DELETE, OPTIONS and HEAD. `inject().get('/')` builds one by a chain of calls.
   */
  inject: Inject<Routes>;
  /** Closes the application, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds hooks. */
export interface HookMethods<Types extends ContextTypes> {
  /**
   * Adds a hook to this context and to its children. It also applies to routes that were declared before.
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} for an unknown name, {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function,
   *   {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   */
  addHook<Name extends HookName>(name: Name, hook: Hooks<Types>[Name]): this;
  /**
   * Disposes of a resource when the server has closed.
   * @param name `onClose`.
   * @param resource Has `Symbol.asyncDispose` or `.dispose`.
   */
  addHook(name: 'onClose', resource: AsyncDisposable | Disposable): this;
}

/** Adds checks of dependencies. */
export interface HealthMethods {
  /**
   * Adds a check of what the routes here need: a database, a queue. Readiness (option `health`) answers 503 while it fails.
   * @param name Names the check in the response of readiness, and in the log. A context and its children must not use a name twice.
   * @param check Throws, rejects or returns `false` if the dependency is not there. `this` is the context.
   * @param options Default: every default of `ReadinessCheckOptions`.
   */
  addReadinessCheck(name: string, check: ReadinessCheckFunction<this>, options?: ReadinessCheckOptions): this;
}

/** Sets how many requests a context serves at the same time. */
export interface OverloadMethods {
  /** Gives this context and its children an overload protection of their own. @param options `true` for every default, `false` for none. */
  setOverload(options: OverloadOptions | boolean): this;
}
