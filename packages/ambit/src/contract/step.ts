/** The steps that a plan is made of: hooks and error handlers of the application, and the framework's own work. */
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHookName } from './hooks.ts';
import type { Origin } from './inspection.ts';

/** The name of a step: of a kind of hook, of error handlers, or of the framework's own work. */
export type StepName =
  | Exclude<RequestHookName, 'onResponse' | 'onTimeout' | 'onRequestAbort'>
  | 'errorHandler'
  | 'admit'
  | 'pauseAdmission'
  | 'readBody'
  | 'resumeAdmission'
  | 'validate'
  | 'handler'
  | 'serialize'
  | 'endAdmission'
  | 'write'
  | 'defaultErrorReply'
  | 'lastErrorReply';

/** A function of the application that a step calls, prepared at boot. */
export interface AppFunction {
  /** The function as it was declared. */
  readonly declared: (...args: never[]) => unknown;
  /** The context that declared it, or that declared its route. */
  readonly context: Context;
  /** Whether it was declared with the route, and not added to a context. */
  readonly belongsToRoute: boolean;
  /** Who declared it; `undefined` for functions of a route, and of the framework. */
  readonly origin: Origin | undefined;
  /** The context of the route: `this` in the function, which is not bound for the same reason as `Plan.handler`. */
  readonly self: Context;
  /** Whether it is an `async` function: then only its promise says that it has ended. */
  readonly isAsync: boolean;
}

/**
 * Runs a step. Returns true if the step has ended and the next one may run at once. Returns false if the step was the last of its path, if
 * it waits, or if it has already continued with the next steps.
 */
export type RunStep = (x: Exchange, step: Step) => boolean;

/** One step of a path. */
export interface Step {
  readonly name: StepName;
  readonly run: RunStep;
  /** `undefined` if the step is the framework's own work. */
  readonly app: AppFunction | undefined;
}

/** A hook that observes a request: it runs in addition to the steps, and does not change the response. */
export interface Observer {
  readonly name: RequestHookName;
  /** Calls the hook with the arguments of its kind. */
  readonly call: (x: Exchange, app: AppFunction, done: (error?: unknown) => void) => unknown;
  readonly app: AppFunction;
}

/** The steps of one plan. Each path is a flat list of only the steps that the route needs; `runtime/lifecycle.ts` has all of them. */
export interface PlanSteps {
  /** Runs after routing, and ends with the handler. */
  readonly request: readonly Step[];
  /** Runs for a payload, and ends with writing it to the wire. */
  readonly reply: readonly Step[];
  /** The index in `reply` for a payload without `preSerialization` hooks. */
  readonly serializeAt: number;
  /** The index in `reply` for a payload that is already text, bytes or a stream. */
  readonly deliverAt: number;
  /** Runs for an error, and ends with an error reply. */
  readonly failure: readonly Step[];
  /** The index in `failure` of the framework's own error reply, which follows the error handlers. */
  readonly defaultReplyAt: number;
  /** The index in `failure` of the last error reply, which is used when the framework's own error reply fails as well. */
  readonly lastReplyAt: number;
  /** These hooks run one after the other when the response has ended. */
  readonly onResponse: readonly Observer[];
  /** These hooks run when the socket has timed out. */
  readonly onTimeout: readonly Observer[];
  /** These hooks run when the client left before its response ended. */
  readonly onRequestAbort: readonly Observer[];
}
