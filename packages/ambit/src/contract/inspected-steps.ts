/** What tools can read about the steps of a route, and about a request while it runs. */
import type { Context } from './context.ts';
import type { DeclaredBy } from './inspection.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { StepName } from './step.ts';

/**
 * A path of steps: `request` ends with the handler, `reply` begins with a payload, `failure` with an error. The others are kinds of hooks.
 */
export type StepPath = 'request' | 'reply' | 'failure' | 'onResponse' | 'onTimeout' | 'onRequestAbort';

/** A step of a route, as `listSteps` returns it. */
export interface RouteStep extends DeclaredBy {
  /** The path that it is a step of. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** The name of a hook, `errorHandler`, `handler`, or the framework's own work. */
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

/** A running step, as watchers of requests get it. There is one object for each step of each plan. */
export interface RunningStep {
  /** The path that it is a step of. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** The name of a hook, `errorHandler`, `handler`, or the framework's own work. */
  readonly name: RouteStep['name'];
  /** The function of the application that it calls; `undefined` for the framework's own work. */
  readonly function: RouteStep['function'];
}

/** Watches requests. Errors that its methods throw are ignored. */
export interface RequestWatcher {
  /**
   * A step begins. The previous step has ended, except if it is a handler that called `reply.send` and still runs.
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
