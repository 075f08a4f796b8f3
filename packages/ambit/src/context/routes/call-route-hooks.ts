/** Calls `onRoute` hooks, and records which of them added a function to the options of a route, for tools that show why it runs. */
import type { Origin } from '../../types/inspection.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { ContextNode } from '../context-node.ts';
import { type AddedHook, requestHookNames } from '../hook-table.ts';
import { isRecordingSites } from '../recorded-definitions.ts';

/** The functions that hooks have added to a route, each with the hook's line and plugin. */
export type AddedByHooks = Map<unknown, Origin>;

const fields = [...requestHookNames, 'errorHandler', 'handler'] as const;

/**
 * @param addedBefore The functions that earlier hooks of the same route have added.
 * @returns `addedBefore` with the functions that these hooks have added; `undefined` if there are none, or if no tool has asked for them.
 */
export function callRouteHooks(
  node: ContextNode,
  live: RegisteredRoute,
  hooks: readonly AddedHook[],
  addedBefore?: AddedByHooks,
): AddedByHooks | undefined {
  if (hooks.length === 0) return addedBefore;
  if (!isRecordingSites()) {
    for (const { hook } of hooks) hook.call(node.api, live as never);
    return addedBefore;
  }
  let addedBy = addedBefore;
  const seen = new Set(functionsOf(live));
  for (const { hook, site, step } of hooks) {
    hook.call(node.api, live as never);
    for (const added of functionsOf(live)) {
      if (seen.has(added)) continue;
      seen.add(added);
      addedBy ??= new Map();
      addedBy.set(added, { site, step });
    }
  }
  return addedBy;
}

function functionsOf(live: RegisteredRoute): unknown[] {
  return fields.flatMap((name) => (live[name as keyof RegisteredRoute] as unknown) ?? []);
}
