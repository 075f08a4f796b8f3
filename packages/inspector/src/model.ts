/** The model of an application that `inspect` returns, and of a request. `model-schema.ts` has its JSON Schema. Ids are indexes into lists. */
import type { ErrorReport, LoggedLine } from '@ambit/readable';
import type { DefinitionKind, StepPath } from 'ambit';

/** An application after boot. */
export interface Inspection {
  /** The version of the model. It changes if a field is removed or gets another meaning. */
  readonly version: 1;
  /** The framework that serves the application: Ambit, or the facade. */
  readonly framework: { readonly name: string; readonly version: string };
  /** The version of Node. */
  readonly node: string;
  /** The working directory, so that files can be shown relative to it. */
  readonly folder: string;
  /** The time from the first call of a plugin until the end of the last plugin and listener of `after`, in milliseconds. */
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
  /** The names of the contexts from the root to this one. */
  readonly path: string;
  /** The prefix of its routes, with those of its ancestors. */
  readonly prefix: string;
  /** The plugins that fill it: the one that opened it, then those hoisted into it. */
  readonly plugins: readonly number[];
  /** Its own definitions, in the order of the calls. */
  readonly definitions: readonly DefinitionModel[];
  /** Whether the framework or a tool of Ambit opened it, or a context above: that of the probes, of the command, … */
  readonly isOwn: boolean;
}

/** Something that a context defines. */
export interface DefinitionModel {
  /** The kind of the definition: a decorator, a hook, a schema, … */
  readonly kind: DefinitionKind;
  /** The name of a decorator, a hook or a setting; the media type of a parser; empty for a schema. */
  readonly name: string;
  /** A short description of the value. Strings and the content of objects are left out, because they may be secrets. */
  readonly value: string;
  /** `file:line:column`; `null` if the stack does not contain it, or if the definition was made before this package was imported. */
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
  /** Whether it belongs to a tool of Ambit: the documentation, the command, … */
  readonly isOwn: boolean;
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
  /** `file:line:column` of the call of `register`; `null` if the stack does not contain it. */
  readonly file: string | null;
  /** When it was called. */
  readonly startMs: number;
  /** When its function ended. */
  readonly endMs: number;
  /** The part of the time from `startMs` to `endMs` in which the process had nothing to do: it waited for something outside. */
  readonly idleMs: number;
  /** When everything that it registered had loaded. */
  readonly loadedMs: number;
}

/** A listener of `after` that ran at boot. Times are in milliseconds since the first plugin, or listener of `after`, was called. */
export interface AfterListenerModel {
  /** The name of the function, or the line that added it. */
  readonly name: string;
  /** The context whose `after` was called. */
  readonly context: number;
  /** The plugin whose code added it; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** `file:line:column` of the call of `after`; `null` if the stack does not contain it. */
  readonly file: string | null;
  /** When it was called. */
  readonly startMs: number;
  /** When it ended. */
  readonly endMs: number;
  /** The part of that time in which the process had nothing to do: it waited for something outside. */
  readonly idleMs: number;
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
  /** Its constraints as JSON; `null` without any. */
  readonly constraints: string | null;
  /** Whether the framework added it: the HEAD route of a GET route. */
  readonly isAutomatic: boolean;
  /** Whether the framework or a tool of Ambit declared it: an automatic HEAD route, a probe, the documentation, … */
  readonly isOwn: boolean;
  /** The name of its handler; `null` if it has none of its own. Show `file` then. */
  readonly handler: string | null;
  /** The parts that have a schema: `body`, `querystring`, `response 200`. */
  readonly schemas: readonly string[];
  /** `file:line:column` of the declaration; `null` if the stack does not contain it. */
  readonly file: string | null;
  /** The plugin whose code declared it; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** Its list of steps. */
  readonly steps: number;
}

/** A step. */
export interface StepModel {
  /** When it runs: before the handler, for the reply, after a failure, or for another event. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** `onRequest`, `handler`, `validate`, … */
  readonly name: string;
  /** The name of the function that it calls; `null` for the framework's own work, and without a name of its own. Show `file` then. */
  readonly function: string | null;
  /** Whether the function belongs to a tool of Ambit, or to an automatic HEAD route. It is `false` for the framework's own work. */
  readonly isOwn: boolean;
  /** Why it runs: added to a context, declared with the route, added by an `onRoute` hook, or the framework's own. */
  readonly from: 'context' | 'route' | 'onRoute' | 'framework';
  /** The context that declared the function. */
  readonly context: number | null;
  /** The plugin whose code declared the function; `null` for the code of the application itself. */
  readonly plugin: number | null;
  /** `file:line:column` of the declaration; `null` if it is not known, and for the framework's own steps. */
  readonly file: string | null;
}

