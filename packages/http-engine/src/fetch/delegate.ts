/** Makes a lightweight object behave like an instance of a class of the platform: a native object supplies all members that it lacks. */

/**
 * Makes a lightweight class inherit from a native one, and gives it every member that it lacks.
 *
 * @param lightweight The class whose instances are created instead of native ones.
 * @param native The class of the platform.
 * @param nativeOf Returns the native object of a lightweight one.
 */
export function delegateTo<Lightweight extends object, Native extends object>(
  lightweight: { readonly prototype: Lightweight },
  native: { readonly prototype: Native },
  nativeOf: (object: Lightweight) => Native,
): void {
  for (const key of Reflect.ownKeys(native.prototype)) {
    if (Object.hasOwn(lightweight.prototype, key)) continue;
    const member = Object.getOwnPropertyDescriptor(native.prototype, key)!;
    const { get, value } = member;
    if (get !== undefined) {
      const getter = function (this: Lightweight): unknown {
        return get.call(nativeOf(this));
      };
      Object.defineProperty(lightweight.prototype, key, { ...member, get: getter });
    } else if (typeof value === 'function') {
      const method = function (this: Lightweight, ...args: unknown[]): unknown {
        return value.apply(nativeOf(this), args);
      };
      Object.defineProperty(lightweight.prototype, key, { ...member, value: method });
    }
  }
  Object.setPrototypeOf(lightweight.prototype, native.prototype);
}
