// A buffer must contain the same text that concatenation writes, with the strategy of each engine.

import type { JsonSchema } from '@ambit/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pair, text } from '../../test/arbitraries.ts';
import { makeWriter } from '../compile.ts';
import { javaScriptCore, pickStrategy, type Strategy } from '../engine.ts';
import {
  acquireBuffer,
  type BufferWriter,
  bufferBytes,
  flushThreshold,
  releaseBuffer,
  reserveBytes,
} from '../runtime/output-buffer.ts';
import { runtimeFor } from '../runtime/runtime.ts';
import { copiedChars } from '../runtime/strings.ts';
import type { Serializer } from '../serializer.ts';
import { readShape } from '../shape/read-shape.ts';
import { isBuffered } from './buffer.ts';
import { Program } from './program.ts';

const engines = ['11.3', '12.4', '13.6', '14.6', javaScriptCore];
/** A buffer also for lists of strings, which native code writes on every engine. */
const bufferAlone: Strategy = { ...pickStrategy('11.3'), nativeItems: Number.POSITIVE_INFINITY };
const strategies: [name: string, Strategy][] = [
  ...engines.map((engine): [string, Strategy] => [engine, pickStrategy(engine)]),
  ['a buffer alone', bufferAlone],
];

function compileFor(strategy: Strategy, schema: JsonSchema): Serializer {
  return makeWriter(readShape(schema, {}).shape, strategy, runtimeFor('trunc'), false);
}

/** Uses a buffer for every shape, from the first value on, and without pauses. */
function makeBufferedWriter(schema: JsonSchema, strategy = bufferAlone): Serializer {
  const { shape } = readShape(schema, {});
  if (!isBuffered(shape)) return compileFor(strategy, schema);
  const program = new Program(strategy);
  const writer = program.link(program.bufferWriter(shape), runtimeFor('trunc')) as BufferWriter;
  return (value) => {
    const output = acquireBuffer();
    // Fills the buffer, so that a byte which is read but was not written changes the text.
    output.bytes.fill(0xa7);
    const written = output.finish(writer(value, 0, output));
    releaseBuffer(output);
    return written;
  };
}

const concatenating = (schema: JsonSchema, strategy = bufferAlone) =>
  compileFor({ ...strategy, bufferMinValues: Number.POSITIVE_INFINITY }, schema);

function outcome(write: Serializer, value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    return `${error}`;
  }
}

for (const [name, strategy] of strategies) {
  test(`a buffer writes or rejects any value like concatenation for ${name}`, () => {
    fc.assert(
      fc.property(pair, ([schema, value]) => {
        const writer = makeBufferedWriter(schema, strategy);
        const expected = outcome(concatenating(schema, strategy), value);
        // Repeated, because the first run leaves its bytes in the buffer.
        expect([outcome(writer, value), outcome(writer, value)]).toEqual([expected, expected]);
      }),
      { numRuns: 1000 },
    );
  });
}

const string = { type: 'string' };
const number = { type: 'number' };
const row = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: string,
    rate: number,
    isOpen: { type: 'boolean' },
    at: { type: 'string', format: 'date-time' },
    note: { type: ['string', 'null'] },
    kind: { const: 'row' },
    tags: { type: 'array', items: string },
    place: { type: 'array', items: [number, number] },
    'größe "€"': { type: ['integer', 'null'] },
  },
};
const anyText = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 5000 }));
const anyRow = fc.record({
  id: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  name: anyText,
  rate: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map((many) => many / 1000),
  ),
  isOpen: fc.boolean(),
  at: fc.date({ noInvalidDate: true }),
  note: fc.oneof(fc.constant(null), anyText),
  kind: fc.constant('row'),
  tags: fc.array(anyText, { maxLength: 5 }),
  place: fc.tuple(fc.integer(), fc.integer()),
  'größe "€"': fc.option(fc.integer()),
});
// The largest object that may be written without a check of the free space.
const wideNames = Array.from({ length: 100 }, (_, index) => `at${index}`);
const wide = {
  type: 'object',
  properties: Object.fromEntries(wideNames.map((name) => [name, { type: 'string', format: 'date-time' }])),
};
const wideRow = Object.fromEntries(wideNames.map((name) => [name, new Date(0)]));
/** Lengths at which the next piece begins just before the threshold of a buffer, or of the next one. */
const filler = fc
  .tuple(fc.constantFrom(1, 2), fc.integer({ min: -250, max: 10 }))
  .map(([times, by]) => times * flushThreshold + by);

