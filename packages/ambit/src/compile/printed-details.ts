/** The details of a route that `printRoutes` can show, in addition to its method and URL. */
import { contextHookNames, requestHookNames } from '../context/hook-table.ts';
import type { RouteTarget } from '../routing/router.ts';
import type { PlanSteps } from '../types/plan.ts';
import type { PrintRoutesOptions } from '../types/route-info.ts';

/** The names that `includeHooks` adds. */
const printedHookNames: readonly string[] = [...requestHookNames, ...contextHookNames, 'onClose'];

/** Converts the options to those of the router, which only has `includeMeta` with names. */
export function withHookNames({
  includeHooks,
  includeMeta,
  ...rest
}: PrintRoutesOptions): PrintRoutesOptions {
  const named = Array.isArray(includeMeta) ? includeMeta : [];
  const wanted = includeHooks ? [...printedHookNames, ...named] : includeMeta;
  return { ...rest, ...(wanted !== undefined && { includeMeta: wanted }) };
}

export function printedDetails({ plan }: RouteTarget): Record<string, unknown> {
  if (plan === undefined) return {};
  const { steps, info } = plan;
  const hooks = hooksOf(steps);
  const handler = steps.failure.find(({ name }) => name === 'errorHandler')?.app?.declared;
  const errorHandler = `${handler?.name || 'anonymous'}()`;
  return { errorHandler, ...(info.logLevel && { logLevel: info.logLevel }), ...hooks };
}

/** The hooks of a plan by name, in the order in which the router prints them. */
function hooksOf({ request, reply, failure, onResponse, onTimeout, onRequestAbort }: PlanSteps): object {
  const all = new Set([...onTimeout, ...request, ...reply, ...failure, ...onResponse, ...onRequestAbort]);
  return Object.fromEntries(
    requestHookNames
      .map(
        (name) =>
          [name, [...all].flatMap((step) => (step.name === name ? [step.app!.declared] : []))] as const,
      )
      .filter(([, hooks]) => hooks.length > 0),
  );
}
