/** The types of plugins: what `register` takes, and what the compiler learns from it. */
import type { Context } from './context.ts';
import type { ContextTypes, Inherited } from './context-types.ts';
import type { Done, Settled } from './hooks.ts';
import type { LogSerializers } from './logger.ts';
import type { RejectMisspelled } from './misspelled-names.ts';
import type { MarkedPlugin } from './plugin-metadata.ts';
import type { Empty } from './route-types.ts';
import type { NeedsUnmet, OptionsMissing, UnmetNeeds } from './unmet-needs.ts';

/** Options that `register` itself understands; the rest is the plugin's. */
export interface RegisterOptions {
  /** What the URL of every route in the plugin begins with. */
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

/** A plugin that fills the context it is registered in; `Added` is what that context gains, for the compiler only. */
export type HoistedPlugin<Options, In, Added extends ContextTypes> = PluginFunction<Options, In, Settled> &
  MarkedPlugin & { readonly '~added': Added };

/** What a context gains by a hoisted plugin. */
export type Provides<Hoisted> = Hoisted extends { readonly '~added': infer Added extends ContextTypes }
  ? Added
  : ContextTypes;

/** What a plugin's result says of the context that it filled: the context itself, or a promise of it. */
export type PluginResultTypes<Result> = Result extends {
  readonly '~types'?: infer Types extends ContextTypes;
}
  ? Types
  : Result extends PromiseLike<{ readonly '~types'?: infer Types extends ContextTypes }>
    ? Types
    : ContextTypes;

type AnyPluginFunction = (context: never, options: never, done: never) => unknown;
/** The function of a plugin that comes as it is, in a module, or later. */
type FunctionOf<Given> = Given extends AnyPluginFunction
  ? Given
  : Given extends { default: infer Fill extends AnyPluginFunction }
    ? Fill
    : Given extends PromiseLike<infer Later>
      ? FunctionOf<Later>
      : never;

/** Stands for the plugin of a call that the compiler has not looked at yet. `never` would stand for too much else. */
export interface NotInferredYet {
  readonly '~unseen': true;
}

/** What a plugin gives back, which tells its routes. */
export type ResultOfPlugin<Given> = ReturnType<FunctionOf<Given>>;

/** The options of a plugin; nothing is asked for by one that takes none. */
type OptionsOf<Given> = NotInferredYet extends Given
  ? Empty
  : [FunctionOf<Given>] extends [never]
    ? Record<string, unknown>
    : Parameters<FunctionOf<Given>>[1] extends infer Options extends object
      ? Options
      : Empty;

// ------------------------------------------------------------------------------------------------ what register takes

/**
 * The plugin of a call of `register`. While the compiler does not know its type, this is the type that a function in
 * the call gets, with the context `In`. Afterwards, the plugin is compared with the context that registers it, `Self`.
 *
 * There is one signature for all plugins. With several, the compiler would first report that no overload matches.
 */
export type RegisteredPlugin<In, Self, Given, Options> =
  NotInferredYet extends NoInfer<Given>
    ? Plugin<WrittenOptions<NoInfer<Options>>, In, unknown>
    : [FunctionOf<Given>] extends [never]
      ? [Given] extends [never]
        ? Given
        : Plugin<Empty, In, unknown>
      : ChildOf<Self> extends ContextAskedBy<Given>
        ? Empty extends OptionsOf<Given>
          ? Given
          : [Options] extends [never]
            ? OptionsMissing<OptionsOf<Given>>
            : Given
        : NeedsUnmet<UnmetNeeds<ContextAskedBy<Given>, Self>>;

/** The options of a function that is written in the call, and says nothing of them: those of the call. */
type WrittenOptions<Options> = [Options] extends [never]
  ? Record<string, unknown>
  : Options extends AnyCall
    ? ReturnType<Options>
    : Options;
type AnyCall = (...args: never) => unknown;

/** What a plugin asks of its context: nothing of ours if it is typed for the facade or for Fastify. */
type ContextAskedBy<Given> = Parameters<FunctionOf<Given>>[0] extends infer Asked
  ? '~types' extends keyof Asked
    ? Asked
    : unknown
  : unknown;

/** What a plugin finds in its context: all but the routes of the one that it is registered in. */
type ChildOf<Self> = Self extends { readonly '~types'?: infer Types extends ContextTypes }
  ? Omit<Self, '~types'> & { readonly '~types'?: Inherited<Types> }
  : Self;
export type TypesOf<In> = In extends { readonly '~types'?: infer Types extends ContextTypes }
  ? Types
  : ContextTypes;

/**
 * The options of a call of `register`. `Options` are those given, of which nothing but the kind counts. Until the compiler knows the
 * plugin, nothing is asked for: at a function that is written in the call it looks last.
 */
export type RegisteredOptions<Parent, Given, Options> = NotInferredYet extends Given
  ? Options | CallOptions<Given, Empty> | ((parent: Parent) => CallOptions<Given, Empty>)
  : [Options] extends [never]
    ? CallOptions<Given, Empty> | ((parent: Parent) => CallOptions<Given, Empty>)
    : Options extends AnyCall
      ? (parent: Parent) => CallOptions<Given, ReturnType<Options>>
      : CallOptions<Given, Options>;

/** If a plugin takes any option, the compiler accepts misspelled names: this finds those that are similar to a known name. */
type CallOptions<Given, Options> = RegisterOptions &
  OptionsOf<Given> &
  RejectMisspelled<keyof Options & keyof OptionsOf<Given>, keyof RegisterOptions>;
