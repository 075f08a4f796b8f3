/** What tools list of an application, and what they watch. */
import type { RequestDescription } from '@ambit/readable';
import type { CallSite } from '../shared/call-site.ts';
import type { Context } from './context.ts';
import type { ObserverName, StepName } from './plan.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Where something was declared: the line, and the step of boot to which the line belongs. */
export interface Origin {
  /** The line that called the framework; `undefined` if no tool had asked for call sites. */
  readonly site: CallSite | undefined;
  /** The step of boot; its `owner` is the call of `register` whose code ran. */
  readonly step: { readonly owner: object | undefined };
}

/** The kinds of definitions in a context. */
export type DefinitionKind =
  | ('decorator' | 'requestDecorator' | 'replyDecorator' | 'hook' | 'schema' | 'parser' | 'removedParser')
  | ('errorHandler' | 'notFoundHandler' | 'compiler' | 'setting' | 'readinessCheck' | 'constraintStrategy');

/** Who declared something. */
export interface DeclaredBy {
  /** `file:line:column` of the code that called the framework; `undefined` if unknown, or before `recordDeclarationSites`. */
  readonly file: string | undefined;
  /** The plugin whose code that is; `undefined` for the code of the application itself. */
  readonly plugin: RegisteredPlugin | undefined;
}

/** A function of the application that boot has called. */
interface RanAtBoot {
  /** The function. */
  readonly function: (...args: never[]) => unknown;
  /** When it was called, on the clock of `performance.now()`. */
  readonly startedAtMs: number;
  /** When it was done: it had returned, its promise was resolved, or it had called `done`. */
  readonly endedAtMs: number;
  /** For how many milliseconds of that time the event loop had nothing to do. 0 on runtimes that do not measure it. */
  readonly idleMs: number;
}

/** One call of `register`, as `listPlugins` returns it. The same object stands for the same call everywhere. */
export interface RegisteredPlugin extends RanAtBoot {
  /** Its name, or the line that registered it. */
  readonly name: string;
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
  /** When everything that it registered had loaded, too. */
  readonly loadedAtMs: number;
}

/** A listener of `after`, as `listAfterListeners` returns it. */
export interface RanAfterListener extends DeclaredBy, RanAtBoot {
  /** The context whose `after` was called. */
  readonly context: Context;
}

/** Something that a context defines. */
export interface ContextDefinition extends DeclaredBy {
  /** The kind of definition. */
  readonly kind: DefinitionKind;
  /** The name of a decorator, a hook, a setting, a readiness check or a constraint strategy; the media type of a parser; the prefix of a not-found handler; empty for a schema. */
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

/** A path of steps: `request` ends with the handler, `reply` begins with a payload, `failure` with an error. Others are hooks. */
export type StepPath = 'request' | 'reply' | 'failure' | ObserverName;

/** A running step, as watchers of requests get it. There is one object for each step of each plan. */
export interface RunningStep {
  /** The path that it is a step of. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** The name of a hook, `errorHandler`, `handler`, or the framework's own work. */
  readonly name: StepName | ObserverName;
  /** The function of the application that it calls; `undefined` for the framework's own work. */
  readonly function: ((...args: never[]) => unknown) | undefined;
}

/** A step of a route, as `listSteps` returns it. */
export interface RouteStep extends DeclaredBy, RunningStep {
  /** The context that declared the function. */
  readonly context: Context | undefined;
  /** Why it runs: it was added to a context, declared with the route, put there by an `onRoute` hook, or is the framework's own. */
  readonly from: 'context' | 'route' | 'onRoute' | 'framework';
}

/** Watches requests. Errors that its methods throw are ignored. */
export interface RequestWatcher {
  /**
   * A step begins. The previous one has ended, except a handler that called `send`.
   * @param request The request.
   * @param step The step.
   * @param reply The reply.
   */
  onStep(request: Request, step: RunningStep, reply: Reply): void;
  /**
   * The request has failed. It goes on with the path `failure`, unless the head was sent. It may be called twice with one error.
   * @param request The request.
   * @param error What was thrown, or sent as an error.
   */
  onError?(request: Request, error: unknown): void;
  /**
   * The response was handed to the system, or failed.
   * @param request The request.
   * @param reply The reply.
   * @param error Why it failed.
   */
  onEnd?(request: Request, reply: Reply, error?: Error): void;
  /**
   * The client left before its response was complete.
   * @param request The request.
   * @param reply The reply.
   */
  onAbort?(request: Request, reply: Reply): void;
  /**
   * What the page of an error shows of a request.
   * @param request The request.
   */
  describe?(request: Request): RequestDescription;
}

/** A change that a serializer made in a value. */
export interface SerializationChange {
  /** The method of the route. */
  readonly method: string;
  /** The URL pattern of the route. */
  readonly url: string;
  /** The key of the response schema: `200`, `2xx`; `undefined` for a schema that a handler compiled itself. */
  readonly status: string | undefined;
  /** The media type, if the schema belongs to one. */
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
  /** The media type, if the schema belongs to one. */
  readonly contentType: string | undefined;
  /** The schema as the route declares it. */
  readonly declared: unknown;
  /** The schema as it was compiled: short forms in full. */
  readonly resolved: unknown;
  /** The generated code of the part; `undefined` if another library validates or serializes it, or if it is not available. */
  readonly code: string | undefined;
}

/** Wraps a step, for example in an OpenTelemetry context. It must call `run` once, before it returns; otherwise the framework does. */
export type StepRunner = (step: RunningStep, run: () => void) => void;

/** One request, from the event `start` to the event `asyncEnd` of the tracing channel `ambit.request`: the same object in each event. */
export interface RequestTrace {
  /** The request. */
  readonly request: Request;
  /** Its reply. */
  readonly reply: Reply;
  /** The pattern of the route that the request was routed to, for example `/users/:id`; `undefined` if it matches no route. */
  readonly route: string | undefined;
  /** The version of HTTP: `1.0`, `1.1` or `2.0`; `undefined` if the runtime does not provide it. */
  readonly httpVersion: string | undefined;
  /** The last error that the request has failed with; `undefined` before the first one. */
  readonly error: unknown;
  /** `running` until `asyncStart`; then `complete` if all was handed to the system, or `incomplete` if the connection ended before. */
  readonly state: 'running' | 'complete' | 'incomplete';
  /** Whether the head of the response was written. From then on, its status cannot change. */
  readonly isHeadWritten: boolean;
  /** Reads one header of the request, without creating the object of all headers. @param name The name in lower case. */
  header(name: string): string | string[] | undefined;
  /** Wraps each step of the request, from `start` on; the first runner is the outermost. @param runner Called for each step. */
  runStepsIn(runner: StepRunner): void;
}

/** One step of a request, in the events `start` and `asyncEnd` of the tracing channel `ambit.request.step`. */
export interface StepTrace {
  /** The request that the step is a part of. */
  readonly trace: RequestTrace;
  /** The request. */
  readonly request: Request;
  /** Its reply. */
  readonly reply: Reply;
  /** The step; the same object for each request of a route. */
  readonly step: RunningStep;
}
