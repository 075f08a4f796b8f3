/** The key that identifies a route: its method, URL and constraints. */

/**
 * @param url With or without a trailing slash. A route that handles both is one route.
 * @param constraints Such as `{ version: '1.0.0' }`.
 */
export function routeKey(method: string, url: string, constraints: object = {}): string {
  const entries = Object.entries(constraints).map(([name, value]) => `${name}=${String(value)}`);
  return [method, url.replace(/(?<=.)\/$/, ''), ...entries.sort()].join(' ');
}
