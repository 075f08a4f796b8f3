/** Groups of a context's methods, and how they become part of its class. The public types of the methods are in `contract/context/`. */
import type { Context } from '../../contract/context.ts';

/** Methods and accessors by name. `this` is the context that they are called on: each finds the tables of its own node. */
export type ContextMethods = Record<PropertyKey, unknown> & ThisType<Context>;

/** Adds groups of methods to a prototype, as a class would have them. */
export function addMethods(prototype: object, groups: readonly ContextMethods[]): void {
  for (const group of groups) {
    for (const name of Reflect.ownKeys(group)) {
      const descriptor = Object.getOwnPropertyDescriptor(group, name)!;
      Object.defineProperty(prototype, name, { ...descriptor, enumerable: false });
    }
  }
}