/** A request, from its first step on. Times are in milliseconds. */
export interface RequestModel {
  /** The number of the request, from 1. Under `ambit dev`, those of the processes before count up to -1. */
  readonly number: number;
  /** When the inspector began that recorded it, in milliseconds since 1970: another time for requests from before a restart. */
  readonly startedAt: number;
  /** The id of the request, as in the log. */
  readonly id: string;
  /** The method. */
  readonly method: string;
  /** The URL as the client sent it, redacted. */
  readonly url: string;
  /** The route; `null` without one. */
  readonly route: number | null;
  /** The status of the response; 0 while it runs, or if there was none. */
  readonly status: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The time until the response was handed to the operating system; until now, while it runs. */
  readonly ms: number;
  /** The headers of the request, redacted. */
  readonly headers: { readonly [name: string]: string };
  /** The steps that have begun, in order. */
  readonly steps: readonly RanStep[];
  /** Whether the response was handed to the operating system. If not, the request runs, the client left or the response failed. */
  readonly isFinished: boolean;
  /** `running` until the response has ended. `left`: the client closed the connection before. `broken`: the response failed. */
  readonly state: RequestState;
  /** Whether the response is a stream of events or items, that a client may leave at any time: `left` is its normal end. */
  readonly isStream: boolean;
  /** What was thrown, or sent as an error, redacted; `null` without one. Very long texts and lists are cut. */
  readonly error: ErrorReport | null;
  /** The lines that the logger of the request has written, redacted: the first 100. Only those of pino are known. */
  readonly logs: readonly LoggedLine[];
  /** How many lines there were. */
  readonly logCount: number;
  /** The body of the request, redacted; `null` if the application did not parse one, if it is not text, or if it is larger than 16 KiB. */
  readonly body: RequestBody | null;
  /** The headers of the response, redacted; empty until it is written. */
  readonly responseHeaders: { readonly [name: string]: string };
  /** The bytes of the body of the response; `null` if unknown. */
  readonly bytes: number | null;
}

/** Whether and how a request has ended. */
export type RequestState = 'running' | 'finished' | 'left' | 'broken';

/** A body as the application has parsed it. */
export interface RequestBody {
  /** The header `content-type`; empty without one. */
  readonly type: string;
  /** JSON, if it was parsed to a value; otherwise the text. */
  readonly text: string;
  /** Whether something was left out, so that the text is not what the client has sent. */
  readonly isRedacted: boolean;
}

/** What the process used in one second. */
export interface ProcessSample {
  /** The end of the second, in milliseconds since 1970. */
  readonly at: number;
  /** The longest delay of the event loop, in milliseconds; `null` if the runtime does not measure it. */
  readonly delayMs: number | null;
  /** The resident memory of the process, in bytes. */
  readonly rss: number;
  /** The used heap, in bytes. */
  readonly heapUsed: number;
  /** The processor time, as a share of one core: 1.5 is one and a half cores. */
  readonly cpuShare: number;
  /** How many requests were running at its end. */
  readonly running: number;
}

/** A step that ran. */
export interface RanStep {
  /** The path of the step. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** `onRequest`, `handler`, `validate`, … */
  readonly name: string;
  /** The name of the function that it called; `null` for the framework's own work, and without a name of its own. Show `file` then. */
  readonly function: string | null;
  /** `file:line:column` of the declaration; `null` as in the steps of the model, and if the request has no route. */
  readonly file: string | null;
  /** The time from the beginning of the request to the beginning of the step. */
  readonly startMs: number;
  /** The time until the next step began, or the response ended. */
  readonly ms: number;
}

/** The result of `inspectRoute`: the schemas of a route, and the changes by its serializers so far. */
export interface RouteInspection {
  /** The index of the route in `routes`. */
  readonly id: number;
  /** The schemas of the route, those of the request first. */
  readonly schemas: readonly SchemaModel[];
  /** Empty unless `inspector` is registered. */
  readonly changes: readonly ChangeModel[];
  /** The shared schemas that the context of the route sees, by `$id`. */
  readonly shared: { readonly [id: string]: unknown };
}

/** A schema of a route. */
export interface SchemaModel {
  /** The part of the request, or the response. */
  readonly part: 'body' | 'params' | 'querystring' | 'headers' | 'response';
  /** The key of a response schema. */
  readonly status: string | null;
  /** The media type, if the schema belongs to one. */
  readonly contentType: string | null;
  /** As the route declares it. A value that JSON cannot express is a text in square brackets. */
  readonly declared: unknown;
  /**
   * As it was compiled: short forms are expanded, references to shared schemas are replaced with these schemas, and schemas of other
   * libraries are JSON Schema. A recursive reference is a JSON Pointer into this schema: `#/properties/child`.
   */
  readonly resolved: unknown;
  /** The code that validates or serializes the part; `null` if another library does. */
  readonly code: string | null;
}

/** A change that a serializer made in a value. */
export interface ChangeModel {
  /** The key of the response schema; `null` for a schema that a handler compiled. */
  readonly status: string | null;
  /** `dropped`: an undeclared property was left out. `coerced`: a value was converted. `missing`: a required property was missing. */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer of the value. */
  readonly path: string;
  /** The change in words. */
  readonly message: string;
}
