/** Plugins: the arguments of `register`, what the compiler infers from them and says of what they lack, and their metadata. */
import type { Context } from './context.ts';
import type { ContextTypes, Inherited } from './context-types.ts';
import type { Done, Settled } from './hooks.ts';
import type { LogSerializers } from './logger.ts';
import type { Empty } from './route-types.ts';

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

/** A plugin that fills the context in which it is registered. `Added` are the types that it adds there, for the compiler alone. */
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

/** The type argument for a plugin that is not inferred yet. Not `never`, which also stands for other cases. */
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
type TypesOf<In> = In extends { readonly '~types'?: infer Types extends ContextTypes } ? Types : ContextTypes;

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

/** Names the options that must be passed to a plugin. */
export interface OptionsMissing<_Options> {
  readonly 'the options that it takes': never;
}

/** Names what a plugin needs and its context does not have. */
export interface NeedsUnmet<_Needs> {
  readonly 'a context with all that the plugin needs': never;
}

/** Compares what a plugin needs with the context. Needs are a bundle of types, or members: `Context & { db: Db }`. */
type UnmetNeeds<Needs, Available> =
  TypesOf<Available> extends TypesOf<Needs>
    ? {
        context: Needs extends unknown
          ? { [Name in Exclude<keyof Needs, keyof Available>]: Needs[Name] }
          : never;
      }
    : UnmetParts<TypesOf<Needs>, TypesOf<Available>>;

/** The needs of a plugin that are not met, for each part. The condition makes errors show the members instead of the name of this type. */
type UnmetParts<Needs extends ContextTypes, Available extends ContextTypes> = Needs extends unknown
  ? {
      [Part in keyof ContextTypes as Available[Part] extends Needs[Part] ? never : Part]: UnmetNames<
        Needs[Part],
        Available[Part]
      >;
    }
  : never;
type UnmetNames<Needs, Available> = Needs extends unknown
  ? {
      [Name in keyof Needs as Unmet<Needs, Available, Name>]: Name extends keyof Available
        ? [needed: Needs[Name], found: Available[Name]]
        : Needs[Name];
    }
  : never;
type Unmet<Needs, Available, Name extends keyof Needs> = Name extends keyof Available
  ? Available[Name] extends Needs[Name]
    ? never
    : Name
  : Name;

/** Rejects a name with one mistake in a known one: a letter missing, doubled or swapped with the next, or another case. */
type RejectMisspelled<Names extends PropertyKey, Known extends PropertyKey> = Names &
  TypoOf<Known & string> extends never
  ? unknown
  : { [Name in Names & TypoOf<Known & string>]: DidYouMean<IntendedName<Name, Known & string>> };

/** Tells which name was probably meant. */
export interface DidYouMean<_Name> {
  readonly [intendedName]: never;
}
declare const intendedName: unique symbol;
type IntendedName<Name, Known extends string> = Known extends string
  ? Name extends TypoOf<Known>
    ? Known
    : never
  : never;
type TypoOf<Known extends string> = Known extends string
  ? Exclude<TypoIn<Known, ''> | Lowercase<Known> | Uppercase<Known> | Capitalize<Known>, Known>
  : never;
type TypoIn<Rest extends string, Before extends string> = Rest extends `${infer Letter}${infer After}`
  ?
      | `${Before}${After}`
      | `${Before}${Letter}${Letter}${After}`
      | (After extends `${infer Next}${infer Tail}` ? `${Before}${Next}${Letter}${Tail}` : never)
      | TypoIn<After, `${Before}${Letter}`>
  : never;

/** Set on a plugin that fills its parent's context. */
export const hoistMarker: unique symbol = Symbol.for('skip-override');

/** The name that a plugin is shown under. */
export const displayNameMarker: unique symbol = Symbol.for('fastify.display-name');

/** Holds a plugin's metadata. */
export const metadataMarker: unique symbol = Symbol.for('plugin-meta');

/** What a plugin declares about itself. */
export interface PluginMetadata {
  /** The name of the plugin, by which others depend on it. */
  name?: string;
  /** Semver range of the Fastify API level that the plugin was written for. */
  fastify?: string;
  /** Names of plugins that must be registered before it. */
  dependencies?: readonly string[];
  /** Decorators that must exist where the plugin is registered. */
  decorators?: {
    fastify?: readonly (string | symbol)[];
    request?: readonly (string | symbol)[];
    reply?: readonly (string | symbol)[];
  };
}

/** A function that carries the markers. */
export interface MarkedPlugin {
  /** Whether the plugin fills the context that it is registered in. */
  [hoistMarker]?: boolean;
  /** The name that is shown for the plugin. */
  [displayNameMarker]?: string;
  /** What the plugin declares about itself. */
  [metadataMarker]?: PluginMetadata;
}
