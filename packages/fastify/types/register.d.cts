/** `register`: plugins and their options. */
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger, LogLevel } from './logger.cjs';
import type { FastifyPluginAsync, FastifyPluginCallback, FastifyPluginOptions } from './plugin.cjs';
import type { FastifyTypeProvider } from './type-provider.cjs';
import type { RawServerBase, RawServerDefault } from './utils.cjs';

/** The options of `register`. */
export interface RegisterOptions {
  /** The prefix of the URLs of all routes in the plugin. */
  prefix?: string;
  /** The level of the log of the plugin's requests. */
  logLevel?: LogLevel;
  /** Serializers for fields of the log lines of the plugin's requests, by the field's name. */
  // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type of the field they write.
  logSerializers?: Record<string, (value: any) => string>;
}

/** The plugin's options and those of `register`, or a function that computes them when the plugin is loaded. */
export type FastifyRegisterOptions<Options> =
  | (RegisterOptions & Options)
  | ((instance: FastifyInstance) => RegisterOptions & Options);

/** All forms of a plugin, including a promise of a module. */
type AnyPlugin<
  Options extends FastifyPluginOptions,
  Server extends RawServerBase,
  TypeProvider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
> =
  | FastifyPluginCallback<Options, Server, TypeProvider, Logger>
  | FastifyPluginAsync<Options, Server, TypeProvider, Logger>
  | Promise<{ default: FastifyPluginCallback<Options, Server, TypeProvider, Logger> }>
  | Promise<{ default: FastifyPluginAsync<Options, Server, TypeProvider, Logger> }>;

/** There is one overload for each style of plugins, because TypeScript cannot infer options through a union. */
export interface FastifyRegister<
  T = void,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProviderDefault extends FastifyTypeProvider = FastifyTypeProvider,
  LoggerDefault extends FastifyBaseLogger = FastifyBaseLogger,
> {
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @param opts Its options, with `prefix`, `logLevel` and `logSerializers` for the framework.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<Options, Server, TypeProvider, Logger>,
    opts: FastifyRegisterOptions<Options>,
  ): T;
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @param opts Its options, with `prefix`, `logLevel` and `logSerializers` for the framework.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<Options, Server, TypeProvider, Logger>,
    opts: FastifyRegisterOptions<Options>,
  ): T;
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: AnyPlugin<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a plugin that is wrapped with
   * `fastify-plugin` runs in this context.
   *
   * @param plugin A function, or a module or promise of one.
   * @param opts Its options, with `prefix`, `logLevel` and `logSerializers` for the framework.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   */
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: AnyPlugin<Options, Server, TypeProvider, Logger>,
    opts: FastifyRegisterOptions<Options>,
  ): T;
}
