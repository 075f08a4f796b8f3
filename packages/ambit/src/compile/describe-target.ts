/** What `printRoutes` can show of a route besides its method and URL. */
import { contextHookNames, requestHookNames } from '../context/hook-table.ts';
import type { RouteTarget } from '../routing/router.ts';

/** The names that `includeHooks` stands for. */
export const printedHookNames: readonly string[] = [...requestHookNames, ...contextHookNames, 'onClose'];

export function describeTarget({ plan }: RouteTarget): Record<string, unknown> {
  if (plan === undefined) return {};
  const hooks = requestHookNames
    .filter((name) => plan[name].length > 0)
    .map((name) => [name, plan[name] as unknown] as const);
  const { logLevel } = plan.info;
  const handler = plan.errorHandlers[0] as { name?: string } | undefined;
  const errorHandler = `${handler?.name?.replace(/^bound /, '') || 'anonymous'}()`;
  return { errorHandler, ...(logLevel && { logLevel }), ...Object.fromEntries(hooks) };
}
