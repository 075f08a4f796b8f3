// Objects that have few of the properties that their schema declares, as every kind of object.
import type { JsonSchema, SchemaObject } from '@ambit/json-schema';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { fromSource } from '../../test/from-source.ts';
import { askOracle } from '../../test/oracle.ts';
import { compile } from '../compile.ts';

const types: JsonSchema[] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'number', nullable: true },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { a: { type: 'string' } } },
  {},
  { type: ['string', 'null'] },
];
const plainNames = Array.from({ length: 24 }, (_, index) => `field${index}`);
const names = ['7', ...plainNames, 'key "quoted"'];

function schemaOf(declared: readonly string[], more: Record<string, unknown> = {}): JsonSchema {
  const properties = declared.map((name, index) => [name, types[index % types.length]]);
  return { type: 'object', properties: Object.fromEntries(properties), ...more };
}
const schema = schemaOf(names);
const unions = names.filter((_, index) => Array.isArray((types[index % types.length] as SchemaObject).type));

/** Writes the value with our serializer, and expects the same text from the oracle and from standalone code. */
function write(of: JsonSchema, value: unknown): string {
  const text = compile(of)(value);
  expect(text).toBe(askOracle(of, value));
  expect(fromSource(of)(value)).toBe(text);
  return text;
}

class Instance {
  get field2() {
    return true;
  }
}

// Each creates an object with the values of the fields, in its own way.
const guises: Record<string, (fields: Record<string, unknown>) => unknown> = {
  plain: (fields) => fields,
  frozen: Object.freeze,
  'without a prototype': (fields) => Object.assign(Object.create(null), fields),
  inherited: (fields) => Object.create(fields),
  'an instance with a getter on its class': ({ field2, ...others }) => Object.assign(new Instance(), others),
  'a proxy': (fields) => new Proxy(fields, {}),
  'a proxy that only answers': (fields) => new Proxy({}, { get: (_, name) => fields[name as string] }),
  'with getters': (fields) =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.keys(fields).map((name) => [name, { get: () => fields[name], enumerable: true }]),
      ),
    ),
  'not enumerable': (fields) =>
    Object.defineProperties(
      { undeclared: 1 },
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
    ),
  'a dictionary': (fields) => {
    const dictionary: Record<string, unknown> = { ...fields, gone: 1 };
    delete dictionary.gone;
    return dictionary;
  },
  'an array': (fields) => Object.assign([], fields),
  'a function': (fields) => Object.assign(() => {}, fields),
  'with toJSON': (fields) => ({ field1: 1, toJSON: () => fields }),
  'with a symbol': (fields) => ({ ...fields, [Symbol('field1')]: 1 }),
};

const member = fc.tuple(
  fc.constantFrom(...names, 'undeclared', '0', 'toString'),
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.constant(['"']),
  ),
);
// In any order, because an object keeps the order in which members were added.
const fields = fc
  .array(member, { maxLength: 9 })
  .map((members) => Object.fromEntries(members) as Record<string, unknown>)
  // A list where a list of types contains `string`: a difference from the oracle, in the README.
  .filter((of) => !unions.some((name) => Array.isArray(of[name])));