test('the text equals that of JSON.stringify wherever the buffer ends', () => {
  const write = makeBufferedWriter({ type: 'array', items: { anyOf: [row, string] } });
  fc.assert(
    fc.property(filler, fc.array(anyRow, { minLength: 1, maxLength: 5 }), (length, rows) => {
      // Short strings, because a long one makes room itself.
      const fillers = [...new Array(Math.floor(length / 10)).fill('filler-'), 'x'.repeat(length % 10)];
      const value = [...fillers, ...rows];
      expect(write(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 200 },
  );
});

test('an object with the maximum width fits wherever it begins', () => {
  const write = makeBufferedWriter({
    type: 'array',
    items: { type: 'array', items: { anyOf: [wide, string] } },
  });
  for (let by = -30; by <= 10; by++) {
    const length = flushThreshold + by;
    const fillers = [...new Array(Math.floor(length / 10)).fill('filler-'), 'x'.repeat(length % 10)];
    const value = [[...fillers, wideRow], [wideRow]];
    expect(write(value)).toBe(JSON.stringify(value));
  }
});

test('nested objects that end in the maximum of bytes fit wherever they begin', () => {
  const long = -1.2345678901234567e-308;
  let schema: JsonSchema = { type: 'object', properties: { last: number } };
  let value: object = { last: long };
  for (let depth = 0; depth < 6; depth++) {
    const names = Array.from({ length: 95 }, (_, index) => `key${index}`);
    const numbers = Object.fromEntries(names.map((name) => [name, number]));
    schema = { type: 'object', properties: { inner: schema, ...numbers } };
    value = { inner: value, ...Object.fromEntries(names.map((name) => [name, long])) };
  }
  const write = makeBufferedWriter({ type: 'array', items: { anyOf: [schema, string] } });
  for (let length = flushThreshold - 5000; length <= flushThreshold; length += 37) {
    const list = [...new Array(Math.floor(length / 10)).fill('filler-'), 'x'.repeat(length % 10), value];
    expect(write(list)).toBe(JSON.stringify(list));
  }
});

test('a string and the text after it fit at the last possible position', () => {
  expect(6 * copiedChars + reserveBytes + 7).toBeLessThan(bufferBytes - flushThreshold);
});

for (const last of ['0 €', 'é', 'é'.repeat(40), '\u007f'.repeat(40), 'plain', '"']) {
  test(`an object that ends in the default ${JSON.stringify(last)} is closed`, () => {
    const write = makeBufferedWriter({
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, [`${last}!`]: { type: 'string', default: last } },
      },
    });
    const rows = Array.from({ length: 6000 }, (_, id) => ({ id }));
    expect(write(rows)).toBe(JSON.stringify(rows.map(({ id }) => ({ id, [`${last}!`]: last }))));
  });
}

test('an array whose length is not a number is written as JSON', () => {
  const write = makeBufferedWriter({ type: 'array', items: number });
  for (const length of [-1, Number.NaN, null, undefined, '0']) {
    const list = new Proxy([1], {
      get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)),
    });
    expect(() => JSON.parse(write(list))).not.toThrow();
  }
});

test('a list whose choice has no branch is empty, or an error', () => {
  const write = makeBufferedWriter({ type: 'array', items: { anyOf: [false] } });
  expect(write([])).toBe('[]');
  expect(() => write([1])).toThrow('does not match schema definition');
});

