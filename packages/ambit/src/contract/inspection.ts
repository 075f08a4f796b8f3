/** What tools can ask about a booted application: its tree, its plugins, the steps of its routes, and its requests. */
import type { CallSite } from '../shared/call-site.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { StepName } from './step.ts';

/** The line that declared something, and the step of boot that the line belongs to. */
export interface Origin {
  /** Where the framework was called; `undefined` if no tool had asked for it. */
  readonly site: CallSite | undefined;
  /** The step of boot; its `owner` is the call of `register` whose code ran. */
  readonly step: { readonly owner: object | undefined };
}

/** What a context may define. */
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
   * `file:line:column` of the code that called the framework; `undefined` where the stack does not say, and for a definition or a hook that
   * was made before `recordDeclarationSites` was called.
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
  /** What was defined. */
  readonly kind: DefinitionKind;
  /** The name of a decorator, a hook or a setting; the media type of a parser; the prefix of a not-found handler; empty for a schema. */
  readonly name: string | symbol;
  /** What was given: the value of a decorator, the function of a hook, the schema. */
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

/** A path of steps: `request` ends with the handler, `reply` begins with a payload, `failure` with an error. The others run beside them. */
export type StepPath = 'request' | 'reply' | 'failure' | 'onResponse' | 'onTimeout' | 'onRequestAbort';

/** A step of a route, as `listSteps` returns it. */
export interface RouteStep extends DeclaredBy {
  /** The path that it is a step of. */
  readonly path: StepPath;
  /** Its place in that path. */
  readonly index: number;
  /** A kind of hook, `errorHandler`, `handler`, or the framework's own work. */
  readonly name: StepName | 'onResponse' | 'onTimeout' | 'onRequestAbort';
  /** The function of the application that it calls; `undefined` for the framework's own work. */
  readonly function: ((...args: never[]) => unknown) | undefined;
  /** The context that declared the function. */
  readonly context: Context | undefined;
  /**
   * Why it runs: the function was added to a context (`context`), declared with the route (`route`), put into the options of the
   * route by an `onRoute` hook (`onRoute`), or it is the framework's own (`framework`).
   */
  readonly from: 'context' | 'route' | 'onRoute' | 'framework';
}

/** A step that runs, as watchers of requests see it. There is one object for each step of each plan. */
export interface RunningStep {
  /** The path that it is a step of. */
  readonly path: StepPath;
  /** Its place in that path. */
  readonly index: number;
  /** A kind of hook, `errorHandler`, `handler`, or the framework's own work. */
  readonly name: RouteStep['name'];
  /** The function of the application that it calls; `undefined` for the framework's own work. */
  readonly function: RouteStep['function'];
}

/** Is told what happens to requests. What its methods throw is ignored. */
export interface RequestWatcher {
  /**
   * A step begins. The step before it is over, unless that one is a handler that has sent its reply by itself.
   *
   * @param request The request.
   * @param step The step.
   */
  onStep(request: Request, step: RunningStep): void;
  /**
   * The response was handed to the system, or failed.
   *
   * @param request The request.
   * @param reply The reply.
   */
  onEnd?(request: Request, reply: Reply): void;
  /**
   * The client left before its response was complete.
   *
   * @param request The request.
   * @param reply The reply.
   */
  onAbort?(request: Request, reply: Reply): void;
}

/** A change that a serializer made in a value. */
export interface SerializationChange {
  /** The method of the route. */
  readonly method: string;
  /** The URL pattern of the route. */
  readonly url: string;
  /** The key of the response schema: `200`, `2xx`; `undefined` for a schema that a handler compiled itself. */
  readonly status: string | undefined;
  /** The media type, where the schema belongs to one. */
  readonly contentType: string | undefined;
  /** `dropped`: an undeclared property was left out. `coerced`: a value was converted. `missing`: a required property was not there. */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer of the value (RFC 6901), empty for the whole value. Items of one array are reported once. */
  readonly path: string;
  /** The change in words. */
  readonly message: string;
  /** Whether nothing further is reported for this response schema: it has had 100 changes. */
  readonly isLast: boolean;
}

/** One compiled schema of a route, as `listCompiledSchemas` returns it. */
export interface CompiledSchemaInfo {
  /** `body`, `params`, `querystring`, `headers`, or `response`. */
  readonly part: 'body' | 'params' | 'querystring' | 'headers' | 'response';
  /** The key of a response schema: `200`, `2xx`, `default`. */
  readonly status: string | undefined;
  /** The media type, where the schema belongs to one. */
  readonly contentType: string | undefined;
  /** The schema as the route declares it. */
  readonly declared: unknown;
  /** The schema as it was compiled: short forms in full. */
  readonly resolved: unknown;
  /** The code that validates or writes the part; `undefined` where another library does, or the code cannot be told. */
  readonly code: string | undefined;
}
