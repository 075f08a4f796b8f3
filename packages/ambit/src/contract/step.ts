/** The steps that a plan is made of: hooks and error handlers of the application, and the framework's own work. */
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHookName } from './hooks.ts';
import type { Origin } from './inspection.ts';

/** A kind of step: hooks of one name, error handlers, or work of the framework. */
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

/** A function of the application that a step calls, as boot prepares it. */
export interface AppFunction {
  /** The function as it was declared. */
  readonly declared: (...args: never[]) => unknown;
  /** The context that declared it; a route's own functions were declared with the route. */
  readonly context: Context;
  readonly isOfRoute: boolean;
  /** Who declared it; `undefined` for functions of a route, and of the framework. */
  readonly origin: Origin | undefined;
  /** The function to call: bound to the context of the route, which is its `this`. */
  readonly bound: (...args: never[]) => unknown;
  /** An `async` function settles by its promise, and by nothing else. */
  readonly isAsync: boolean;
}

/**
 * Runs a step. Returns true when the step is over and the next one may follow at once. Returns false when the step was the last
 * of its path, when it waits, or when it has gone on by itself.
 */
export type RunStep = (x: Exchange, step: Step) => boolean;

/** One step of a path. */
export interface Step {
  readonly name: StepName;
  readonly run: RunStep;
  /** `undefined` where the step is the framework's own work. */
  readonly app: AppFunction | undefined;
}

/** A hook that observes a request: it runs beside the steps, and changes nothing about the response. */
export interface Observer {
  readonly name: RequestHookName;
  /** Calls the hook with the arguments of its kind. */
  readonly call: (x: Exchange, app: AppFunction, done: (error?: unknown) => void) => unknown;
  readonly app: AppFunction;
}

/** The steps of one plan. Each path is a flat list of only the steps that the route needs; `runtime/lifecycle.ts` has all of them. */
export interface PlanSteps {
  /** From the router to the handler. */
  readonly request: readonly Step[];
  /** From a payload to the wire. */
  readonly reply: readonly Step[];
  /** Where in `reply` a payload begins that needs no `preSerialization` hooks. */
  readonly serializeAt: number;
  /** Where in `reply` a payload begins that is text, bytes or a stream already. */
  readonly deliverAt: number;
  /** From an error to the wire. */
  readonly failure: readonly Step[];
  /** Where in `failure` the framework's own error reply begins, which follows the error handlers. */
  readonly defaultReplyAt: number;
  /** Where in `failure` it goes on when that reply fails as well. */
  readonly lastReplyAt: number;
  /** Run one after the other when the response has ended. */
  readonly onResponse: readonly Observer[];
  /** Run when the socket has timed out. */
  readonly onTimeout: readonly Observer[];
  /** Run when the client has gone away before its response ended. */
  readonly onRequestAbort: readonly Observer[];
}