test('no gap is between numbers in lists longer than the buffer', () => {
  const write = makeBufferedWriter({
    type: 'object',
    properties: { list: { type: 'array', items: number } },
  });
  const anyNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(anyNumber, fc.integer({ min: 1, max: 40_000 }), (one, count) => {
      const value = { list: new Array(count).fill(one) };
      expect(write(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 50 },
  );
});

for (const integer of [
  0,
  -0,
  1,
  9,
  10,
  99,
  100,
  101,
  999,
  1000,
  99_999,
  100_000,
  999_999,
  1e6,
  9_999_999,
  1e7,
  99_999_999,
  1e8,
  999_999_999,
  1e9,
  2_147_483_647,
  2_147_483_648,
  -1,
  -10,
  -2_147_483_647,
  -2_147_483_648,
  -2_147_483_649,
  Number.MAX_SAFE_INTEGER,
  1e21,
  -1e21,
  1.5e300,
]) {
  test(`the integer ${Object.is(integer, -0) ? '-0' : integer} is written in full`, () => {
    expect(makeBufferedWriter({ type: 'array', items: { type: 'integer' } })([integer, integer])).toBe(
      JSON.stringify([integer, integer]),
    );
  });
}

for (const fraction of [
  0.1,
  0.01,
  0.001,
  0.0001,
  0.101,
  0.11,
  0.5,
  0.999,
  1.005,
  9.99,
  10.25,
  -0.5,
  -7.125,
  2_147_483.647,
  2_147_483.648,
  123_456_789.001,
  1e-7,
  5e-324,
  0.1 + 0.2,
  1.7976931348623157e308,
]) {
  test(`the fraction ${fraction} is written in full`, () => {
    expect(makeBufferedWriter({ type: 'array', items: number })([fraction, fraction])).toBe(
      `[${fraction},${fraction}]`,
    );
  });
}

const dates = { type: 'array', items: { type: 'string', format: 'date-time' } };

test('a Date is written like its toISOString', () => {
  const write = makeBufferedWriter(dates);
  const date = fc.date({ noInvalidDate: true });
  const near = fc
    .constantFrom(
      '0000-01-01',
      '0000-03-01',
      '1600-02-29',
      '1900-02-28',
      '1970-01-01',
      '2000-02-29',
      '2100-03-01',
    )
    .chain((day) =>
      fc.integer({ min: -90_000_000, max: 90_000_000 }).map((by) => new Date(Date.parse(day) + by)),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(date, near), { minLength: 1 }), (list) => {
      expect(write(list)).toBe(JSON.stringify(list));
    }),
    { numRuns: 2000 },
  );
});

test('getTime of a Date subclass runs once, and its result is written as JSON', () => {
  let asked = 0;
  class Odd extends Date {
    override getTime(): number {
      asked++;
      return 0.5;
    }
  }
  expect(makeBufferedWriter(dates)([new Odd(0)])).toBe('["1970-01-01T00:00:00.000Z"]');
  expect(asked).toBe(1);
});

test('a Date whose year does not have four digits is written with a sign', () => {
  const list = [-1, 10_000, 275_000].map((year) => new Date(Date.UTC(year, 0, 1)));
  expect(makeBufferedWriter(dates)(list)).toBe(
    '["-000001-01-01T00:00:00.000Z","+010000-01-01T00:00:00.000Z","+275000-01-01T00:00:00.000Z"]',
  );
});

for (const length of [0, 1, 3, 4, 5, 23, 24, 25, 31, 32, 33, 2047, 2048, 2049, 9000, 70_000]) {
  for (const [kind, last] of [
    ['plain', '~'],
    ['a quote', '"'],
    ['a control character', '\u001f'],
    ['Latin-1', 'ÿ'],
    ['the first that is not Latin-1', 'Ā'],
    ['another script', 'я'],
    ['a pair of surrogates', '😀'],
    ['a lone surrogate', '\ud83d'],
  ] as const) {
    test(`a string of ${length} characters and ${kind} is written as JSON.stringify does`, () => {
      const value = { before: 'a', text: 'x'.repeat(length) + last, after: last };
      const write = makeBufferedWriter({
        type: 'object',
        properties: { before: string, text: string, after: string },
      });
      expect(write(value)).toBe(JSON.stringify(value));
    });
  }
}

