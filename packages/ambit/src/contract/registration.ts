/** The types of plugins: the arguments of `register`, and what the compiler infers from them. */
import type { Context } from './context.ts';
import type { ContextTypes, Inherited } from './context-types.ts';
import type { Done, Settled } from './hooks.ts';
import type { LogSerializers } from './logger.ts';
import type { RejectMisspelled } from './misspelled-names.ts';
import type { MarkedPlugin } from './plugin-metadata.ts';
import type { Empty } from './route-types.ts';
import type { NeedsUnmet, OptionsMissing, UnmetNeeds } from './unmet-needs.ts';

/** The options that `register` itself reads. All other options are the plugin's. */
export interface RegisterOptions {
  /** The prefix of the URL of every route in the plugin. */
  prefix?: string;
  /** The level of the log of the plugin's requests. */
  logLevel?: string;
  /** How fields of the log lines of the plugin's requests are written, by the field's name. */
  logSerializers?: LogSerializers;
  /** The name of a plugin that has none of its own. */
  name?: string;
}

/** A function that fills a context: in callback style, in promise style, or synchronously with two parameters. */
export type PluginFunction<Options = Record<string, unknown>, In = Context, Result = Settled> = (
  context: In,
  options: Options,
  done: Done,
) => Result;

/** What `register` takes: a plugin, an ES module whose default export is one, or a promise of either. */
export type Plugin<Options = Record<string, unknown>, In = Context, Result = Settled> =
  | (PluginFunction<Options, In, Result> & MarkedPlugin)
  | { default: PluginFunction<Options, In, Result> & MarkedPlugin }
  | PromiseLike<
      | { default: PluginFunction<Options, In, Result> & MarkedPlugin }
      | (PluginFunction<Options, In, Result> & MarkedPlugin)
    >;

/**
 * A plugin that fills the context in which it is registered. `Added` are the types that it adds to that context; only the compiler uses
 * them.
 */
export type HoistedPlugin<Options, In, Added extends ContextTypes> = PluginFunction<Options, In, Settled> &
  MarkedPlugin & { readonly '~added': Added };

/** The types that a hoisted plugin adds to a context. */
export type Provides<Hoisted> = Hoisted extends { readonly '~added': infer Added extends ContextTypes }
  ? Added
  : ContextTypes;

/** The types of the context that a plugin filled, from the plugin's result: the context itself, or a promise of it. */
export type PluginResultTypes<Result> = Result extends {
  readonly '~types'?: infer Types extends ContextTypes;
}
  ? Types
  : Result extends PromiseLike<{ readonly '~types'?: infer Types extends ContextTypes }>
    ? Types
    : ContextTypes;

type AnyPluginFunction = (context: never, options: never, done: never) => unknown;
/** The function of a plugin that is passed directly, in a module, or as a promise. */
type FunctionOf<PluginArgument> = PluginArgument extends AnyPluginFunction
  ? PluginArgument
  : PluginArgument extends { default: infer Exported extends AnyPluginFunction }
    ? Exported
    : PluginArgument extends PromiseLike<infer Resolved>
      ? FunctionOf<Resolved>
      : never;

/**
 * The type argument for a plugin that the compiler has not inferred yet. `never` cannot be used, because it also stands for other cases.
 */
export interface NotInferredYet {
  readonly '~notInferred': true;
}

/** The result of a plugin, whose type contains its routes. */
export type ResultOfPlugin<PluginArgument> = ReturnType<FunctionOf<PluginArgument>>;

/** The options of a plugin; `Empty` if it has none. */
type OptionsOf<PluginArgument> = NotInferredYet extends PluginArgument
  ? Empty
  : [FunctionOf<PluginArgument>] extends [never]
    ? Record<string, unknown>
    : Parameters<FunctionOf<PluginArgument>>[1] extends infer Options extends object
      ? Options
      : Empty;

// ------------------------------------------------------------------------------------------------ what register takes

/**
 * The type of the argument `plugin` of `register`. While the compiler infers its type, this is the type of a function that is written in
 * the call, with the context `In`. Afterwards, the plugin is compared with the context that registers it, `Self`.
 *
 * There is one signature for all plugins. With several, the compiler would first report that no overload matches.
 */
export type RegisteredPlugin<In, Self, PluginArgument, Options> =
  NotInferredYet extends NoInfer<PluginArgument>
    ? Plugin<InlineOptions<NoInfer<Options>>, In, unknown>
    : [FunctionOf<PluginArgument>] extends [never]
      ? [PluginArgument] extends [never]
        ? PluginArgument
        : Plugin<Empty, In, unknown>
      : ChildOf<Self> extends RequiredContext<PluginArgument>
        ? Empty extends OptionsOf<PluginArgument>
          ? PluginArgument
          : [Options] extends [never]
            ? OptionsMissing<OptionsOf<PluginArgument>>
            : PluginArgument
        : NeedsUnmet<UnmetNeeds<RequiredContext<PluginArgument>, Self>>;

/** The options of a function that is written in the call without a type for its options: the options of the call. */
type InlineOptions<Options> = [Options] extends [never]
  ? Record<string, unknown>
  : Options extends AnyFunction
    ? ReturnType<Options>
    : Options;
type AnyFunction = (...args: never) => unknown;

/** The context type that a plugin needs; `unknown` if the plugin is typed for the facade or for Fastify. */
type RequiredContext<PluginArgument> = Parameters<FunctionOf<PluginArgument>>[0] extends infer InContext
  ? '~types' extends keyof InContext
    ? InContext
    : unknown
  : unknown;

/** The context of a plugin: it inherits everything from the context in which the plugin is registered, except the routes. */
type ChildOf<Self> = Self extends { readonly '~types'?: infer Types extends ContextTypes }
  ? Omit<Self, '~types'> & { readonly '~types'?: Inherited<Types> }
  : Self;
export type TypesOf<In> = In extends { readonly '~types'?: infer Types extends ContextTypes }
  ? Types
  : ContextTypes;

/**
 * The type of the argument `options` of `register`. `Options` is the inferred type of the argument, of which only the kind matters here: an
 * object, a function, or nothing. Until the compiler has inferred the plugin, no option is required, because it infers a function in the
 * call last.
 */
export type RegisteredOptions<Parent, PluginArgument, Options> = NotInferredYet extends PluginArgument
  ? Options | CallOptions<PluginArgument, Empty> | ((parent: Parent) => CallOptions<PluginArgument, Empty>)
  : [Options] extends [never]
    ? CallOptions<PluginArgument, Empty> | ((parent: Parent) => CallOptions<PluginArgument, Empty>)
    : Options extends AnyFunction
      ? (parent: Parent) => CallOptions<PluginArgument, ReturnType<Options>>
      : CallOptions<PluginArgument, Options>;

/** Rejects names that are similar to a known name, because the compiler accepts any name if the plugin takes any option. */
type CallOptions<PluginArgument, Options> = RegisterOptions &
  OptionsOf<PluginArgument> &
  RejectMisspelled<keyof Options & keyof OptionsOf<PluginArgument>, keyof RegisterOptions>;
