/** Compares values with one JSON value. The routes of an application often declare the same JSON in different objects. */
import { isPlainObject } from '../json.ts';

/** A JSON value, prepared for comparisons: the names of objects are stored, so that a comparison creates no objects. */
export type JsonPattern = string | number | boolean | null | ListPattern | ObjectPattern;

class ListPattern {
  readonly items: readonly JsonPattern[];

  constructor(items: readonly JsonPattern[]) {
    this.items = items;
  }
}

class ObjectPattern {
  readonly names: readonly string[];
  readonly members: readonly JsonPattern[];

  constructor(names: readonly string[], members: readonly JsonPattern[]) {
    this.names = names;
    this.members = members;
  }
}

/** @param value A value that `JSON.parse` could have returned. */
export function patternOf(value: unknown): JsonPattern {
  if (typeof value !== 'object' || value === null) return value as JsonPattern;
  if (Array.isArray(value)) return new ListPattern(value.map(patternOf));
  return new ObjectPattern(Object.keys(value), Object.values(value).map(patternOf));
}

/** Whether `JSON.stringify` writes the same text for the value. The order of the names counts. */
export function matchesPattern(value: unknown, pattern: JsonPattern): boolean {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern;
  if (pattern instanceof ListPattern) return matchesList(value, pattern);
  if (!isPlainObject(value)) return false;
  const { names, members } = pattern;
  let at = 0;
  for (const name in value) {
    if (name !== names[at] || !matchesPattern(value[name], members[at]!)) return false;
    at++;
  }
  return at === names.length;
}

function matchesList(value: unknown, { items }: ListPattern): boolean {
  if (!Array.isArray(value) || value.length !== items.length) return false;
  for (let i = 0; i < items.length; i++) if (!matchesPattern(value[i], items[i]!)) return false;
  return true;
}
