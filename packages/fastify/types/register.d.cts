/** `register`: plugins and their options. */
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger, LogLevel } from './logger.cjs';
import type { FastifyPluginAsync, FastifyPluginCallback, FastifyPluginOptions } from './plugin.cjs';
import type { FastifyTypeProvider } from './type-provider.cjs';
import type { RawServerBase, RawServerDefault } from './utils.cjs';

/** Options that `register` itself understands. */
export interface RegisterOptions {
  prefix?: string;
  logLevel?: LogLevel;
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
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<Options, Server, TypeProvider, Logger>,
    opts: FastifyRegisterOptions<Options>,
  ): T;
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<Options, Server, TypeProvider, Logger>,
    opts: FastifyRegisterOptions<Options>,
  ): T;
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: AnyPlugin<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T;
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
