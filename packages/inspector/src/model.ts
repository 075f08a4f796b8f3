/** The model of an application, as `inspect` returns it. `model-schema.ts` has the same in JSON Schema. Ids are indexes into the lists. */
import type { DefinitionKind, StepPath } from 'ambit';

/** An application after boot. */
export interface Inspection {
  /** The version of the model. It changes if a field is removed or gets another meaning. */
  readonly version: 1;
  /** Who serves the application. */
  readonly framework: { readonly name: string; readonly version: string };
  /** The version of Node. */
  readonly node: string;
  /** The working directory, so that files can be shown relative to it. */
  readonly folder: string;
  /** From the first call of a plugin until the last plugin, and the last listener of `after`, was done, in milliseconds. */
  readonly bootMs: number;
  /** Parents first. The first is the root. */
  readonly contexts: readonly ContextModel[];
  /** In the order in which they ran. */
  readonly plugins: readonly PluginModel[];
  /** In the order in which they ran. */
  readonly afterListeners: readonly AfterListenerModel[];
  /** In the order of the contexts, then of the declarations. */
  readonly routes: readonly RouteModel[];
  /** The steps of all routes, each once. */
  readonly steps: readonly StepModel[];
  /** Lists of steps, in the order in which they run. Routes that run the same steps share a list. */
  readonly stepLists: readonly (readonly number[])[];
}

/** A context. */
export interface ContextModel {
  /** Its index in `contexts`. */
  readonly id: number;
  /** `null` for the root. */
  readonly parent: number | null;
  /** The plugin that opened it, or the framework for the root. */
  readonly name: string;
  /** The names from the root to here. */
  readonly path: string;
  /** The prefix of its routes, with those of its ancestors. */
  readonly prefix: string;
  /** The plugins that fill it: the one that opened it, then those hoisted into it. */
  readonly plugins: readonly number[];
  /** What it defines itself, in the order of the calls. */
  readonly definitions: readonly DefinitionModel[];
}

/** Something that a context defines. */
export interface DefinitionModel {
  /** What was defined: a decorator, a hook, a schema, … */
  readonly kind: DefinitionKind;
  /** The name of a decorator, a hook or a setting; the media type of a parser; empty for a schema. */
  readonly name: string;
  /** The value in a few words. Texts and the content of objects are left out: they may be secrets. */
  readonly value: string;
  /** `file:line:column`; `null` where the stack does not say, or if it was made before this package was imported. */
  readonly file: string | null;
  /** The plugin whose code defined it; `null` for the code of the application itself. */
  readonly plugin: number | null;
}

/** One call of `register`. Times are in milliseconds since the first plugin, or listener of `after`, was called. */
export interface PluginModel {
  /** Its index in `plugins`. */
  readonly id: number;
  /** Its name, or the line that registered it. */
  readonly name: string;
  /** Whether it fills the context that it was registered in. */
  readonly isHoisted: boolean;
  /** The context that it was registered in. */
  readonly parent: number;
  /** The context that it fills. */
  readonly context: number;
  /** The plugin that registered it; `null` for the code of the application itself. */
  readonly registeredBy: number | null;
  /** The plugin that had to load before; `null` if there was none. */
  readonly waitedFor: number | null;
  /** `file:line:column` of the call of `register`; `null` where the stack does not say. */
  readonly file: string | null;
  /** When it was called. */
  readonly startMs: number;
  /** When its function was done. */
  readonly endMs: number;
  /** When everything that it registered had loaded. */
  readonly loadedMs: number;
}

/** A listener of `after` that ran at boot. Times are in milliseconds since the first plugin, or listener of `after`, was called. */
export interface AfterListenerModel {
  /** The name of the function. */
  readonly name: string;
  /** The context whose `after` was called. */
  readonly context: number;
  /** The plugin whose code added it; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** `file:line:column` of the call of `after`; `null` where the stack does not say. */
  readonly file: string | null;
  /** When it was called. */
  readonly startMs: number;
  /** When it was done. */
  readonly endMs: number;
}

/** A route. */
export interface RouteModel {
  /** Its index in `routes`. */
  readonly id: number;
  /** The context that declared it. */
  readonly context: number;
  /** The methods that it serves. */
  readonly methods: readonly string[];
  /** The URL pattern, with the prefix. */
  readonly url: string;
  /** The constraints that it is declared with, as JSON; `null` without any. */
  readonly constraints: string | null;
  /** Whether the framework added it: the HEAD route of a GET route. */
  readonly isAutomatic: boolean;
  /** The name of its handler. */
  readonly handler: string;
  /** The parts that have a schema: `body`, `querystring`, `response 200`. */
  readonly schemas: readonly string[];
  /** `file:line:column` of the declaration; `null` where the stack does not say. */
  readonly file: string | null;
  /** The plugin whose code declared it; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** Its list of steps. */
  readonly steps: number;
}

/** A step. */
export interface StepModel {
  /** When it runs: before the handler, for the reply, after a failure, or beside these. */
  readonly path: StepPath;
  /** Its place in that path. */
  readonly index: number;
  /** `onRequest`, `handler`, `validate`, … */
  readonly name: string;
  /** The name of the function that it calls; `null` for the framework's own work. */
  readonly function: string | null;
  /** Why it runs: added to a context, declared with the route, put there by an `onRoute` hook, or the framework's own. */
  readonly from: 'context' | 'route' | 'onRoute' | 'framework';
  /** The context that declared the function. */
  readonly context: number | null;
  /** The plugin whose code declared the function; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** `file:line:column` of the declaration; `null` where it is not known, and for the framework's own steps. */
  readonly file: string | null;
}
