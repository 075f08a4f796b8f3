/** Owns keeping the members of an object when a framework gives it another prototype, as Express does with its own. */

/** The members of classes as members of an object itself: those of the first class before those of the others. */
export function membersOf(...classes: readonly { prototype: object }[]): PropertyDescriptorMap {
  const members: PropertyDescriptorMap = {};
  for (const { prototype } of [...classes].reverse())
    for (const name of Reflect.ownKeys(prototype))
      if (name !== 'constructor') members[name as string] = pinned(prototype, name);
  return members;
}

function pinned(prototype: object, name: PropertyKey): PropertyDescriptor {
  const member = Object.getOwnPropertyDescriptor(prototype, name)!;
  if ('value' in member) return { ...member, enumerable: false, configurable: true };
  // What node's objects have as plain properties may be assigned, as Express does.
  const set = member.set ?? replace(name);
  return { get: member.get!, set, enumerable: false, configurable: true };
}

function replace(name: PropertyKey) {
  return function (this: object, value: unknown): void {
    Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
  };
}