describe('objects with few of their declared properties', () => {
  for (const [guise, disguise] of Object.entries(guises)) {
    test(`${guise}: the text equals that of the oracle`, () => {
      const serialize = compile(schema);
      fc.assert(
        fc.property(fields, (of) => {
          const expected = askOracle(schema, disguise(of));
          fc.pre(expected !== undefined);
          expect(serialize(disguise(of))).toBe(expected);
        }),
        { numRuns: 60 },
      );
    });
  }

  test('each subset is written in the order of the schema', () => {
    const declared = plainNames.slice(0, 16);
    const of = {
      type: 'object',
      properties: Object.fromEntries(declared.map((name) => [name, { type: 'string' }])),
    };
    const serialize = compile(of);
    fc.assert(
      fc.property(fc.shuffledSubarray(declared), fc.string(), (subset, text) => {
        const value = Object.fromEntries(subset.map((name) => [name, text + name]));
        const ordered = declared.filter((name) => subset.includes(name)).map((name) => [name, text + name]);
        expect(serialize(value)).toBe(JSON.stringify(Object.fromEntries(ordered)));
      }),
    );
  });

  for (const count of [15, 16, 17]) {
    test(`${count} optional properties: none, few, half and all are written`, () => {
      const declared = plainNames.slice(0, count);
      for (const held of [0, 1, 7, 8, 9, count]) {
        const value = Object.fromEntries(declared.slice(-held || count).map((name) => [name, null]));
        write(schemaOf(declared), value);
      }
    });
  }

  test('required properties are written first, and an error if they are missing', () => {
    const of = schemaOf(plainNames, { required: ['field5', 'elsewhere'] });
    expect(write(of, { field1: 1, elsewhere: 2, field5: { a: 'x' } })).toBe(
      '{"field5":{"a":"x"},"field1":1}',
    );
    expect(() => compile(of)({ field1: 1, elsewhere: 2 })).toThrow('"field5" is required!');
    expect(() => compile(of)({ field5: {} })).toThrow('"elsewhere" is required!');
  });

  test('defaults are written for missing properties', () => {
    const of = schemaOf(plainNames, {
      properties: {
        ...(schemaOf(plainNames) as { properties: object }).properties,
        z: { type: 'string', default: '"' },
      },
    });
    expect(write(of, { field1: 1 })).toBe('{"field1":1,"z":"\\""}');
    expect(write(of, { field0: 'x' })).toBe('{"field0":"x","z":"\\""}');
  });

  test('additional properties follow after any declared property', () => {
    const of = schemaOf(plainNames, { additionalProperties: true });
    expect(write(of, { other: 1, field0: 'x' })).toBe('{"field0":"x","other":1}');
    expect(write(of, { other: 1 })).toBe('{"other":1}');
    expect(write(of, { other: 1, field1: 1 })).toBe('{"field1":1,"other":1}');
  });

  test('properties with names that every object inherits count only if they are own properties', () => {
    const declared = [...plainNames, '__proto__', 'constructor', 'toString'];
    const properties = declared.map((name) => [name, { type: 'string' }]);
    const serialize = compile({ type: 'object', properties: Object.fromEntries(properties) });
    expect(serialize({ field0: 'x' })).toBe('{"field0":"x"}');
    const text = '{"__proto__":"x","constructor":"y"}';
    expect(serialize(JSON.parse(text))).toBe(text);
  });

  test('a getter runs once', () => {
    let runs = 0;
    const value = {
      get field7() {
        runs++;
        return '"needs escapes"'.repeat(20);
      },
    };
    compile(schema)(value);
    expect(runs).toBe(1);
  });

  test('objects with few properties are written the same after many objects with all properties', () => {
    const serialize = compile(schemaOf(plainNames));
    const all = Object.fromEntries(plainNames.map((name) => [name, null]));
    const expected = askOracle(schemaOf(plainNames), all);
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 70; index++) expect(serialize(all)).toBe(expected);
      expect(serialize({ field8: 'x' })).toBe('{"field8":"x"}');
    }
  });
});

describe('when someone adds to Object.prototype', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  afterEach(() => {
    delete prototype.field1;
    delete prototype.toJSON;
  });

  for (const enumerable of [true, false]) {
    test(`a declared property is read from there: enumerable ${enumerable}`, () => {
      const serialize = compile(schemaOf(plainNames));
      expect(serialize({ field0: 'x' })).toBe('{"field0":"x"}');
      Object.defineProperty(prototype, 'field1', {
        value: 7,
        enumerable,
        configurable: true,
        writable: true,
      });
      const text = serialize({ field0: 'x' });
      delete prototype.field1;
      expect(text).toBe('{"field0":"x","field1":7}');
    });
  }

  test('an added toJSON decides what is written', () => {
    const serialize = compile(schemaOf(plainNames));
    Object.defineProperty(prototype, 'toJSON', { value: () => ({ field1: 7 }), configurable: true });
    expect(serialize({ field0: 'x' })).toBe('{"field1":7}');
  });
});

test('a getter runs once if a string next to it is long or needs escapes', () => {
  for (const text of ['"', 'x'.repeat(1000)]) {
    let runs = 0;
    const value = {
      get a() {
        runs++;
        return text;
      },
    };
    const of = { type: 'object', properties: { a: { type: 'string' } } };
    expect(compile(of)(value)).toBe(JSON.stringify({ a: text }));
    expect(runs).toBe(1);
  }
});
