/** Generates the code of checks: the tests that choose a branch, and what must hold for an array and its items. */
import type { JsonType } from '@ambit/json-schema';
import { longItems } from '../runtime/values.ts';
import type { ChoiceShape, Shape } from '../shape/shape.ts';
import type { Test } from '../shape/test.ts';
import { isFiniteNumber } from './leaf.ts';
import type { Program } from './program.ts';

/** Statements that return an expression for the first branch whose test `v` passes. */
export function emitBranches(
  program: Program,
  { branches, schemaPath }: ChoiceShape,
  write: (branch: Shape) => string,
): string {
  const returns = branches.map(
    ({ test, shape }) => `if(${emitTest(program, test, 'v')})return ${write(shape)};\n`,
  );
  return `${returns.join('')}return failMatch(${JSON.stringify(schemaPath)});`;
}

/** A statement for an array `v` with the length `l`, before anything is written for each item. */
export const checkLength: string = `if(l>${longItems})checkItems(v);\n`;

export function checkArray(schemaPath: string): string {
  return `if(!Array.isArray(v))failMatch(${JSON.stringify(schemaPath)});\n`;
}

/** A statement for the item `e` of a tuple. */
export function checkItem(program: Program, accepts: Test, index: number): string {
  const test = emitTest(program, accepts, 'e');
  return test === 'true' ? '' : `if(!(${test}))failItem(${index});`;
}

export function emitTest(program: Program, test: Test, name: string): string {
  switch (test.kind) {
    case 'always':
      return 'true';
    case 'writable':
      return writable[test.type](name);
    case 'types':
      return emitTypes(program, test, name);
    case 'property':
      return `typeof ${name}==='object'&&${name}!==null&&(${test.values
        .map((value) => `${name}[${JSON.stringify(test.name)}]===${JSON.stringify(value)}`)
        .join('||')})`;
    case 'validator':
      return `${program.predicate(test.matches)}(${name})`;
  }
}

function emitTypes(program: Program, test: Extract<Test, { kind: 'types' }>, name: string): string {
  const condition = test.types.map((type) => `(${exact[type](name)})`).join('||');
  if (test.acceptsToJson === undefined) return condition;
  return `(${condition})&&(typeof ${name}!=='object'||!hasToJson(${name})||${program.predicate(test.acceptsToJson)}(${name}))`;
}

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
