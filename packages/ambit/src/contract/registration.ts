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

export type AnyPlugin = (context: never, options: never, done: never) => unknown;
export type OptionsOf<Fill extends AnyPlugin> = Parameters<Fill>[1] extends infer Options extends object
  ? Options
  : Empty;

/**
 * Nothing, for a plugin that is typed for another face of the framework, as those published for `fastify` are; for one of ours the
 * context it has to take. A plugin that is written in the call has no types yet: it is left to the signatures before.
 */
export type HeldTo<In, Fill extends AnyPlugin> = [Parameters<Fill>[0]] extends [never]
  ? never
  : '~types' extends keyof Parameters<Fill>[0]
    ? FillFunction<OptionsOf<Fill>, In, unknown>
    : unknown;

/** The options of a plugin, which may be left out where the plugin needs none. */
export type OptionsFor<Options, In> = Empty extends Options
  ? [options?: PluginOptions<Options, In>]
  : [options: PluginOptions<Options, In>];
export type PluginOptions<Options, In> =
  | (RegisterOptions & Options)
  | ((parent: In) => RegisterOptions & Options);
