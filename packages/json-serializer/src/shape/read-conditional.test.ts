import { expect, test } from 'vitest';
import { fromSource } from '../../test/from-source.ts';
import { compile } from '../compile.ts';
import type { Diagnostic } from '../inspect.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };

function when(condition: object, properties: object): object {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: { properties } };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

test('a hundred independent conditions apply together', () => {
  const schema = {
    type: 'object',
    properties: { id: integer },
    allOf: many(100, (index) => when({ required: [`has${index}`] }, { [`f${index}`]: integer })),
  };
  const value = { has3: true, has98: true, id: '1', f3: '3', f4: '4', f98: '98' };
  for (const write of [compile(schema), fromSource(schema)]) {
    expect(write(value)).toBe('{"id":1,"f3":3,"f98":98}');
    expect(() => write({ has3: true, f3: 'x' })).toThrow(expect.objectContaining({ path: '/f3' }) as Error);
  }
});

for (const required of [[], ['country']]) {
  test(`a hundred conditions on a property that may ${required.length === 0 ? 'be' : 'not be'} missing decide about another property`, () => {
    const schema = {
      type: 'object',
      properties: { country: string },
      allOf: many(100, (index) =>
        when(
          { properties: { country: { const: `c${index}` } }, required },
          { [`tax${index}`]: integer, code: index === 7 ? integer : {} },
        ),
      ),
    };
    const write = compile(schema);
    expect(write({ country: 'c7', code: '7', tax7: '1', tax8: 2 })).toBe(
      '{"country":"c7","tax7":1,"code":7}',
    );
    expect(write({ country: 'c8', code: '7', tax7: '1', tax8: 2 })).toBe(
      '{"country":"c8","tax8":2,"code":"7"}',
    );
    expect(write({ country: 'zz', code: '7' })).toBe('{"country":"zz"}');
    expect(write({ code: '7', tax8: '2' })).toBe(required.length === 0 ? '{"code":7,"tax8":2}' : '{}');
  });
}

test('conditions and choices apply together, and a property is required only in the branches that require it', () => {
  const choice = (name: string) => ({
    anyOf: [
      { required: [name], properties: { [name]: integer } },
      { properties: { [`no ${name}`]: { default: true } } },
    ],
  });
  const schema = { type: 'object', properties: { z: string }, allOf: ['a', 'b', 'c', 'd'].map(choice) };
  expect(compile(schema)({ a: 1, c: '2', z: 'z' })).toBe(
    '{"a":1,"z":"z","no b":true,"no c":true,"no d":true}',
  );
  const strict = { ...schema, allOf: [...schema.allOf, { anyOf: [{ required: ['y'] }] }] };
  expect(() => compile(strict)({ a: 1 })).toThrow(
    "The value of '#/allOf/4' does not match schema definition.",
  );
});

test('the report knows which conditions hold', () => {
  const diagnostics: Diagnostic[] = [];
  const schema = {
    type: 'object',
    allOf: many(9, (index) => when({ required: [`has${index}`] }, { a: { minimum: index }, has1: true })),
  };
  compile(schema, { report: (diagnostic) => diagnostics.push(diagnostic) })({ has1: true, a: '5' });
  compile(schema, { report: (diagnostic) => diagnostics.push(diagnostic) })({ a: '5' });
  expect(diagnostics.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['coerced /a', 'dropped /a']);
});

for (const [what, make] of [
  ['properties', (index: number) => ({ a: { minLength: index } })],
  ['more than properties', (index: number) => ({ a: { if: { minLength: index } } })],
] as const) {
  test(`too many outcomes that decide about ${what} are rejected`, () => {
    const schema = (count: number) => ({
      type: 'object',
      properties: {
        list: {
          type: 'object',
          allOf: many(count, (index) => when({ required: [`has${index}`] }, make(index))),
        },
      },
    });
    expect(() => compile(schema(6))).not.toThrow();
    expect(() => compile(schema(20))).toThrow(
      expect.objectContaining({
        name: 'SchemaError',
        message: expect.stringContaining(
          'conditions and choices that apply together must not have more than 10000 outcomes',
        ),
        schemaPath: expect.stringContaining('/properties/list'),
      }) as Error,
    );
  });
}

for (const count of [500, 501]) {
  test(`${count} conditions on one property are ${count === 500 ? 'allowed' : 'rejected'}`, () => {
    const schema = {
      type: 'object',
      allOf: many(count, (index) =>
        when({ properties: { kind: { const: index } } }, { a: { minimum: index } }),
      ),
    };
    const attempt = () => compile(schema)({ kind: 499, a: '5' });
    if (count === 500) expect(attempt()).toBe('{"a":5}');
    else expect(attempt).toThrow('at most 500 conditions and choices may apply to the same properties');
  });
}
