/** What tools can ask about a booted application: its tree, its plugins, the steps of its routes, and its requests. */
import type { CallSite } from '../shared/call-site.ts';
import type { Context } from './context.ts';

/** Where something was declared: the line, and the step of boot to which the line belongs. */
export interface Origin {
  /** The line that called the framework; `undefined` if no tool had asked for call sites. */
  readonly site: CallSite | undefined;
  /** The step of boot; its `owner` is the call of `register` whose code ran. */
  readonly step: { readonly owner: object | undefined };
}

/** The kinds of definitions in a context. */
export type DefinitionKind =
  | 'decorator'
  | 'requestDecorator'
  | 'replyDecorator'
  | 'hook'
  | 'schema'
  | 'parser'
  | 'removedParser'
  | 'errorHandler'
  | 'notFoundHandler'
  | 'compiler'
  | 'setting';

/** Who declared something. */
export interface DeclaredBy {
  /**
   * `file:line:column` of the code that called the framework; `undefined` if the stack does not contain it, and for a definition or a hook
   * that was added before `recordDeclarationSites` was called.
   */
  readonly file: string | undefined;
  /** The plugin whose code that is; `undefined` for the code of the application itself. */
  readonly plugin: RegisteredPlugin | undefined;
}

/** One call of `register`, as `listPlugins` returns it. The same object stands for the same call everywhere. */
export interface RegisteredPlugin {
  /** Its name, or the line that registered it. */
  readonly name: string;
  /** The function. */
  readonly function: (...args: never[]) => unknown;
  /** Whether it fills the context that it was registered in. */
  readonly isHoisted: boolean;
  /** The context that it was registered in. */
  readonly parent: Context;
  /** The context that it fills. */
  readonly context: Context;
  /** The plugin whose code registered it; `undefined` for the code of the application itself. */
  readonly registeredBy: RegisteredPlugin | undefined;
  /** The plugin that had to load before this one could begin: the one registered before it by the same code. */
  readonly waitedFor: RegisteredPlugin | undefined;
  /** `file:line:column` of the call of `register`. */
  readonly file: string | undefined;
  /** When it was called, on the clock of `performance.now()`. */
  readonly startedAtMs: number;
  /** When the function was done: it had returned, its promise was resolved, or it had called `done`. */
  readonly endedAtMs: number;
  /** When everything that it registered had loaded, too. */
  readonly loadedAtMs: number;
}

/** A listener of `after`, as `listAfterListeners` returns it. */
export interface RanAfterListener extends DeclaredBy {
  /** The function. */
  readonly function: (...args: never[]) => unknown;
  /** The context whose `after` was called. */
  readonly context: Context;
  /** When it was called, on the clock of `performance.now()`. */
  readonly startedAtMs: number;
  /** When it was done: it had returned, its promise was resolved, or it had called `done`. */
  readonly endedAtMs: number;
}

/** Something that a context defines. */
export interface ContextDefinition extends DeclaredBy {
  /** The kind of definition. */
  readonly kind: DefinitionKind;
  /** The name of a decorator, a hook or a setting; the media type of a parser; the prefix of a not-found handler; empty for a schema. */
  readonly name: string | symbol;
  /** What was defined: the value of a decorator, the function of a hook, the schema. */
  readonly value: unknown;
}

/** A context, as `listContexts` returns it. */
export interface InspectedContext {
  /** The context itself. */
  readonly context: Context;
  /** `undefined` for the root. */
  readonly parent: Context | undefined;
  /** The plugin that opened it, or the framework for the root. */
  readonly name: string;
  /** The plugins from the root to here: `ambit > users > admin`. */
  readonly path: string;
  /** The prefix of its routes, with those of its ancestors. */
  readonly prefix: string;
  /** What it defines itself, in the order of the calls. */
  readonly definitions: readonly ContextDefinition[];
}
