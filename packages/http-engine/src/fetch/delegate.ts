/** Owns making a light object behave as one of a class of the platform: what it does not have itself, a genuine object does. */

/**
 * Puts the prototype of a light class behind that of a genuine one, and gives it every member that it lacks.
 *
 * @param light Its instances are made instead of genuine ones.
 * @param genuine The class of the platform.
 * @param genuineOf The genuine object of a light one.
 */
export function delegateTo<Light extends object, Genuine extends object>(
  light: { readonly prototype: Light },
  genuine: { readonly prototype: Genuine },
  genuineOf: (object: Light) => Genuine,
): void {
  for (const key of Reflect.ownKeys(genuine.prototype)) {
    if (Object.hasOwn(light.prototype, key)) continue;
    const member = Object.getOwnPropertyDescriptor(genuine.prototype, key)!;
    const { get, value } = member;
    if (get !== undefined) {
      const getter = function (this: Light): unknown {
        return get.call(genuineOf(this));
      };
      Object.defineProperty(light.prototype, key, { ...member, get: getter });
    } else if (typeof value === 'function') {
      const method = function (this: Light, ...given: unknown[]): unknown {
        return value.apply(genuineOf(this), given);
      };
      Object.defineProperty(light.prototype, key, { ...member, value: method });
    }
  }
  Object.setPrototypeOf(light.prototype, genuine.prototype);
}
