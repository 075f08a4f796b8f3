import type { JsonSchema } from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';
import { fromSource } from '../test/from-source.ts';
import { askOracle } from '../test/oracle.ts';
import { compile } from './compile.ts';
import { SerializationError } from './errors.ts';

/** Writes the value with our serializer, and expects the same text from the oracle and from standalone code. */
function write(schema: JsonSchema, value: unknown, refs: Record<string, JsonSchema> = {}): string {
  const text = compile(schema, { refs })(value);
  expect(text).toBe(askOracle(schema, value, refs));
  expect(fromSource(schema, { refs })(value)).toBe(text);
  return text;
}

const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const object = (properties: Record<string, unknown>, more = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

describe('objects', () => {
  test('undeclared properties are dropped without additionalProperties', () => {
    expect(write(object({ a: string }), { a: 'x', secret: 1 })).toBe('{"a":"x"}');
  });

  test('undeclared properties are dropped under additionalProperties: false', () => {
    expect(write(object({ a: string }, { additionalProperties: false }), { b: 1, a: 'x' })).toBe('{"a":"x"}');
  });

  test('additionalProperties: true writes the other properties unchanged, after the declared ones', () => {
    const schema = object({ a: string }, { additionalProperties: true });
    expect(write(schema, { b: { deep: [1] }, a: 'x', f() {} })).toBe('{"a":"x","b":{"deep":[1]}}');
  });

  test('a schema for additional properties coerces them', () => {
    expect(write(object({}, { additionalProperties: string }), { b: 1 })).toBe('{"b":"1"}');
  });

  test('the first matching pattern writes a property, the rest are additional', () => {
    const schema = object(
      { a: boolean },
      { patternProperties: { '^b': string, '^bb': number }, additionalProperties: integer },
    );
    expect(write(schema, { z: '4', bb: 3, a: 0 })).toBe('{"a":false,"z":4,"bb":"3"}');
  });

  test('required properties come first', () => {
    expect(write(object({ a: string, b: string }, { required: ['b'] }), { a: 'x', b: 'y' })).toBe(
      '{"b":"y","a":"x"}',
    );
  });

  test('properties that are undefined are left out, in every combination', () => {
    const schema = object({ a: string, b: integer, c: boolean });
    for (const value of [{}, { a: 'x' }, { b: 1 }, { c: true }, { a: 'x', c: true }, { b: 1, c: false }]) {
      expect(write(schema, value)).toBe(JSON.stringify(value));
    }
  });

  test('a default is written for an undefined property, through $ref too', () => {
    const schema = object(
      { a: { type: 'string', default: 'x' }, b: { $ref: '#/definitions/b' } },
      { definitions: { b: { type: 'object', default: { deep: true } } } },
    );
    expect(write(schema, {})).toBe('{"a":"x","b":{"deep":true}}');
  });

  test('null is an empty object, or null when nullable', () => {
    expect(write(object({ a: string }), null)).toBe('{}');
    expect(write(object({ a: string }, { nullable: true }), null)).toBe('null');
  });

  test('toJSON decides what is written', () => {
    expect(write(object({ a: string }), { toJSON: () => ({ a: 'from toJSON' }) })).toBe(
      '{"a":"from toJSON"}',
    );
  });

  test('getters of a class are properties', () => {
    class Account {
      get name() {
        return 'ada';
      }
    }
    expect(write(object({ name: string }), new Account())).toBe('{"name":"ada"}');
  });

  test('a getter runs once', () => {
    let runs = 0;
    const value = {
      get a() {
        runs++;
        return 'x';
      },
    };
    expect(compile(object({ a: string, b: integer }))(value)).toBe('{"a":"x"}');
    expect(runs).toBe(1);
  });

  test('names that need escapes are escaped', () => {
    const name = '"\\\u2028\n';
    expect(write(object({ [name]: string }), { [name]: 'x' })).toBe(JSON.stringify({ [name]: 'x' }));
  });

  test('names like numbers keep the order of the schema', () => {
    expect(
      compile(object({ b: string, 1: string, c: string, d: string }))({ b: 'x', 1: 'y', c: 'z', d: '' }),
    ).toBe(
      askOracle(object({ b: string, 1: string, c: string, d: string }), { b: 'x', 1: 'y', c: 'z', d: '' }),
    );
  });
});

describe('scalars', () => {
  test('each type coerces as the oracle does', () => {
    const values = ['7', 7, 7.5, true, false, null, new Date(0), /x/, '', ['5'], { a: 1 }];
    for (const type of ['string', 'number', 'integer', 'boolean', 'null']) {
      for (const value of values) {
        const expected = askOracle(object({ a: { type } }), { a: value });
        if (expected !== undefined) expect(compile(object({ a: { type } }))({ a: value })).toBe(expected);
      }
    }
  });

  for (const type of ['integer', 'number']) {
    for (const big of [
      12345678901234567890n,
      -9007199254740993n,
      '9007199254740993',
      '-12345678901234567890',
    ]) {
      test(`${typeof big} ${big} keeps every digit under ${type}`, () => {
        for (const schema of [{ type }, { type, nullable: true }]) {
          expect(compile(object({ a: schema }))({ a: big })).toBe(`{"a":${big}}`);
          const row = { a: big, text: 'a long text that needs no escape, for native code' };
          const rows = { type: 'array', items: object({ a: { type }, text: { type: 'string' } }) };
          expect(compile(rows)(new Array(200).fill(row)).split(String(big))).toHaveLength(201);
          expect(
            compile({ type: 'array', items: { type } })(new Array(200).fill(big)).split(String(big)),
          ).toHaveLength(201);
          expect(compile({ type: 'object', additionalProperties: { type } })({ a: big })).toBe(
            `{"a":${big}}`,
          );
        }
      });
    }
  }

  test('a limit selects the branch of a bigint', () => {
    const anyOf = [
      object({ a: { type: 'integer', maximum: 5 }, small: {} }),
      object({ a: integer, large: {} }),
    ];
    expect(compile({ anyOf })({ a: 7n, small: 1, large: 1 })).toBe('{"a":7,"large":1}');
    expect(compile({ anyOf })({ a: 5n, small: 1, large: 1 })).toBe('{"a":5,"small":1}');
  });

  for (const rounding of ['ceil', 'floor', 'round', 'trunc'] as const) {
    test(`integers are rounded by ${rounding}`, () => {
      for (const value of [1.5, -1.5, 2.4999, '3.7']) {
        expect(compile(integer, { rounding })(value)).toBe(askOracle(integer, value, {}, rounding));
      }
    });
  }

  test('infinity is written as null, and NaN is an error', () => {
    expect(write(number, Number.POSITIVE_INFINITY)).toBe('null');
    expect(() => compile(number)(Number.NaN)).toThrow('cannot be converted to a number');
  });

  test('a constant is written for any value', () => {
    expect(write(object({ a: { const: { b: [1] } } }), { a: 'other' })).toBe('{"a":{"b":[1]}}');
    expect(write(object({ a: { const: 'x', type: ['string', 'null'] } }), { a: null })).toBe('{"a":null}');
  });

  test('a type is inferred from keywords', () => {
    expect(write({ properties: { a: string } }, { a: 1, b: 2 })).toBe('{"a":"1"}');
    expect(write({ minimum: 3 }, '4')).toBe('4');
    expect(write({ maxLength: 3 }, 4)).toBe('"4"');
    expect(write({ items: string }, [4])).toBe('["4"]');
  });
});

describe('dates', () => {
  const dates = [
    0,
    1,
    -1,
    1.7e12 + 7,
    -62_167_219_200_000,
    253_402_300_799_999,
    253_402_300_800_000,
    -62_167_219_200_001,
  ];
  for (const format of ['date', 'time', 'date-time', undefined]) {
    test(`a Date under format ${format} is written as the oracle does`, () => {
      const schema = object({ a: { type: 'string', format } });
      for (const ms of dates) write(schema, { a: new Date(ms) });
      write(schema, { a: 'as it is "' });
      write(schema, { a: null });
    });
  }

  test('an invalid Date is an error with its path', () => {
    const schema = object({ a: { type: 'string', format: 'date-time' } });
    expect(() => compile(schema)({ a: new Date(Number.NaN) })).toThrow(
      expect.objectContaining({ message: 'Invalid time value', path: '/a' }) as Error,
    );
  });
});

describe('arrays', () => {
  for (const length of [0, 1, 2, 3, 7, 8, 64, 200]) {
    test(`${length} items of every kind are written`, () => {
      for (const [items, make] of [
        [string, (index: number) => `s${index}"`],
        [integer, (index: number) => index],
        [number, (index: number) => index / 3],
        [
          object({ a: string, b: string, c: integer }),
          (index: number) => ({ c: index, a: 'x', b: index, d: 1 }),
        ],
        [{ type: ['string', 'null'] }, (index: number) => (index % 2 === 0 ? null : 'x')],
        [true, (index: number) => ({ index })],
      ] as const) {
        write(
          { type: 'array', items },
          Array.from({ length }, (_, index) => make(index)),
        );
      }
    });
  }

  test('a tuple writes the items that it declares, and additionalItems writes the rest', () => {
    const schema = {
      type: 'array',
      items: [string, { type: 'integer', nullable: true }],
      additionalItems: true,
    };
    expect(write(schema, ['a', null, { free: 1 }])).toBe('["a",null,{"free":1}]');
    expect(write(schema, ['a'])).toBe('["a"]');
  });

  test('a tuple writes null for each item that is nullable, whatever its type is', () => {
    const types = ['integer', 'number', 'boolean', 'object', 'array'].map((type) => ({ type }));
    for (const item of [string, ...types, { type: 'array', items: [string] }])
      expect(write({ type: 'array', items: [{ ...item, nullable: true }] }, [null])).toBe('[null]');
  });

  test('a tuple rejects items of another type, and too many items', () => {
    const schema = { type: 'array', items: [string, integer] };
    expect(() => compile(schema)(['a', 'b'])).toThrow('Item at 1 does not match schema definition.');
    expect(() => compile(schema)(['a', 1, 2])).toThrow('Item at 2 does not match schema definition.');
  });

  test('a hole is null if any value is allowed, and an error if a string is required', () => {
    const sparse = [1, 2, 3];
    delete sparse[1];
    expect(compile({ type: 'array' })(sparse)).toBe('[1,null,3]');
    expect(() => compile({ type: 'array', items: string })(sparse)).toThrow(
      expect.objectContaining({ path: '/1' }) as Error,
    );
  });

  test('null is an empty array, or null when nullable', () => {
    expect(write({ type: 'array', items: string }, null)).toBe('[]');
    expect(write({ type: 'array', items: string, nullable: true }, null)).toBe('null');
  });
});

describe('strings', () => {
  const hostile = [
    '',
    '"',
    '\\',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u2028',
    '\u2029',
    '\ud800',
    '\udc00',
    '\ud83d\ude00',
    'é',
  ];
  for (const length of [0, 1, 9, 10, 13, 14, 23, 24, 28, 29, 79, 80, 300, 5000]) {
    test(`special characters after ${length} others are escaped`, () => {
      for (const text of hostile) {
        const value = `${'x'.repeat(length)}${text}x`;
        expect(compile(string)(value)).toBe(JSON.stringify(value));
        expect(compile(object({ a: string }))({ a: value })).toBe(JSON.stringify({ a: value }));
        expect(compile(object({ a: { type: 'string', nullable: true } }))({ a: value })).toBe(
          JSON.stringify({ a: value }),
        );
      }
    });
  }

  test('a string of megabytes is written', () => {
    const value = '"é\u2028'.repeat(1_000_000);
    expect(compile(object({ a: string }))({ a: value })).toBe(JSON.stringify({ a: value }));
  });
});

describe('a value that a getter throws', () => {
  const revoked = Proxy.revocable(new Error('revoked'), {});
  revoked.revoke();
  const thrown: [string, unknown][] = [
    ['undefined', undefined],
    ['a symbol', Symbol('thrown')],
    ['an object without a prototype', Object.create(null)],
    ['an error whose message is a symbol', Object.assign(new Error(), { message: Symbol('message') })],
    ['a proxy that was revoked', revoked.proxy],
    [
      'an error whose message throws when it is read',
      Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('no message');
        },
      }),
    ],
  ];
  const string = { type: 'string' };
  const schemas: [string, JsonSchema][] = [
    ['a declared property', object({ a: string })],
    ['a value without a schema', true as never],
    ['a branch', { anyOf: [object({ a: string }), { type: 'null' }] }],
  ];

  for (const [what, error] of thrown) {
    for (const [where, schema] of schemas) {
      test(`${what} in ${where} is the cause of an error that has a path`, () => {
        const value = {
          get a() {
            throw error;
          },
        };
        const caught = catchError(() => compile(schema)(value));
        expect(caught).toBeInstanceOf(SerializationError);
        expect((caught as SerializationError).path).toBe('/a');
        expect(Object.is((caught as SerializationError).cause, error)).toBe(true);
      });
    }
  }

  function catchError(run: () => unknown): unknown {
    try {
      return run();
    } catch (error) {
      return error;
    }
  }
});

describe('when code is generated', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } } as const;

  for (const generate of ['now', 'first-use'] as const) {
    test(`${generate}: the text is the same`, () => {
      expect(compile(schema, { generate })({ a: '1', b: 2 })).toBe('{"a":1}');
    });
  }

  test('a schedule may generate it before the first value, or never', () => {
    const scheduled: (() => void)[] = [];
    const write = compile(schema, { schedule: (generate) => scheduled.push(generate) });
    expect(scheduled).toHaveLength(1);
    scheduled[0]!();
    scheduled[0]!();
    expect(write({ a: 1 })).toBe('{"a":1}');
  });

  test('nothing is scheduled if the code is already generated', () => {
    const scheduled: unknown[] = [];
    compile(schema, { generate: 'now', schedule: (generate) => scheduled.push(generate) });
    expect(scheduled).toEqual([]);
  });
});
