/** Plugins: functions that add routes, hooks and decorators to a context. */
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger } from './logger.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.cjs';
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

/** The options of a plugin. */
// biome-ignore lint/suspicious/noExplicitAny: an interface is only assignable to an index signature of `any`.
export type FastifyPluginOptions = Record<string, any>;

/** The instance that a plugin gets in an application with such a server. */
type PluginInstance<
  Server extends RawServerBase,
  TypeProvider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
> = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  Logger,
  TypeProvider
>;

/** A plugin that calls `done` when it has finished. */
export type FastifyPluginCallback<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  instance: PluginInstance<Server, TypeProvider, Logger>,
  opts: Options,
  done: (err?: Error) => void,
) => void;

/** A plugin that returns a promise. */
export type FastifyPluginAsync<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (instance: PluginInstance<Server, TypeProvider, Logger>, opts: Options) => Promise<void>;

/** @deprecated Options are inferred better from `FastifyPluginCallback` or `FastifyPluginAsync`. */
export type FastifyPlugin<Options extends FastifyPluginOptions = Record<never, never>> =
  | FastifyPluginCallback<Options>
  | FastifyPluginAsync<Options>;
