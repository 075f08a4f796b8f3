/**
 * The type of a group of context methods, and the function that adds groups to the class. The public types of the methods are in
 * `types/context-*.ts`.
 */
import type { Context } from '../../types/context.ts';

/** Methods and accessors by name. `this` is the context that they are called on. They find its tables with `nodeOf`. */
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
