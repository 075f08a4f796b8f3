/** The tests of branches for the slow walk, which runs them instead of generating code. */
import { isWritableString } from '../runtime/strings.ts';
import type { Test } from '../shape/test.ts';
import { hasToJson, isOfType } from '../validate/types.ts';

export function matches(test: Test, value: unknown): boolean {
  switch (test.kind) {
    case 'always':
      return true;
    case 'writable':
      return matchesWritable(test.type, value);
    case 'types':
      if (!test.types.some((type) => isOfType(type, value))) return false;
      return test.acceptsToJson === undefined || !hasToJson(value) || test.acceptsToJson(value);
    case 'property':
      return isOfType('object', value) && test.values.includes((value as Record<string, never>)[test.name]!);
    case 'validator':
      return test.matches(value);
  }
}

function matchesWritable(type: Extract<Test, { kind: 'writable' }>['type'], value: unknown): boolean {
  if (type === 'string') return isWritableString(value);
  if (value === null) return type !== 'array';
  return type === 'number' ? typeof value === 'number' || typeof value === 'bigint' : isOfType(type, value);
}
