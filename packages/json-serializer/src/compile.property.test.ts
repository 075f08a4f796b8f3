// Random schemas and values: compares the serializer with the oracle, with JSON.parse, and with what the schema
// declares of the value.
import type { JsonSchema } from '@ambit/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countReads, decided, decisions, fields, otherName, pair, text, value } from '../test/arbitraries.ts';
import { askOracle } from '../test/oracle.ts';
import { compile } from './compile.ts';
import { SerializationError } from './errors.ts';
import type { Serializer } from './serializer.ts';

const runs = { numRuns: 300 };
test('the output equals that of the oracle, if the oracle has one', () => {
  fc.assert(
    fc.property(pair, ([of, input]) => {
      // With `string` in a list of types, the oracle writes arrays as text.
      fc.pre(!hasStringInList(of) || !hasArray(input));
      const expected = askOracle(of, input);
      // At the root, `undefined` is always an error of the serializer.
      fc.pre(expected !== undefined && input !== undefined);
      expect(compile(of)(input)).toBe(expected);
    }),
    runs,
  );
});

test('every value is written as valid JSON, or is an error with a path', () => {
  fc.assert(
    fc.property(pair, ([of, input]) => {
      const write = compile(of);
      try {
        JSON.parse(write(input));
      } catch (error) {
        expect(error).toBeInstanceOf(SerializationError);
      }
    }),
    runs,
  );
});

test('a string in any position is written as JSON.stringify writes it', () => {
  const write = compile({
    type: 'object',
    properties: { alone: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } },
    additionalProperties: { type: ['string', 'null'] },
  });
  fc.assert(
    fc.property(
      text,
      fc.array(text, { maxLength: 200 }),
      fc.dictionary(otherName, text),
      (alone, list, others) => {
        const input = { alone, list, ...others };
        expect(write(input)).toBe(JSON.stringify(input));
      },
    ),
    runs,
  );
});

// A string with few escapes is written in pieces, one with many is not: many, few, at both ends, next to characters
// that are not ASCII.
test('any number of escapes in a string is written as JSON.stringify writes them', () => {
  const special = fc.constantFrom(
    '"',
    '\\',
    '\n',
    '\t',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u2028',
    '\ud83d',
    '😀',
    'é',
    'я',
    '',
  );
  const piece = fc
    .tuple(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 90 })), special)
    .map(([length, last]) => 'x'.repeat(length) + last);
  const escaped = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const string = { type: 'string' };
  const alone = compile({ type: 'object', properties: { text: string } });
  const rows = compile({
    type: 'array',
    items: { type: 'object', properties: { text: string, size: { type: 'integer' } } },
  });
  fc.assert(
    fc.property(fc.array(escaped, { minLength: 1, maxLength: 6 }), (texts) => {
      expect(alone({ text: texts[0] })).toBe(JSON.stringify({ text: texts[0] }));
      const list = texts.map((text, size) => ({ text, size }));
      expect(rows(list)).toBe(JSON.stringify(list));
    }),
    { numRuns: 2000 },
  );
});

// Fractions with few decimals are written in their own way: tests its limits, both signs, and sizes at which exponents
// begin.
test('a number in any position is written as JSON.stringify writes it', () => {
  const number = { type: 'number' };
  const write = compile({
    type: 'object',
    properties: {
      alone: number,
      maybe: { ...number, nullable: true },
      list: { type: 'array', items: number },
    },
    additionalProperties: number,
  });
  const decimal = fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 25 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
  const neighbour = decimal.map((near) => near * (1 + Number.EPSILON));
  const any = fc.oneof(decimal, neighbour, fc.double({ noNaN: true }), fc.constant(-0));
  fc.assert(
    fc.property(any, fc.option(any), fc.array(any, { maxLength: 20 }), any, (alone, maybe, list, other) => {
      const input = { alone, maybe, list, other };
      expect(write(input)).toBe(JSON.stringify(input));
    }),
    { numRuns: 3000 },
  );
});

test('exactly the declared properties are written', () => {
  const write = compile({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'number' },
        c: { type: 'boolean' },
        d: { type: ['string', 'null'] },
      },
    },
  });
  const row = fc.record(
    {
      d: fc.oneof(text, fc.constant(null)),
      z: value,
      c: fc.boolean(),
      b: fc.double({ noNaN: true, noDefaultInfinity: true }),
      a: text,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const projection = rows.map(({ a, b, c, d }) => ({ a, b, c, d }));
      expect(write(rows)).toBe(JSON.stringify(projection));
    }),
    runs,
  );
});

test('no getter runs twice, unless it selects a branch or is required without a declaration', () => {
  fc.assert(
    fc.property(pair, ([of, input]) => {
      fc.pre(!/"anyOf"|"required":\["/.test(JSON.stringify(of)));
      const write = compile(of);
      const expected = outcome(write, input);
      fc.pre(!expected.startsWith('error'));
      const { value, reads } = countReads(input);
      expect(outcome(write, value)).toBe(expected);
      expect(reads.every((count) => count < 2)).toBe(true);
    }),
    runs,
  );
});

// Up to eight combinations have a shape each, which is the simple way. Four more conditions, without effect, cause the
// other way.
test('many conditions and choices that apply together write the same as few', () => {
  const idle = (name: string) => ({ if: { required: [name] } });
  fc.assert(
    fc.property(fields, decisions, decided, (base, some, input) => {
      const few = { type: 'object', ...base, allOf: [{}, ...some] };
      const many = { ...few, allOf: [...few.allOf, ...['p', 'q', 'r', 's'].map(idle)] };
      // Impossible outcomes may be contradictory. They are an error only if their shape is read.
      fc.pre(isSchema(few));
      expect(outcome(compile(many), input)).toBe(outcome(compile(few), input));
    }),
    { numRuns: 1000 },
  );
});

function isSchema(schema: JsonSchema): boolean {
  try {
    return compile(schema) !== undefined;
  } catch {
    return false;
  }
}

function outcome(write: Serializer, input: unknown): string {
  try {
    return write(input);
  } catch (error) {
    // If there are several faults, either way reports the one that it finds first.
    const said = (error as Error).message.replace(/'.*'|".*"/, '…');
    return `error at ${(error as SerializationError).path}: ${said}`;
  }
}

function hasStringInList(schema: JsonSchema): boolean {
  return /"type":\[[^\]]*"string"/.test(JSON.stringify(schema));
}

function hasArray(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  return Array.isArray(input) || Object.values(input).some(hasArray);
}
