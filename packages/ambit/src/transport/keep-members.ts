/** Keeps the members of an object when a framework replaces its prototype, as Express does. */

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
