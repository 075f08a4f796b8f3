/**
 * The life of a request, as data: every step, in order. `compileSteps` makes the steps of a plan from these lists, and `run-steps.ts` runs
 * them. A hook in a list stands for all hooks of that name, in the order in which they were added.
 */
import type { RequestHookName } from '../contract/hooks.ts';
import type { AppFunction, Observer, PlanSteps, RunStep, Step, StepName } from '../contract/step.ts';
import { write } from './deliver.ts';
import { replyWithDefaultError, replyWithLastError, runErrorHandler } from './error-reply.ts';
import { callAbortHook } from './observe.ts';
import { admit, endAdmission, pauseAdmission, resumeAdmission } from './overload/admission-steps.ts';
import { readBody } from './read-body.ts';
import { preHandlerHook, runHandler } from './run-handler.ts';
import { errorHook, hookRunner, payloadHook, preParsingHook, requestHook } from './run-hook.ts';
import { serialize } from './send.ts';
import { validate } from './validate.ts';

const lifecycle = {
  /** From the router to the handler. The handler ends the path: it has replied, or replies later. */
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

  /** From `reply.send` to the wire. Text, bytes and streams begin at `onSend`. */
  reply: ['preSerialization', 'serialize', 'onSend', 'endAdmission', 'write'],

  /**
   * From an error to the wire. An error handler ends the path, as the handler does: what it sends takes the path of the reply. When an
   * error handler fails, the path goes on with the next one, and after the last with the default reply; when that fails, with what
   * follows its `write`.
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

/** What each step does. Those of the application run once for each hook or error handler. */
const runs: Readonly<Record<StepName, RunStep>> = {
  admit,
  onRequest: hookRunner(requestHook),
  preParsing: hookRunner(preParsingHook),
  pauseAdmission,
  readBody,
  resumeAdmission,
  preValidation: hookRunner(requestHook),
  validate,
  preHandler: hookRunner(preHandlerHook),
  handler: runHandler,
  preSerialization: hookRunner(payloadHook),
  serialize,
  onSend: hookRunner(payloadHook),
  endAdmission,
  write,
  onError: hookRunner(errorHook),
  errorHandler: runErrorHandler,
  defaultErrorReply: replyWithDefaultError,
  lastErrorReply: replyWithLastError,
};

/** What runs beside the steps: when the response has ended, when the socket has timed out, when the client has gone away. */
const observerCalls: Readonly<Record<ObserverName, Observer['call']>> = {
  onResponse: requestHook.call,
  onTimeout: requestHook.call,
  onRequestAbort: callAbortHook,
};

/** What a route needs of the steps that not every route has. */
export interface RouteNeeds {
  /** A request of one of its methods may have a body. */
  readonly readBody: boolean;
  /** A part of the request has a schema. */
  readonly validate: boolean;
  /** Its requests count for overload protection. */
  readonly admit: boolean;
}

export const needsNothing: RouteNeeds = { readBody: false, validate: false, admit: false };

/** The framework's own steps that not every plan has. */
function isNeeded(name: StepName, { readBody, validate, admit }: RouteNeeds): boolean {
  switch (name) {
    case 'readBody':
      return readBody;
    case 'validate':
      return validate;
    case 'admit':
    case 'endAdmission':
      return admit;
    case 'pauseAdmission':
    case 'resumeAdmission':
      return admit && readBody;
    default:
      return true;
  }
}

type ObserverName = 'onResponse' | 'onTimeout' | 'onRequestAbort';
type AppStepName = Exclude<RequestHookName, ObserverName> | 'errorHandler';

/** The hooks and error handlers of a context or a route, as steps. */
export type AppSteps = Readonly<
  Record<AppStepName, readonly Step[]> & Record<ObserverName, readonly Observer[]>
>;

/** Makes a step, or an observer, of a hook or an error handler. */
export function makeAppStep<Name extends keyof AppSteps>(
  name: Name,
  app: AppFunction,
): AppSteps[Name][number] {
  const isObserver = Object.hasOwn(observerCalls, name);
  return isObserver
    ? { name: name as ObserverName, call: observerCalls[name as ObserverName], app }
    : ({ name: name as AppStepName, run: runs[name as AppStepName], app } as const);
}

/** The framework's own steps, which all plans share. */
const frameworkSteps = Object.fromEntries(
  Object.entries(runs).map(([name, run]) => [name, { name, run, app: undefined }]),
) as Readonly<Record<StepName, Step>>;

/** Steps that are compiled already, and what they were compiled from. */
interface CompiledSteps {
  readonly app: AppSteps;
  readonly steps: PlanSteps;
}

/**
 * The steps of a plan: of each list those that are there, and that the route needs.
 *
 * @param base Compiled for the same needs: paths that are the same are shared with it.
 */
export function compileSteps(app: AppSteps, needs: RouteNeeds, base?: CompiledSteps): PlanSteps {
  const compile = (path: keyof typeof lifecycle): readonly Step[] => {
    const names: readonly StepName[] = lifecycle[path];
    if (base !== undefined && names.every((name) => find(base.app, name) === find(app, name)))
      return base.steps[path];
    return names.flatMap((name) => find(app, name) ?? (isNeeded(name, needs) ? [frameworkSteps[name]] : []));
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
