/** Copies values as JSON without running their code: it calls no getters, no traps of proxies, and no `toJSON`. */
import { types } from 'node:util';

/** What a copy leaves out. */
export interface CopyRules {
  /** The number of values after which the copy ends. */
  readonly maxValues: number;
  /** The number of characters of all texts and names after which the copy ends. */
  readonly maxCharacters: number;
  /** Returns what takes the place of a text. */
  readonly text: (text: string) => string;
  /** Returns what takes the place of a member, `undefined` if it is copied. @param path The names that lead to it, without indexes. */
  readonly member: (path: readonly string[], value: unknown, owner: object) => string | undefined;
}

const maxDepth = 64;

/** Copies one value. A part that JSON cannot express becomes a text in square brackets. */
export class JsonCopy {
  /** Whether a limit has ended the copy. */
  isCut = false;
  readonly #rules: CopyRules;
  readonly #parents = new Set<object>();
  readonly #path: string[] = [];
  #values = 0;
  #characters = 0;

  constructor(rules: CopyRules) {
    this.#rules = rules;
  }

  copy(value: unknown): unknown {
    if (!this.#takes(value)) return '[…]';
    if (typeof value === 'string') return this.#rules.text(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'bigint') return `[${value}n]`;
    if (typeof value !== 'object') return `[${typeof value}]`;
    if (types.isProxy(value)) return '[proxy]';
    if (types.isDate(value)) return dateText(value);
    if (this.#parents.has(value)) return '[circular]';
    if (this.#parents.size === maxDepth) return '[…]';
    this.#parents.add(value);
    const copied = Array.isArray(value) ? this.#copyItems(value) : this.#copyMembers(value);
    this.#parents.delete(value);
    return copied;
  }

  /** Counts a value, or a name. */
  #takes(value: unknown): boolean {
    this.#values++;
    if (typeof value === 'string') this.#characters += value.length;
    const { maxValues, maxCharacters } = this.#rules;
    if (this.#values > maxValues || this.#characters > maxCharacters) this.isCut = true;
    return !this.isCut;
  }

  #copyItems(list: readonly unknown[]): unknown[] {
    const items: unknown[] = [];
    for (let i = 0; i < list.length && !this.isCut; i++)
      items.push(this.#copyMember(list, Object.getOwnPropertyDescriptor(list, i)));
    return items;
  }

  #copyMembers(value: object): unknown {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return `[${classNameOf(prototype)}]`;
    const members: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      if (!this.#takes(name)) break;
      this.#path.push(name);
      members.push([name, this.#copyMember(value, Object.getOwnPropertyDescriptor(value, name))]);
      this.#path.pop();
    }
    return Object.fromEntries(members);
  }

  #copyMember(owner: object, member: PropertyDescriptor | undefined): unknown {
    if (member === undefined) return null;
    if (!('value' in member)) return '[getter]';
    return this.#rules.member(this.#path, member.value, owner) ?? this.copy(member.value);
  }
}

/** The value of an own property. Getters and traps of proxies are not called. */
export function readOwn(value: unknown, name: PropertyKey): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  return types.isProxy(value) ? undefined : Object.getOwnPropertyDescriptor(value, name)?.value;
}

function classNameOf(prototype: unknown): string {
  const name = readOwn(readOwn(prototype, 'constructor'), 'name');
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : 'Object';
}

function dateText(date: Date): string {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? '[invalid date]' : new Date(time).toISOString();
}
