/** Compiles what all routes of one context share: classes, hooks, error handlers, loggers. */
import type { Context, RequestHookName } from '../contract/context.ts';
import type { BoundErrorHandler, Plan } from '../contract/exchange.ts';
import type { ContextNode } from '../context/context-node.ts';
import { type AnyHook, requestHookNames } from '../context/hook-table.ts';
import { buildClasses, type InstanceClasses } from './instance-classes.ts';

export type BoundHooks = Pick<Plan, RequestHookName>;

/** The part of a plan that is the context's, bound to it. */
export interface ContextPlan extends InstanceClasses {
  readonly node: ContextNode;
  readonly hooks: BoundHooks;
  readonly errorHandlers: readonly BoundErrorHandler[];
  readonly makeRequestId: Plan['makeRequestId'];
}

/** Compiles one context; its parent's must be there already. */
export function compileContext(node: ContextNode, parent: ContextPlan | undefined): ContextPlan {
  return {
    ...buildClasses(node, parent),
    node,
    hooks: bindHooks(node.api, (name) => node.allHooks(name)),
    errorHandlers: boundErrorHandlers(node, parent),
    makeRequestId: requestIdMaker(node),
  };
}

/** The hooks of every phase, bound to a context. */
export function bindHooks(api: Context, hooksOf: (name: RequestHookName) => readonly AnyHook[]): BoundHooks {
  const bound = requestHookNames.map((name) => [name, hooksOf(name).map((hook) => hook.bind(api))]);
  return Object.fromEntries(bound) as BoundHooks;
}

/** From the handler set last here outwards; the default one is the last of all. */
function boundErrorHandlers(node: ContextNode, parent: ContextPlan | undefined): readonly BoundErrorHandler[] {
  const outer = parent?.errorHandlers ?? [node.app.defaultErrorHandler as BoundErrorHandler];
  if (node.errorHandlers.length === 0) return outer;
  const own = node.errorHandlers.map((handler) => handler.bind(node.api) as BoundErrorHandler);
  return [...own.reverse(), ...outer];
}

function requestIdMaker(node: ContextNode): Plan['makeRequestId'] {
  const { app } = node;
  const make = (node.setting('makeRequestId') ?? app.defaultRequestId) as Plan['makeRequestId'];
  const header = app.options.requestIdHeader;
  if (header === false) return make;
  return (rawRequest) => (rawRequest.headers[header] as string) || make(rawRequest);
}
