import { afterEach, expect, test } from 'vitest';
import { compile } from '../compile.ts';

const string = { type: 'string' };
const row = { type: 'object', properties: { a: string, b: string, c: string } };
const prototype = Object.prototype as { toJSON?: unknown };

afterEach(() => {
  delete prototype.toJSON;
});

test('an own property named __proto__ is written if it is declared; the inherited one is never written', () => {
  const schema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"string"},"a":{"type":"string"}}'),
  };
  expect(compile(schema)(JSON.parse('{"__proto__":"x","a":"y"}'))).toBe('{"__proto__":"x","a":"y"}');
  expect(compile(schema)({ a: 'y' })).toBe('{"a":"y"}');
});

test('an own property named __proto__ is an additional property like any other', () => {
  const value: unknown = JSON.parse('{"__proto__":{"x":1},"a":"y"}');
  expect(compile({ type: 'object', additionalProperties: true })(value)).toBe(
    '{"__proto__":{"x":1},"a":"y"}',
  );
  expect(compile({ type: 'object', properties: { a: string } })(value)).toBe('{"a":"y"}');
});

test('a list of any length with its own iterator is written by index, as JSON.stringify does', () => {
  class Shouting extends Array<string> {
    override *[Symbol.iterator](): ArrayIterator<string> {
      for (let index = 0; index < this.length; index++) yield `${this[index]}!`;
    }
  }
  const write = compile({ type: 'array', items: string });
  for (const length of [1, 3, 4, 5, 8, 70]) {
    const list = Shouting.from({ length }, (_, index) => `item ${index}`);
    expect(write(list)).toBe(JSON.stringify(list));
  }
});

test('a property that every object inherits is not written', () => {
  const schema = { type: 'object', properties: { constructor: string, toString: string, a: string } };
  expect(compile(schema)({ a: 'x' })).toBe('{"a":"x"}');
  expect(compile(schema)({ a: 'x', toString: 'own' })).toBe('{"toString":"own","a":"x"}');
});

test('a property whose schema is false is never written', () => {
  const schema = { type: 'object', properties: { a: false, b: true }, additionalProperties: true };
  expect(compile(schema)({ a: 1, b: 2, c: 3 })).toBe('{"b":2,"c":3}');
});

test('functions and symbols without a type are left out', () => {
  const schema = { type: 'object', properties: { a: {}, b: {} }, additionalProperties: true };
  expect(compile(schema)({ a: () => 1, b: Symbol('x'), c: () => 1, d: { toJSON() {} } })).toBe('{}');
});

test('a toJSON on every object does not change values that have a schema', () => {
  const write = compile({ type: 'array', items: row });
  const value = Array.from({ length: 10 }, () =>
    Object.assign(Object.create(null), { a: 'x', b: 'y', c: 'z' }),
  );
  const text = write(value);
  prototype.toJSON = () => 'tampered';
  expect(write(value)).toBe(text);
});

test('a getter may call the serializer that reads it', () => {
  const write = compile({ type: 'array', items: row });
  const inner = { a: '1', b: '2', c: '3' };
  const outer = {
    a: 'x',
    get b() {
      return write([inner, inner]);
    },
    c: 'z',
  };
  const nested = JSON.stringify([inner, inner]);
  expect(JSON.parse(write([outer, outer, outer]))).toEqual(new Array(3).fill({ a: 'x', b: nested, c: 'z' }));
});

test('a toJSON on every object does not change objects whose strings need escapes', () => {
  const write = compile({ type: 'object', properties: { a: string } });
  prototype.toJSON = () => 'tampered';
  expect(write(Object.assign(Object.create({ toJSON: undefined }), { a: '"' }))).toBe('{"a":"\\""}');
});

const withEscapes = {
  type: 'object',
  properties: { text: string, inner: { type: 'object', properties: { n: { type: 'integer' } } } },
};

for (const [what, text] of [
  ['needs escapes', '"'],
  ['is long', 'x'.repeat(1000)],
] as const) {
  test(`a bigint next to a string that ${what} keeps every digit`, () => {
    const value = { text, inner: { n: -12345678901234567890123n } };
    expect(compile(withEscapes)(value)).toBe(
      `{"text":${JSON.stringify(text)},"inner":{"n":-12345678901234567890123}}`,
    );
  });

  test(`a getter runs once, and toJSON only on the value itself, if a string ${what}`, () => {
    let reads = 0;
    const written = {
      get text() {
        reads++;
        return text;
      },
      toJSON: () => ({ text: 'written twice' }),
    };
    expect(compile(withEscapes)({ toJSON: () => written })).toBe(`{"text":${JSON.stringify(text)}}`);
    expect(reads).toBe(1);
  });
}

for (const items of [string, { type: 'number' }, row]) {
  for (const wrap of [(list: unknown[]) => list, (list: unknown[]) => ({ text: '"', list })]) {
    test(`a very long array with nothing but holes is rejected before it is copied: ${items.type}, ${wrap([]).constructor.name}`, () => {
      const list: unknown[] = [];
      list.length = 2 ** 32 - 1;
      const array = { type: 'array', items };
      const schema = Array.isArray(wrap([]))
        ? array
        : { type: 'object', properties: { text: string, list: array } };
      const place = Array.isArray(wrap([])) ? '/0' : '/list/0';
      expect(() => compile(schema)(wrap(list))).toThrow(expect.objectContaining({ path: place }) as Error);
    });
  }
}

test('a long array is written like any other', () => {
  const list: unknown[] = new Array(1_000_001).fill(7);
  expect(compile({ type: 'array', items: { type: 'integer' } })(list)).toBe(JSON.stringify(list));
});

test('the error for an undefined item says that the item is undefined', () => {
  const write = compile({ type: 'array', items: row });
  const error: unknown = expect.objectContaining({
    message: 'undefined cannot be converted to an object.',
    path: '/1',
  });
  expect(() => write([{ a: 'x' }, undefined])).toThrow(error as Error);
  expect(() => write([{ a: 'x' }, { toJSON: () => undefined }])).toThrow(error as Error);
});
