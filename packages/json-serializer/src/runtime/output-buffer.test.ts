import type { JsonSchema } from '@ambit/json-schema';
import { expect, test } from 'vitest';
import { compile, makeWriter } from '../compile.ts';
import { javaScriptCore, pickStrategy } from '../engine.ts';
import { readShape } from '../shape/read-shape.ts';
import { type BufferWriter, bufferBytes, bufferWrites, writeText } from './output-buffer.ts';
import { runtimeFor } from './runtime.ts';

/** Records which way was used, and how often. */
function countWays(writeToBuffer: BufferWriter): (times: number) => string {
  const write = bufferWrites(
    () => 'c',
    () => writeToBuffer,
  );
  return (times) => {
    let ways = '';
    for (let count = 0; count < times; count++) ways += write(undefined);
    return ways;
  };
}

const gaining: BufferWriter = (_value, position, output) => writeText('s', position, output);
const losing: BufferWriter = (_value, position, output) => {
  output.lostChars = 2;
  return writeText('s', position, output);
};

test('the first sixteen values are concatenated, the others go through a buffer', () => {
  const ways = countWays(gaining);
  expect(ways(100)).toBe('c'.repeat(16) + 's'.repeat(84));
});

test('after a value for which the buffer was slower, the buffer pauses: four times as long each time, up to a limit', () => {
  const ways = countWays(losing);
  expect(ways(16)).toBe('c'.repeat(16));
  for (const pause of [256, 1024, 4096, 16_384, 65_536, 65_536]) {
    expect(ways(1 + pause)).toBe(`s${'c'.repeat(pause)}`);
  }
  expect(ways(1)).toBe('s');
});

test('after a value for which the buffer was faster, the next pause is short again', () => {
  let turn = 0;
  const ways = countWays((...at) => (turn++ === 1 ? gaining : losing)(...at));
  ways(16);
  expect(ways(1 + 256)).toBe(`s${'c'.repeat(256)}`);
  expect(ways(2 + 256)).toBe(`ss${'c'.repeat(256)}`);
  expect(ways(1)).toBe('s');
});

test('an error is thrown unchanged, and its buffer is used again', () => {
  const buffers = new Set<unknown>();
  const error = new TypeError('not this one');
  const ways = countWays((_value, position, output) => {
    buffers.add(output);
    output.lostChars = 1000;
    writeText('half of'.repeat(10), position, output);
    throw error;
  });
  ways(16);
  for (let count = 0; count < 10; count++) expect(() => ways(1)).toThrow(error);
  expect(buffers.size).toBe(1);
  expect(countWays(gaining)(17)).toBe(`${'c'.repeat(16)}s`);
});

test('an error that concatenation would also throw is thrown at once', () => {
  let concatenated = 0;
  const error = new RangeError('Invalid time value');
  const write = bufferWrites(
    () => {
      concatenated++;
      return 'c';
    },
    () => () => {
      throw error;
    },
  );
  for (let count = 0; count < 16; count++) write(undefined);
  for (let count = 0; count < 3; count++) expect(() => write(undefined)).toThrow(error);
  expect(concatenated).toBe(16);
});

test('a value that does not fit into a buffer is concatenated', () => {
  const ways = countWays((_value, _position, buffer) => {
    buffer.read(bufferBytes + 1);
    return 0;
  });
  expect(ways(16 + 4)).toBe('c'.repeat(20));
});

const integer = { type: 'integer' };

test('the getters of a value with an invalid date run as often with a buffer as without one', () => {
  const { properties } = object(8);
  const write = compile({
    type: 'object',
    properties: { ...properties, counted: integer, at: { type: 'string', format: 'date-time' } },
  });
  let reads = 0;
  const broken = {
    get counted() {
      return ++reads;
    },
    at: new Date(Number.NaN),
  };
  const readsOf = () => {
    reads = 0;
    expect(() => write(broken)).toThrow('Invalid time value');
    return reads;
  };
  const concatenated = readsOf();
  for (let count = 0; count < 16; count++) write({ counted: 1 });
  expect(readsOf()).toBe(concatenated);
});

/** A recursive value that is nearly as deep as the first attempt can write. */
function findDeep(write: (value: unknown) => string): object {
  const step = 50;
  let written: object = { key0: 0 };
  for (let value = written, depth = 1; ; depth++) {
    value = { key0: depth, next: value };
    if (depth % step !== 0) continue;
    try {
      write(value);
    } catch {
      return written;
    }
    // One step less deep, because the available stack differs from call to call.
    written = (value as { next: object }).next;
    for (let back = 1; back < step; back++) written = (written as { next: object }).next;
  }
}

const object = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, integer])),
});

test('a deep value that concatenation can write is also written later', () => {
  const schema = { type: 'object', properties: { ...object(8).properties, next: { $ref: '#' } } };
  const deep = findDeep((value) => compile(schema)(value));
  const write = compile(schema);
  const text = write(deep);
  for (let turn = 0; turn < 50; turn++) expect(write(deep)).toBe(text);
});

/** How often this many values of numbers are written into a buffer. */
function countBufferWrites(engine: string, schema: JsonSchema, value: unknown, values: number): number {
  let writes = 0;
  const { writeInteger } = runtimeFor('trunc') as { writeInteger: (...at: unknown[]) => number };
  const counting = (...at: unknown[]) => {
    writes++;
    return writeInteger(...at);
  };
  const runtime = { ...runtimeFor('trunc'), writeInteger: counting };
  const write = makeWriter(readShape(schema, {}).shape, pickStrategy(engine), runtime, false);
  for (let count = 0; count < values; count++) write(value);
  return writes;
}

for (const [engine, least] of [
  ['11.3', 4],
  ['12.4', 4],
  ['13.6', 4],
  ['14.6', 8],
  [javaScriptCore, 4],
] as const) {
  test(`objects with ${least} or more integers go through a buffer on ${engine}, smaller ones do not`, () => {
    expect(countBufferWrites(engine, object(least), { key0: 7 }, 20)).toBe(4);
    expect(countBufferWrites(engine, object(least - 1), { key0: 7 }, 20)).toBe(0);
  });
}

test('an object with many strings does not go through a buffer if native code writes it faster', () => {
  const string = { type: 'string' };
  const few = { ...object(8).properties, a: string, b: string };
  const many = { ...few, c: string, d: string, e: string, f: string };
  const value = { key0: 7, a: 'x' };
  expect(countBufferWrites('14.6', { type: 'object', properties: few }, value, 20)).toBe(4);
  expect(countBufferWrites('14.6', { type: 'object', properties: many }, value, 20)).toBe(0);
  expect(countBufferWrites('13.6', { type: 'object', properties: many }, value, 20)).toBe(4);
});
