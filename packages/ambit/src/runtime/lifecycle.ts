/**
 * The lifecycle of a request, as data: every step, in order. `compileSteps` compiles the steps of a plan from these lists, and
 * `run-steps.ts` runs them. The name of a hook stands for all hooks of that name, in the order in which they were added.
 */

import type { RequestHookName } from '../types/hooks.ts';
import type {
  AppFunction,
  Observer,
  ObserverName,
  PlanSteps,
  RunStep,
  Step,
  StepName,
} from '../types/plan.ts';
import { replyWithDefaultError, replyWithLastError } from './error-reply.ts';
import { preHandlerHook, runErrorHandler, runHandler } from './handler.ts';
import { readBody } from './read-body.ts';
import {
  callAbortHook,
  errorHook,
  hookRunner,
  payloadHook,
  preParsingHook,
  requestHook,
} from './run-steps.ts';
import { serialize, write } from './send.ts';
import { validate } from './validate.ts';

const lifecycle = {
  /** After routing. The handler ends the path: it has replied, or replies later. */
  request: [
    'admit',
    'onRequest',
    'preParsing',
    'pauseAdmission',
    'readBody',
    'resumeAdmission',
    'preValidation',
    'validate',
    'preHandler',
    'handler',
  ],

  /**
   * After `reply.send`, also of a hook or an error handler. Text with a serializer of its own begins at `serialize`; other text, bytes and
   * streams begin at `onSend`.
   */
  reply: ['preSerialization', 'serialize', 'onSend', 'endAdmission', 'write'],

  /**
   * After an error. An error handler ends the path, as the handler does: its payload takes the path `reply`. If an error handler fails, the
   * path continues with the next one, and after the last one with the default reply. If that fails, the path continues after its `write`.
   */
  failure: [
    'onError',
    'errorHandler',
    'defaultErrorReply',
    'onSend',
    'endAdmission',
    'write',
    'onError',
    'lastErrorReply',
  ],
} as const satisfies Record<string, readonly StepName[]>;

/** The steps that have run when a handler, or a `preHandler` hook, calls `callNotFound`. */
export const stepsBeforePreHandler: readonly StepName[] = lifecycle.request.slice(
  0,
  lifecycle.request.indexOf('preHandler'),
);

type AppStepName = Exclude<RequestHookName, ObserverName> | 'errorHandler';
type PlacedName = (typeof lifecycle)[keyof typeof lifecycle][number];
type FrameworkStepName = Exclude<PlacedName, AppStepName>;

/** The functions of the framework's own steps. */
const frameworkFunctions: Readonly<Record<FrameworkStepName, RunStep>> = {
  admit: (x) => x.plan.admission!.admit(x),
  pauseAdmission: (x) => x.plan.admission!.pause(x),
  readBody,
  resumeAdmission: (x) => x.plan.admission!.resume(x),
  validate,
  handler: runHandler,
  serialize,
  endAdmission: (x) => x.plan.admission!.leave(x),
  write,
  defaultErrorReply: replyWithDefaultError,
  lastErrorReply: replyWithLastError,
};

/**
 * The functions that run hooks and error handlers: a path has a step for each hook and each error handler. A hook without a place in the lists
 * would never run, so it is a type error here.
 */
const appFunctions: Readonly<Record<AppStepName & PlacedName, RunStep>> = {
  onRequest: hookRunner(requestHook),
  preParsing: hookRunner(preParsingHook),
  preValidation: hookRunner(requestHook),
  preHandler: hookRunner(preHandlerHook),
  preSerialization: hookRunner(payloadHook),
  onSend: hookRunner(payloadHook),
  onError: hookRunner(errorHook),
  errorHandler: runErrorHandler,
};

/** The hooks that observe a request: when the response has ended, when the socket has timed out, when the client has left. */
const observerCalls: Readonly<Record<ObserverName, Observer['call']>> = {
  onResponse: requestHook.call,
  onTimeout: requestHook.call,
  onRequestAbort: callAbortHook,
};

/** Which steps a route needs: if a request may have a body, if a part has a schema, and with overload protection. */
export type RouteNeeds = Readonly<Record<'readBody' | 'validate' | 'admit', boolean>>;

export const needsNothing: RouteNeeds = { readBody: false, validate: false, admit: false };

/** What a route must need for a step of the framework; the other steps are always there. */
const neededFor: Readonly<Partial<Record<StepName, readonly (keyof RouteNeeds)[]>>> = {
  admit: ['admit'],
  pauseAdmission: ['admit', 'readBody'],
  readBody: ['readBody'],
  resumeAdmission: ['admit', 'readBody'],
  validate: ['validate'],
  endAdmission: ['admit'],
};

/** The hooks and error handlers of a context or a route, as steps. */
export type AppSteps = Readonly<
  Record<AppStepName, readonly Step[]> & Record<ObserverName, readonly Observer[]>
>;

/** Creates the step, or the observer, of a hook or an error handler. */
export function makeAppStep<Name extends keyof AppSteps>(
  name: Name,
  app: AppFunction,
): AppSteps[Name][number] {
  const isObserver = Object.hasOwn(observerCalls, name);
  return isObserver
    ? { name: name as ObserverName, call: observerCalls[name as ObserverName], app }
    : ({ name: name as AppStepName, run: appFunctions[name as AppStepName], app } as const);
}

/** The framework's own steps, which all plans share. */
const frameworkSteps = Object.fromEntries(
  Object.entries(frameworkFunctions).map(([name, run]) => [name, { name, run, app: undefined }]),
) as Readonly<Record<FrameworkStepName, Step>>;

/**
 * Compiles the steps of a plan: each list keeps the hooks that exist, and the framework's steps that the route needs.
 *
 * @param base Steps that were compiled for the same needs, and their functions. Paths that are equal are shared with it.
 */
export function compileSteps(
  app: AppSteps,
  needs: RouteNeeds,
  base?: { readonly app: AppSteps; readonly steps: PlanSteps },
): PlanSteps {
  const compile = (path: keyof typeof lifecycle): readonly Step[] => {
    const names: readonly StepName[] = lifecycle[path];
    if (base !== undefined && names.every((name) => find(base.app, name) === find(app, name)))
      return base.steps[path];
    return names.flatMap((name) => {
      const isNeeded = neededFor[name]?.every((need) => needs[need]) ?? true;
      return find(app, name) ?? (isNeeded ? [frameworkSteps[name as FrameworkStepName]] : []);
    });
  };
  const { serialize, defaultErrorReply, write } = frameworkSteps;
  const reply = compile('reply');
  const failure = compile('failure');
  return Object.freeze({
    request: compile('request'),
    reply,
    serializeAt: reply.indexOf(serialize),
    deliverAt: reply.indexOf(serialize) + 1,
    failure,
    defaultReplyAt: failure.indexOf(defaultErrorReply),
    lastReplyAt: failure.lastIndexOf(write) + 1,
    onResponse: app.onResponse,
    onTimeout: app.onTimeout,
    onRequestAbort: app.onRequestAbort,
  });
}

function find(app: AppSteps, name: StepName): readonly Step[] | undefined {
  return app[name as AppStepName];
}
