/** What `register` takes, and what it learns of it. Which context a plugin is given is for the context to say. */
import type { Done, Settled } from './callback.ts';
import type { ContextTypes } from './context-types.ts';
import type { Empty } from './empty.ts';
import type { MarkedPlugin, RegisterOptions } from './plugin.ts';

/** A function that fills a context: by callback, by promise, or synchronously with two arguments. */
export type FillFunction<Options, In, Result> = (context: In, options: Options, done: Done) => Result;

/** What `register` takes: a plugin, an ES module whose default export is one, or a promise of either. */
export type PluginOf<Options, In, Result> =
  | (FillFunction<Options, In, Result> & MarkedPlugin)
  | { default: FillFunction<Options, In, Result> & MarkedPlugin }
  | PromiseLike<
      | { default: FillFunction<Options, In, Result> & MarkedPlugin }
      | (FillFunction<Options, In, Result> & MarkedPlugin)
    >;

/** A plugin that fills the context it is registered in; `Added` is what that context gains, for the compiler only. */
export type HoistedPlugin<Options, In, Added extends ContextTypes> = FillFunction<Options, In, Settled> &
  MarkedPlugin & { readonly '~added': Added };

export type NotHoisted<Fill> = Fill & { readonly '~added'?: never };

/** What a context gains by a hoisted plugin. */
export type Provides<Hoisted> = Hoisted extends { readonly '~added': infer Added extends ContextTypes }
  ? Added
  : ContextTypes;

/** What a plugin's result says of the context that it filled: the context itself, or a promise of it. */
export type FilledTypes<Result> = Result extends { readonly '~types'?: infer Types extends ContextTypes }
  ? Types
  : Result extends PromiseLike<{ readonly '~types'?: infer Types extends ContextTypes }>
    ? Types
    : ContextTypes;

type AnyFill = (context: never, options: never, done: never) => unknown;
/** The function of a plugin that comes as it is, in a module, or later. */
type FillOf<Given> = Given extends AnyFill
  ? Given
  : Given extends { default: infer Fill extends AnyFill }
    ? Fill
    : Given extends PromiseLike<infer Later>
      ? FillOf<Later>
      : never;

/** The options of a plugin. One that is written in the call has no types yet: nothing is known of them. */
export type OptionsOf<Given> = [Parameters<FillOf<Given>>[1]] extends [never]
  ? Empty
  : Parameters<FillOf<Given>>[1] extends infer Options extends object
    ? Options
    : Empty;

/**
 * What a plugin has to be for a context and options. One that is typed for another face of the framework, as those published for `fastify`
 * are, says itself which context it takes. These are the last signatures of `register`, and it is their errors that are shown: so they
 * ask the same of all other plugins as those before.
 */
export type HeldTo<In, Given, Options = OptionsOf<Given>> = Given extends AnyFill
  ? FillFunction<Options, ContextFor<In, Given>, unknown> & MarkedPlugin
  : PluginOf<Options, ContextFor<In, FillOf<Given>>, unknown>;

type ContextFor<In, Fill extends AnyFill> = [Parameters<Fill>[0]] extends [never]
  ? In
  : '~types' extends keyof Parameters<Fill>[0]
    ? In
    : Parameters<Fill>[0];

/** The options of a plugin, which may be left out where the plugin needs none. */
export type OptionsFor<Options, In> = Empty extends Options
  ? [options?: PluginOptions<Options, In>]
  : [options: PluginOptions<Options, In>];
export type PluginOptions<Options, In> =
  | (RegisterOptions & Options)
  | ((parent: In) => RegisterOptions & Options);
