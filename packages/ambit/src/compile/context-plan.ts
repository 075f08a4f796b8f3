/** Compiles what all plans of one context share: classes, steps, parsers, loggers. */

import { type ContextNode, errorFormatOf } from '../context/context-node.ts';
import type { Plan } from '../contract/plan.ts';
import type { AppSteps } from '../runtime/lifecycle.ts';
import { Gate } from '../runtime/overload/gate.ts';
import { makeErrorFormatter } from '../schemas/validation/validation-message.ts';
import { ContextSteps } from './context-steps.ts';
import { buildClasses } from './instance-classes.ts';

/** The fields of a plan that are the context's own. */
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
  /** What counts the requests of its routes; `undefined` without overload protection. */
  readonly gate: Gate | undefined;
}

/** Compiles one context. Its parent must be compiled already. */
export function compileContext(node: ContextNode, parent: ContextPlan | undefined): ContextPlan {
  return {
    node,
    steps: new ContextSteps(node, node.servesProbes ? undefined : parent?.steps),
    shared: shareFields(node, parent),
    gate: gateOf(node, parent),
  };
}

/** The context's own, or that of the nearest ancestor that has set one. Probes are never refused. */
function gateOf(node: ContextNode, parent: ContextPlan | undefined): Gate | undefined {
  const { overload } = node.settings;
  if (node.servesProbes) return undefined;
  if (overload === undefined) return parent?.gate;
  if (overload === false) return undefined;
  const gate = new Gate(overload);
  node.app.boot.onClose(node.app.root, () => gate.stop());
  return gate;
}

function shareFields(node: ContextNode, parent: ContextPlan | undefined): SharedFields {
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
    // A log controller of the application may do more than write lines.
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

/** Whether the end of a response must be noticed: for a log line, for hooks, or to remove listeners from the socket. */
export function tracksCompletion(
  { app, servesProbes }: ContextNode,
  { onResponse, onTimeout }: AppSteps,
): boolean {
  return (app.hasLogger && !servesProbes) || onResponse.length > 0 || onTimeout.length > 0;
}
