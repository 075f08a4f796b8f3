/** The context that plugins fill, and what the compiler knows about it. The application's root is a context too. */
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
import type { Logger } from './logger.ts';

/**
 * One node of the encapsulation tree (specification 1.1). It inherits from its ancestors, and hides what it adds from the rest. Once the
 * application has booted, the methods that change a context throw `FST_ERR_INSTANCE_ALREADY_LISTENING`; those of decorators throw
 * `FST_ERR_DEC_AFTER_START`, and those of parsers `FST_ERR_CTP_INSTANCE_ALREADY_STARTED`.
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
  /**
   * Does nothing: it exists for code that was written for Fastify. Types are inferred from schemas without a type provider.
   *
   * @returns This context.
   */
  withTypeProvider(): this;
}

/** A context with its decorators. */
export type ContextOf<Types extends ContextTypes> = Context<Types> & Types['context'];

/** The smallest context type that fits a plugin: the plain `Context`, if the plugin needs nothing more. */
export type MinimalContext<In> = Context extends In ? Context : In;

/**
 * What the compiler knows about a context. The types are passed on with the values: each declaration returns a context with more types,
 * which is passed to plugins, hooks and handlers. None of this exists at run time.
 */
export interface ContextTypes {
  /** What decorators add to the context. */
  context: unknown;
  /** What decorators add to its requests. */
  request: unknown;
  /** What decorators add to its replies. */
  reply: unknown;
  /** The shared schemas that are visible, by `$id`. */
  schemas: unknown;
  /** The routes that were declared, by method and path: a `RouteEntry` each. */
  routes: unknown;
}

/**
 * The types of a context whose declarations are known. It has five parameters, so that the compiler evaluates each part together with the
 * declaration that extends it. The compiler evaluates deferred types recursively when they are read, and stops with an error at a hundred
 * levels. It defers the members of an object type, and an interface that is the whole body of a type alias; therefore `{ is: … }['is']`.
 */
export interface Declared<Context, Request, Reply, Schemas, Routes> extends ContextTypes {
  /** What decorators add to the context. */
  context: Context;
  /** What decorators add to its requests. */
  request: Request;
  /** What decorators add to its replies. */
  reply: Reply;
  /** The shared schemas that are visible, by `$id`. */
  schemas: Schemas;
  /** The routes that were declared, by method and path. */
  routes: Routes;
}

/** The types with one part extended. It is an intersection, so that the new context is assignable to the previous one. */
export type Extended<Types extends ContextTypes, Part extends keyof ContextTypes, Added> = {
  is: Declared<
    Part extends 'context' ? Types['context'] & Added : Types['context'],
    Part extends 'request' ? Types['request'] & Added : Types['request'],
    Part extends 'reply' ? Types['reply'] & Added : Types['reply'],
    Part extends 'schemas' ? Types['schemas'] & Added : Types['schemas'],
    Part extends 'routes' ? Types['routes'] & Added : Types['routes']
  >;
}['is'];

/** The types of a plugin's own context: everything that is visible there, and no routes yet. */
export type Inherited<Types extends ContextTypes> = {
  is: Declared<Types['context'], Types['request'], Types['reply'], Types['schemas'], unknown>;
}['is'];

/** A context with what a hoisted plugin added to it. */
export type Merged<Types extends ContextTypes, Added extends ContextTypes> = {
  is: Declared<
    Types['context'] & Added['context'],
    Types['request'] & Added['request'],
    Types['reply'] & Added['reply'],
    Types['schemas'] & Added['schemas'],
    Types['routes'] & Added['routes']
  >;
}['is'];

/** The types that a plugin needs in the context in which it is registered. Parts that it leaves out may be anything. */
export type Needed<Needs extends Partial<ContextTypes>> = {
  is: Declared<
    PartOf<Needs, 'context'>,
    PartOf<Needs, 'request'>,
    PartOf<Needs, 'reply'>,
    PartOf<Needs, 'schemas'>,
    unknown
  >;
}['is'];

type PartOf<Needs, Part extends keyof ContextTypes> = Needs extends { [P in Part]: infer Type }
  ? Type
  : unknown;

/** The member that a decorator adds; nothing if the application has declared a member of that name for every context, in `Owner`. */
export type Member<Name extends PropertyKey, Value, Owner> = Name extends keyof Owner
  ? unknown
  : { [N in Name]: Value };

/** A shared schema under its `$id`. */
export type SharedSchema<Schema> = Schema extends { readonly $id: infer Id extends string }
  ? string extends Id
    ? unknown
    : { [I in Id]: Schema }
  : unknown;
