/** Compiles the values that all plans of one context share: classes, steps, parsers, loggers. */

import type { ContextNode } from '../context/context-node.ts';
import type { RouteContextSettings } from '../context/routes/route-record.ts';
import { settingsOf } from '../context/routes/take-settings.ts';
import type { AppSteps } from '../runtime/lifecycle.ts';
import type { AdmissionController } from '../runtime/overload/admission-controller.ts';
import { makeErrorFormatter } from '../schemas/validation/validation-message.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { Plan } from '../types/plan.ts';
import { ContextSteps } from './context-steps.ts';
import { buildClasses, type InstanceClasses } from './instance-classes.ts';

const loadController = lazyModule<typeof import('../runtime/overload/admission-controller.ts')>(() =>
  require('../runtime/overload/admission-controller.ts'),
);

/** The fields of a plan that come from its context. */
export type SharedFields = Pick<
  Plan,
  | 'context'
  | 'Request'
  | 'Reply'
  | 'findParser'
  | 'bodyMethods'
  | 'formatProblems'
  | 'partNames'
  | 'compileValidator'
  | 'compileSerializer'
  | 'replySerializer'
  | 'errorFormat'
  | 'makeRequestId'
  | 'log'
  | 'logWriter'
  | 'logsIncoming'
  | 'servesWhileClosing'
  | 'server'
>;

export interface ContextPlan {
  readonly node: ContextNode;
  /** What routes of this plan have taken of the settings of the context. */
  readonly settings: RouteContextSettings;
  readonly steps: ContextSteps;
  readonly shared: SharedFields;
  /** Counts the requests of its routes; `undefined` without overload protection. */
  readonly admissionController: AdmissionController | undefined;
}

/** The plans of the contexts that are compiled already. */
export type ContextPlans = ReadonlyMap<ContextNode, ContextPlan>;

/** Compiles one context with its last settings. Its ancestors must be compiled already. */
export function compileContext(node: ContextNode, compiled: ContextPlans): ContextPlan {
  const parent = node.parent && compiled.get(node.parent);
  const settings = settingsOf(node);
  return {
    node,
    settings,
    steps: new ContextSteps(node, settings, node.servesProbes ? undefined : parent?.steps),
    shared: makeSharedFields(node, settings, buildClasses(node, parent?.shared)),
    admissionController: admissionControllerOf(node, compiled),
  };
}

/** The plan of a context for routes that have taken other settings than its last ones. */
export function withSettings(
  plan: ContextPlan,
  settings: RouteContextSettings,
  compiled: ContextPlans,
): ContextPlan {
  const { node, shared } = plan;
  const parent = node.parent && compiled.get(node.parent);
  return {
    ...plan,
    settings,
    steps: new ContextSteps(node, settings, node.servesProbes ? undefined : parent?.steps),
    shared: makeSharedFields(node, settings, shared),
  };
}

/**
 * Returns the controller of the context itself, or of the nearest ancestor that had overload protection when the context was opened. Probes
 * are never refused.
 */
function admissionControllerOf(node: ContextNode, compiled: ContextPlans): AdmissionController | undefined {
  const { overload } = node.settings;
  if (node.servesProbes) return undefined;
  if (overload === undefined)
    return node.overloadFrom && compiled.get(node.overloadFrom)!.admissionController;
  if (overload === false) return undefined;
  const controller = new (loadController().AdmissionController)(overload);
  node.app.boot.onClose(node.app.root, () => controller.stop());
  return controller;
}

function makeSharedFields(
  node: ContextNode,
  { formatProblems, replySerializer, errorFormat }: RouteContextSettings,
  { Request, Reply }: InstanceClasses,
): SharedFields {
  const { app, methods, parsers, schemas } = node;
  const { compatibility, logWriter } = app;
  return {
    Request,
    Reply,
    context: node.api,
    findParser: (mediaType) => parsers.match(mediaType),
    bodyMethods: methods.withBody(),
    formatProblems: formatProblems ?? makeErrorFormatter(compatibility.validationVerb),
    partNames: {
      body: 'body',
      headers: 'headers',
      params: 'params',
      querystring: compatibility.queryContext,
    },
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: (request) => schemas.resolveValidator()(request),
    compileSerializer: (request) => schemas.resolveSerializer()(request),
    replySerializer: replySerializer ?? undefined,
    errorFormat: errorFormat ?? 'json',
    makeRequestId: requestIdMaker(node),
    log: app.log,
    logWriter,
    // A log controller of the application may do more than write lines, so it is called without a logger, too.
    logsIncoming: (app.hasLogger || logWriter.isCustom) && !node.servesProbes,
    servesWhileClosing: node.servesProbes,
    server: app.server,
  };
}

function requestIdMaker(node: ContextNode): Plan['makeRequestId'] {
  const { app } = node;
  const generate = node.setting('makeRequestId') as ((rawRequest: unknown) => string) | undefined;
  const make: Plan['makeRequestId'] =
    generate === undefined ? app.nextRequestNumber : (x) => generate(x.rawRequest);
  const header = app.options.requestIdHeader;
  if (header === false) return make;
  return (x) => (x.requestHeaders[header] as string) || make(x);
}

/** Whether the end of a response must be observed: for a log line, for hooks, or to remove listeners from the socket. */
export function tracksCompletion(
  { app, servesProbes }: ContextNode,
  { onResponse, onTimeout }: AppSteps,
): boolean {
  return (app.hasLogger && !servesProbes) || onResponse.length > 0 || onTimeout.length > 0;
}
