/** What `printRoutes` can show of a route besides its method and URL. */
import { contextHookNames, requestHookNames } from '../context/hook-table.ts';
import type { PrintRoutesOptions } from '../contract/route-info.ts';
import type { RouteTarget } from '../routing/router.ts';

/** The names that `includeHooks` stands for. */
const printedHookNames: readonly string[] = [...requestHookNames, ...contextHookNames, 'onClose'];

/** The options for the router, which knows only names to include. */
export function withHookNames({
  includeHooks,
  includeMeta,
  ...rest
}: PrintRoutesOptions): PrintRoutesOptions {
  const named = Array.isArray(includeMeta) ? includeMeta : [];
  const wanted = includeHooks ? [...printedHookNames, ...named] : includeMeta;
  return { ...rest, ...(wanted !== undefined && { includeMeta: wanted }) };
}

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