for (const length of [23, 24, 31, 32, 1000, 9000, 10_000, 11_000, 20_000, 60_000]) {
  test(`${length} characters that each take more than a byte fit`, () => {
    for (const one of ['\u0001', '"', 'é', '€']) {
      const list = [one.repeat(length), 'after'];
      expect(makeBufferedWriter({ type: 'array', items: string })(list)).toBe(JSON.stringify(list));
    }
  });
}

for (const length of [30, 255, 257, 4000, 4096, 9000]) {
  test(`names, constants and defaults of ${length} characters leave no gap`, () => {
    const long = 'n'.repeat(length);
    const write = makeBufferedWriter({
      type: 'object',
      properties: {
        [long]: string,
        constant: { const: long },
        other: { type: 'string', default: long },
        last: string,
      },
    });
    expect(write({ [long]: 'a', constant: long, last: 'b' })).toBe(
      JSON.stringify({ [long]: 'a', constant: long, other: long, last: 'b' }),
    );
  });

  test(`a list of constants of ${length} characters leaves no gap`, () => {
    const list = new Array(30).fill('c'.repeat(length));
    expect(makeBufferedWriter({ type: 'array', items: { const: list[0] } })(list)).toBe(JSON.stringify(list));
  });

  test(`a tuple of ${length} numbers leaves no gap`, () => {
    const list = Array.from({ length }, (_, index) => -1e9 - index);
    expect(makeBufferedWriter({ type: 'array', items: list.map(() => number) })(list)).toBe(
      JSON.stringify(list),
    );
  });
}

test('deep values leave no gap', () => {
  const write = makeBufferedWriter({
    type: 'object',
    properties: { name: string, next: { $ref: '#' }, also: { type: 'array', items: { $ref: '#' } } },
  });
  let value: object = { name: 'end' };
  for (let depth = 0; depth < 3000; depth++)
    value = { name: `level ${depth}`, next: value, also: [{ name: 'x' }] };
  expect(write(value)).toBe(JSON.stringify(value));
});

test('a getter may call a serializer that fails', () => {
  const schema = {
    type: 'array',
    items: { type: 'object', properties: { a: string, b: string, c: string } },
  };
  const write = makeBufferedWriter(schema);
  const inner = [{ a: 'inner', b: 'b'.repeat(40), c: 'c' }];
  const value = Array.from({ length: 3000 }, (_, index) => ({
    a: 'outer',
    get b() {
      if (index % 7 === 0) expect(() => write([undefined])).toThrow();
      return write(inner);
    },
    c: { toString: () => write(inner) },
  }));
  const nested = JSON.stringify(inner);
  expect(JSON.parse(write(value))).toEqual(value.map(() => ({ a: 'outer', b: nested, c: nested })));
});

test('no part of an earlier text is in a later one, even after an error', () => {
  const write = makeBufferedWriter({
    type: 'object',
    properties: { secret: string, list: { type: 'array', items: { type: 'integer' } } },
  });
  for (let turn = 0; turn < 20; turn++) {
    expect(write({ secret: 'k'.repeat(100 * turn), list: [turn] })).toBe(
      `{"secret":"${'k'.repeat(100 * turn)}","list":[${turn}]}`,
    );
    expect(() => write({ secret: 'k'.repeat(2000), list: [1, Symbol('none')] })).toThrow();
    expect(write({})).toBe('{}');
  }
});

test('values for which a buffer is slow, and others between them, are written correctly', () => {
  const strategy = { ...bufferAlone, bufferMinValues: 0, bufferMaxStringShare: 1 };
  const write = compileFor(strategy, { type: 'object', properties: { a: string, b: number } });
  for (let turn = 0; turn < 3000; turn++) {
    const value = turn % 300 < 290 ? { a: 'привет, мир', b: Math.PI * turn } : { a: 'hello', b: turn };
    expect(write(value)).toBe(JSON.stringify(value));
  }
});
