/** Adds members of node's objects that a runtime does not support: they throw an error that says so. */

import type { ErrorPlace } from '../shared/call-site.ts';
import { CallSite } from '../shared/call-site.ts';
import { RuntimeUnsupported } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';

/** A class of objects that stand for node's objects. */
interface RawObject {
  /** @returns The request that it belongs to. */
  readonly exchangeOf: (raw: never) => Exchange;
  readonly prototype: object;
}

/**
 * Adds methods that only node's objects have. Each throws an error that says so, instead of "is not a function". The error names the
 * plugin, the route and the caller.
 *
 * @param owner How the application reads the object: `reply.raw`.
 * @param hint What to do instead, besides serving the application with node:http.
 */
export function refuseMembers(
  { prototype, exchangeOf }: RawObject,
  owner: string,
  hint: string,
  names: readonly string[],
): void {
  for (const name of names)
    Object.defineProperty(prototype, name, {
      value(this: never): never {
        throw RuntimeUnsupported.at(
          { where: placeOf(exchangeOf(this)) },
          `${owner}.${name}`,
          `${hint}, or serve the application with node:http: call \`listen\`, on Bun and Deno with the option \`engine: 'node'\``,
        );
      },
      configurable: true,
      writable: true,
    });
}

function placeOf({ method, plan, url }: Exchange): ErrorPlace {
  return {
    plugin: plan.context.pluginName,
    route: `${method} ${plan.info.url ?? url}`,
    file: new CallSite().location,
  };
}
