/** Describes values of the application without running its code: it calls no getters, and no traps of proxies. */
import { types } from 'node:util';

/** The value of an own property. Getters are not called. */
export function readOwn(value: object, key: PropertyKey): unknown {
  return types.isProxy(value) ? undefined : Object.getOwnPropertyDescriptor(value, key)?.value;
}

/**
 * The name of a function; `null` without one. Programs may set it to any value, or remove it.
 *
 * @param property The name of the property in which the function is: `handler`, `onRequest`. A function that was written there has this
 *   name, which says nothing, so it counts as none.
 */
export function functionName(value: unknown, property?: string): string | null {
  if (typeof value !== 'function') return null;
  const name = readOwn(value, 'name');
  return typeof name === 'string' && name !== '' && name !== property ? name.slice(0, 200) : null;
}

/** The name of the class of an object; `Object` for a literal. */
function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || typeof prototype !== 'object') return 'Object';
  return functionName(readOwn(prototype, 'constructor')) ?? 'Object';
}

function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
  return prototype !== undefined && prototype.writable === false && 'value' in prototype;
}

/** A short description of a value. Strings and the content of objects are left out, because they may be secrets. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `string of ${value.length}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  if (types.isProxy(value)) return 'proxy';
  if (typeof value === 'function')
    return `${isClass(value) ? 'class' : 'function'} ${functionName(value) ?? ''}`.trimEnd();
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof readOwn(value, 'getter') === 'function') return 'getter';
  return className(value);
}

/** The limits of a copy: the number of values, the depth, and the length of a string. */
const maxValues = 20_000;
const maxDepth = 64;
const maxText = 10_000;

/** Copies a schema as JSON. A value that JSON cannot express, or that exceeds a limit, becomes a text in square brackets. */
export function copyAsJson(value: unknown): unknown {
  return new JsonCopy().copy(value);
}

class JsonCopy {
  readonly #parents = new Set<object>();
  #count = 0;

  copy(value: unknown): unknown {
    if (++this.#count > maxValues) return '[too large]';
    if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'object') return `[${describeValue(value)}]`;
    if (types.isProxy(value)) return '[proxy]';
    if (this.#parents.has(value)) return '[circular]';
    if (this.#parents.size === maxDepth) return '[too deep]';
    this.#parents.add(value);
    const copied = this.#copyObject(value);
    this.#parents.delete(value);
    return copied;
  }

  #copyObject(value: object): unknown {
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (let i = 0; i < value.length && this.#count <= maxValues; i++)
        items.push(this.#copyMember(value, String(i)));
      return items;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return `[${className(value)}]`;
    const copied: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (this.#count > maxValues) break;
      const member = this.#copyMember(value, key);
      Object.defineProperty(copied, key, {
        value: member,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return copied;
  }

  #copyMember(owner: object, key: string): unknown {
    const member = Object.getOwnPropertyDescriptor(owner, key);
    return member !== undefined && 'value' in member ? this.copy(member.value) : '[getter]';
  }
}
