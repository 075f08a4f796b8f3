/** The context that plugins fill. The application's root is a context too. */
import type {
  HealthMethods,
  HookMethods,
  OverloadMethods,
  PluginMethods,
  ServerMethods,
} from './context-plugins.ts';
import type { RouteMethods } from './context-routes.ts';
import type {
  DecoratorMethods,
  ErrorMethods,
  LogMethods,
  ParserMethods,
  SchemaMethods,
} from './context-settings.ts';
import type { ContextTypes } from './context-types.ts';
import type { Logger } from './logger.ts';

/**
 * One node of the encapsulation tree (specification 1.1). It inherits from its ancestors, and hides what it adds from the rest. Once the
 * application has booted, the methods that change a context throw `FST_ERR_INSTANCE_ALREADY_LISTENING`; those of decorators throw
 * `FST_ERR_DEC_AFTER_START`, and those of parsers `FST_ERR_CTP_INSTANCE_ALREADY_STARTED`. For a value that is wrong they throw
 * `AMBIT_ERR_OPTION_INVALID`, if they name no other error, and for an option that does not exist `AMBIT_ERR_UNKNOWN_OPTION`.
 */
export interface Context<out Types extends ContextTypes = ContextTypes>
  extends PluginMethods<Types>,
    DecoratorMethods<Types>,
    HookMethods<Types>,
    RouteMethods<Types>,
    SchemaMethods<Types>,
    ParserMethods,
    ErrorMethods<Types>,
    LogMethods,
    HealthMethods,
    OverloadMethods,
    ServerMethods<Types['routes']> {
  /** What the compiler knows about this context. The member does not exist at run time. */
  readonly '~types'?: Types;

  /** The names of the plugins from the root to this context: `ambit -> users`. */
  readonly pluginName: string;
  /** The prefix of the URLs of this context's routes: the prefixes that were passed to `register`, joined. */
  readonly prefix: string;
  /** The version of the framework. */
  readonly version: string;
  /** The logger of the application. It writes nothing unless the option `logger` or `loggerInstance` is set. */
  readonly log: Logger;
  /** The options of the application that hold no secrets, with their defaults, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
  /** Does nothing: it exists for code that was written for Fastify. Types are inferred without a type provider. */
  withTypeProvider(): this;
}

/** A context with its decorators. */
export type ContextOf<Types extends ContextTypes> = Context<Types> & Types['context'];

/** The smallest context type that fits a plugin: the plain `Context`, if the plugin needs nothing more. */
export type MinimalContext<In> = Context extends In ? Context : In;
