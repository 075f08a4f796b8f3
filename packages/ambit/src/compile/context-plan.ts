/** Compiles what all plans of one context share: classes, hooks, error handlers, parsers, loggers. */

import type { ContextNode } from '../context/context-node.ts';
import { type AddedHook, type AnyHook, requestHookNames } from '../context/hook-table.ts';
import type { Context } from '../contract/context.ts';
import type { ErrorHandler } from '../contract/handlers.ts';
import type { RequestHookName } from '../contract/hooks.ts';
import type { BoundErrorHandler, Plan } from '../contract/plan.ts';
import { makeErrorFormatter } from '../schemas/validation/format-errors.ts';
import { buildClasses } from './instance-classes.ts';

export type BoundHooks = Pick<Plan, RequestHookName>;

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
  | 'makeRequestId'
  | 'log'
  | 'logLines'
  | 'logsIncoming'
  | 'server'
>;

/** The hooks that apply to a context, its ancestors' among them, in the order in which they were added. */
type AddedHooks = Readonly<Record<RequestHookName, readonly AddedHook[]>>;

export interface ContextPlan {
  readonly node: ContextNode;
  readonly added: AddedHooks;
  readonly hooks: BoundHooks;
  readonly errorHandlers: readonly BoundErrorHandler[];
  readonly shared: SharedFields;
}

/** Compiles one context; its parent's must be there already. */
export function compileContext(node: ContextNode, parent: ContextPlan | undefined): ContextPlan {
  const added = collectHooks(node, parent);
  return {
    node,
    added,
    hooks: bindHooks(node.api, (name) => added[name].map(({ hook }) => hook)),
    errorHandlers: boundErrorHandlers(node, parent),
    shared: shareFields(node, parent),
  };
}

function shareFields(node: ContextNode, parent: ContextPlan | undefined): SharedFields {
  const { app, methods, parsers, schemas } = node;
  const { compatibility, logLines } = app;
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
    // Looked up when called: an engine is made only where there is something to compile.
    compileValidator: (request) => schemas.resolveValidator()(request),
    compileSerializer: (request) => schemas.resolveSerializer()(request),
    replySerializer: node.setting('replySerializer'),
    makeRequestId: requestIdMaker(node),
    log: app.log,
    logLines,
    // A controller of the application's own may do more than log.
    logsIncoming: app.hasLogger || logLines.isCustom,
    server: app.server,
  };
}

/** From the parent's plan, and not from the tree: contexts may be nested thousands deep. */
function collectHooks({ hooks }: ContextNode, parent: ContextPlan | undefined): AddedHooks {
  const added = requestHookNames.map((name) => {
    const own = hooks.own(name);
    const outer = parent?.added[name] ?? [];
    return [name, own.length === 0 ? outer : [...outer, ...own].sort((a, b) => a.order - b.order)];
  });
  return Object.fromEntries(added) as AddedHooks;
}

/** The hooks of every phase, bound to a context. */
export function bindHooks(api: Context, hooksOf: (name: RequestHookName) => readonly AnyHook[]): BoundHooks {
  const bound = requestHookNames.map((name) => [name, hooksOf(name).map((hook) => hook.bind(api))]);
  return Object.fromEntries(bound) as BoundHooks;
}

/** The context's hooks, then a route's own. Phases to which it adds nothing share the context's array. */
export function addHooks(
  { hooks, node }: ContextPlan,
  own: Readonly<Partial<Record<RequestHookName, unknown>>>,
): BoundHooks {
  if (requestHookNames.every((name) => own[name] === undefined)) return hooks;
  const added = bindHooks(node.api, (name) => [(own[name] as AnyHook | AnyHook[] | undefined) ?? []].flat());
  const joined = requestHookNames.map((name) => [
    name,
    added[name].length === 0 ? hooks[name] : [...hooks[name], ...added[name]],
  ]);
  return Object.fromEntries(joined) as BoundHooks;
}

/** The error handlers of a context, with one of a route's own in front. */
export function addErrorHandler(
  { errorHandlers, node }: ContextPlan,
  own: ErrorHandler | undefined,
): Plan['errorHandlers'] {
  return own === undefined ? errorHandlers : [own.bind(node.api) as BoundErrorHandler, ...errorHandlers];
}

/** From the handler set last here outwards; the default one is the last of all. */
function boundErrorHandlers(
  node: ContextNode,
  parent: ContextPlan | undefined,
): readonly BoundErrorHandler[] {
  const outer = parent?.errorHandlers ?? [node.app.defaultErrorHandler as BoundErrorHandler];
  if (node.errorHandlers.length === 0) return outer;
  const own = node.errorHandlers.map((handler) => handler.bind(node.api) as BoundErrorHandler);
  return [...own.reverse(), ...outer];
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

/** Whether the end of a response is news to somebody: to a log, to hooks, or to what listens on the socket until then. */
export function tracksCompletion({ app }: ContextNode, { onResponse, onTimeout }: BoundHooks): boolean {
  return app.hasLogger || onResponse.length > 0 || onTimeout.length > 0;
}
