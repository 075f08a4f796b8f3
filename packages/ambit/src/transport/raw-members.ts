/** Which members do objects have that stand for node's objects? Their own, so that Express may replace the prototype; others are refused. */
import { CallSite, type ErrorPlace } from '../shared/call-site.ts';
import { RuntimeUnsupported } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';

/**
 * Returns the members of classes as descriptors for an object's own members. If classes have the same member, that of the first one is
 * used.
 */
export function membersOf(...classes: readonly { prototype: object }[]): PropertyDescriptorMap {
  const members: PropertyDescriptorMap = {};
  for (const { prototype } of [...classes].reverse())
    for (const name of Reflect.ownKeys(prototype))
      if (name !== 'constructor') members[name as string] = ownDescriptor(prototype, name);
  return members;
}

function ownDescriptor(prototype: object, name: PropertyKey): PropertyDescriptor {
  const member = Object.getOwnPropertyDescriptor(prototype, name)!;
  if ('value' in member) return { ...member, enumerable: false, configurable: true };
  // Properties of node's objects can be assigned, and Express does so.
  const set = member.set ?? replace(name);
  return { get: member.get!, set, enumerable: false, configurable: true };
}

function replace(name: PropertyKey) {
  return function (this: object, value: unknown): void {
    Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
  };
}

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
