/** Random values of which many throw when they are read, converted or logged. Made afresh for each use: some can be used once. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { hostileErrors, hostileObjects } from './hostile-values.ts';

/** A value and what it is, for the report of a counterexample. */
export interface AnyValue {
  readonly what: string;
  readonly make: () => unknown;
  readonly toString: () => string;
}

function named(what: string, make: () => unknown): AnyValue {
  return { what, make, toString: () => what };
}

const hostile = [...Object.entries(hostileObjects), ...hostileErrors()].map(([what, make]) =>
  named(what, make),
);

const plain = [
  undefined,
  null,
  false,
  true,
  0,
  200,
  404.5,
  Number.NaN,
  -1,
  99_999,
  10n,
  '',
  'text',
  'a\r\nb: c',
  '→',
  '__proto__',
  Symbol('value'),
  Symbol.iterator,
].map((value) => named(String(value), () => value));

const made = Object.entries<() => unknown>({
  'an error': () => new Error('failed'),
  'an error with a status': () => Object.assign(new Error('failed'), { statusCode: 418 }),
  'an error with headers': () =>
    Object.assign(new Error('failed'), { headers: { 'x-b': Symbol('b'), 'x-c': 'c' } }),
  'an invalid date': () => new Date(Number.NaN),
  'a function': () => () => {},
  'a class': () => class {},
  'a map': () => new Map([[Symbol('key'), 1]]),
  'a buffer': () => Buffer.from('bytes'),
  'a typed array': () => new Uint16Array([1, 2]),
  'a stream': () => Readable.from([Buffer.from('stream')]),
  'a stream that fails': () =>
    new Readable({
      read() {
        this.destroy(new Error('read'));
      },
    }),
  'a stream of objects': () => Readable.from([{ a: 1 }]),
  'a web stream': () => new Blob(['web']).stream(),
  'a web stream that fails': () =>
    new ReadableStream({
      pull() {
        throw new Error('read');
      },
    }),
  'a URL': () => new URL('http://example.org/ü'),
  'an object': () => ({ a: 1 }),
}).map(([what, make]) => named(what, make));

const single: fc.Arbitrary<AnyValue> = fc.oneof(
  { arbitrary: fc.constantFrom(...hostile), weight: 4 },
  { arbitrary: fc.constantFrom(...plain), weight: 2 },
  { arbitrary: fc.constantFrom(...made), weight: 2 },
);

/** Such a value, or one that stands in an array or an object. */
export const anyValue: fc.Arbitrary<AnyValue> = fc.oneof(
  { arbitrary: single, weight: 5 },
  { arbitrary: single.map((value) => named(`[${value.what}]`, () => [value.make()])), weight: 1 },
  { arbitrary: single.map((value) => named(`{ a: ${value.what} }`, () => ({ a: value.make() }))), weight: 1 },
);
