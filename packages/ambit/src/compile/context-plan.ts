/** Compiles the values that all plans of one context share: classes, steps, parsers, loggers. */

import { type ContextNode, errorFormatOf } from '../context/context-node.ts';
import type { Plan } from '../contract/plan.ts';
import type { AppSteps } from '../runtime/lifecycle.ts';
import type { AdmissionController } from '../runtime/overload/admission-controller.ts';
import { makeErrorFormatter } from '../schemas/validation/validation-message.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { ContextSteps } from './context-steps.ts';
import { buildClasses } from './instance-classes.ts';

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
  readonly steps: ContextSteps;
  readonly shared: SharedFields;
  /** Counts the requests of its routes; `undefined` without overload protection. */
  readonly admissionController: AdmissionController | undefined;
}

/** Compiles one context. Its parent must be compiled already. */
export function compileContext(node: ContextNode, parent: ContextPlan | undefined): ContextPlan {
  return {
    node,
    steps: new ContextSteps(node, node.servesProbes ? undefined : parent?.steps),
    shared: makeSharedFields(node, parent),
    admissionController: admissionControllerOf(node, parent),
  };
}

/** Returns the controller of the context itself, or of the nearest ancestor with overload protection. Probes are never refused. */
function admissionControllerOf(
  node: ContextNode,
  parent: ContextPlan | undefined,
): AdmissionController | undefined {
  const { overload } = node.settings;
  if (node.servesProbes) return undefined;
  if (overload === undefined) return parent?.admissionController;
  if (overload === false) return undefined;
  const controller = new (loadController().AdmissionController)(overload);
  node.app.boot.onClose(node.app.root, () => controller.stop());
  return controller;
}

function makeSharedFields(node: ContextNode, parent: ContextPlan | undefined): SharedFields {
  const { app, methods, parsers, schemas } = node;
  const { compatibility, logWriter } = app;
  return {
    ...buildClasses(node, parent?.shared),
    context: node.api,
    findParser: (mediaType) => parsers.match(mediaType),
    bodyMethods: methods.withBody(),
    formatProblems: node.setting('formatProblems') ?? makeErrorFormatter(compatibility.validationVerb),
    partNames: {
      body: 'body',
      headers: 'headers',
      params: 'params',
      querystring: compatibility.queryContext,
    },
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: (request) => schemas.resolveValidator()(request),
    compileSerializer: (request) => schemas.resolveSerializer()(request),
    replySerializer: node.setting('replySerializer'),
    errorFormat: errorFormatOf(node),
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
