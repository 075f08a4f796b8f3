/** Generates the code of the tests that choose a branch. */
import type { JsonType } from '@ambit/json-schema';
import type { Primitive, Test } from '../shape/test.ts';
import type { Emitter } from './emitter.ts';
import { isFiniteNumber } from './text/leaf.ts';

const exact: Record<JsonType, (name: string) => string> = {
  null: (name) => `${name}===null`,
  boolean: (name) => `typeof ${name}==='boolean'`,
  integer: (name) => `Number.isInteger(${name})||typeof ${name}==='bigint'`,
  number: (name) => `${isFiniteNumber(name)}||typeof ${name}==='bigint'`,
  string: (name) => `typeof ${name}==='string'||hasToJson(${name})`,
  array: (name) => `Array.isArray(${name})`,
  object: (name) => `typeof ${name}==='object'&&${name}!==null&&!Array.isArray(${name})`,
};

// In a list of types, `null` matches the first type, unless the list contains "null", which is then tested first.
const writable: Record<JsonType, (name: string) => string> = {
  ...exact,
  boolean: (name) => `typeof ${name}==='boolean'||${name}===null`,
  integer: (name) => `${exact.integer(name)}||${name}===null`,
  number: (name) => `typeof ${name}==='number'||${name}===null||typeof ${name}==='bigint'`,
  string: (name) => `typeof ${name}==='string'||isWritableString(${name})`,
  object: (name) => `typeof ${name}==='object'&&!Array.isArray(${name})`,
};

export function emitTest(emitter: Emitter, test: Test, name: string): string {
  switch (test.kind) {
    case 'always':
      return 'true';
    case 'writable':
      return writable[test.type](name);
    case 'types':
      return emitTypes(emitter, test, name);
    case 'property':
      return `typeof ${name}==='object'&&${name}!==null&&(${test.values
        .map((value) => `${name}[${JSON.stringify(test.name)}]===${emitPrimitive(value)}`)
        .join('||')})`;
    case 'validator':
      return `${emitter.predicate(test.matches)}(${name})`;
  }
}

function emitTypes(emitter: Emitter, test: Extract<Test, { kind: 'types' }>, name: string): string {
  const condition = test.types.map((type) => `(${exact[type](name)})`).join('||');
  if (test.acceptsToJson === undefined) return condition;
  return `(${condition})&&(typeof ${name}!=='object'||!hasToJson(${name})||${emitter.predicate(test.acceptsToJson)}(${name}))`;
}

function emitPrimitive(value: Primitive): string {
  return JSON.stringify(value);
}
