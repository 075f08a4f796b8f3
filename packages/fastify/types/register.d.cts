/** `register`: plugins and their options. */
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger, LogLevel } from './logger.cjs';
import type { FastifyPluginAsync, FastifyPluginCallback, FastifyPluginOptions } from './plugin.cjs';
import type { FastifyTypeProvider } from './type-provider.cjs';
import type { RawServerBase, RawServerDefault } from './utils.cjs';

/** Options that `register` itself understands. */
export interface RegisterOptions {
  /** What the URL of every route in the plugin begins with. */
  prefix?: string;
  /** The level of the log of the plugin's requests. */
  logLevel?: LogLevel;
  /** How fields of the log lines of the plugin's requests are written, by the field's name. */
  // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type of the field they write.
  logSerializers?: Record<string, (value: any) => string>;
}

/** The plugin's options and those of `register`, or a function that computes them when the plugin's turn comes. */
export type FastifyRegisterOptions<Options> =
  | (RegisterOptions & Options)
  | ((instance: FastifyInstance) => RegisterOptions & Options);

/** Each form that a plugin comes in, a module that is still being imported among them. */
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

/** The style of a plugin has an overload of its own, since options cannot be inferred through a union. */
export interface FastifyRegister<
  T = void,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProviderDefault extends FastifyTypeProvider = FastifyTypeProvider,
  LoggerDefault extends FastifyBaseLogger = FastifyBaseLogger,
> {
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
   * Registers a plugin. It runs at boot, after the plugins before it, in a child context of its own; a plugin that is wrapped with `fastify-plugin`
   * runs in this context.
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
