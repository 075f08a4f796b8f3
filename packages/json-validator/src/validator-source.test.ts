import type { AnySchemaObject } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySchema } from '../test/any-schema.ts';
import { AjvCompiler } from './ajv-compiler.ts';
import type { AjvOptions, SharedSchemas } from './options.ts';
import { type CompiledModule, LinkedModules, ValidatorSource } from './validator-source.ts';

type Validate = ((data: unknown, place?: object) => unknown) & { errors?: unknown };

const quiet: AjvOptions = { customOptions: { logger: false } };

function compileFrom(schema: unknown, shared: SharedSchemas, options: AjvOptions): Validate {
  return new AjvCompiler(shared, options).compile(schema as AnySchemaObject) as Validate;
}

function linkFromSource(schema: unknown, shared: SharedSchemas, options: AjvOptions): Validate {
  const source = new ValidatorSource();
  const content = JSON.stringify(schema);
  const number = source.add(shared, options, [content]).get(content)!;
  const modules = new Function(`return [${source.modules.join(',\n')}]`)() as CompiledModule[];
  return new LinkedModules(modules).link(number) as Validate;
}

/** The full result of a validator for a value, and the value after it. A circular schema overflows the stack. */
function outcome(validate: Validate, data: unknown): object {
  const parent = { data: structuredClone(data) };
  try {
    const result = validate(parent.data, { parentData: parent, parentDataProperty: 'data' });
    return { result, errors: structuredClone(validate.errors ?? null), data: parent.data };
  } catch (error) {
    return { thrown: (error as Error).name };
  }
}

function compiles(schema: unknown, shared: SharedSchemas): boolean {
  try {
    compileFrom(schema, shared, quiet);
    return true;
  } catch {
    return false;
  }
}

const value = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom('a', 'b', 'part', '__proto__'), fc.jsonValue(), { maxKeys: 3 }),
  fc.array(fc.constantFrom('x', '1', 1, null, true), { maxLength: 3 }),
);

test('standalone code gives the same result as the engine for every value', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      anySchema,
      anySchema,
      fc.array(value, { minLength: 3, maxLength: 6 }),
      (schema, other, data) => {
        const shared = { user: { ...(typeof other === 'object' ? other : {}), $id: 'user' } };
        if (!compiles(schema, shared)) return;
        compared++;
        const [standalone, compiled] = [
          linkFromSource(schema, shared, quiet),
          compileFrom(schema, shared, quiet),
        ];
        for (const each of data) expect(outcome(standalone, each)).toEqual(outcome(compiled, each));
      },
    ),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(10);
});

const text = { type: 'string' };
const person = {
  $id: 'person',
  type: 'object',
  properties: { name: { ...text, minLength: 2 }, friends: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
};
const team = {
  $id: 'team',
  type: 'object',
  properties: { lead: { $ref: 'person#' }, next: { $ref: 'team#' } },
};
const shared = { person, team };

const cases: [what: string, schema: unknown, values: unknown[], options?: AjvOptions][] = [
  ['a shared schema as a whole', person, [{ name: 'ada' }, { name: 'x' }, {}]],
  ['a recursive schema', { $ref: 'person#' }, [{ name: 'ada', friends: [{ name: 'x' }] }]],
  ['schemas that lead to one another', { $ref: 'team#' }, [{ lead: { name: 'x' } }, { next: { lead: {} } }]],
  ['a definition of a shared schema', { $ref: 'person#/properties/name' }, ['x', 'ada', 1]],
  [
    'formats, with their order',
    { ...text, format: 'date', formatMinimum: '2020-01-01' },
    ['2019-01-01', '2021-01-01', 'x'],
  ],
  ['patterns and lengths', { ...text, pattern: '^\\p{L}+/"$', maxLength: 4 }, ['é/"', 'éééé/"', 7]],
  [
    'unique items and constants',
    { type: 'array', uniqueItems: true, items: { enum: [{ a: 1 }, 'x'] } },
    [[{ a: 1 }, { a: 1 }], ['y']],
  ],
  [
    'a constant with a property named __proto__',
    JSON.parse('{"const":{"__proto__":1}}'),
    [JSON.parse('{"__proto__":1}'), {}],
  ],
  [
    'defaults and coercion',
    { type: 'object', properties: { a: { ...text, default: '\u2028' }, b: { type: 'integer' } } },
    [{ b: '3' }, { b: ['4'] }, { b: 'x' }],
  ],
  [
    'every error',
    { type: 'object', properties: { a: text, b: text }, required: ['c'] },
    [{ a: {}, b: {} }],
    { customOptions: { allErrors: true, verbose: true } },
  ],
  [
    'references to data',
    {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number', minimum: { $data: '1/a' } } },
    },
    [{ a: 2, b: 1 }],
    { customOptions: { $data: true } },
  ],
  [
    'a discriminator',
    {
      type: 'object',
      required: ['k'],
      discriminator: { propertyName: 'k' },
      oneOf: [{ properties: { k: { const: 'a' }, v: text } }, { properties: { k: { const: 'b' } } }],
    },
    [{ k: 'a', v: {} }, { k: 'c' }],
    { customOptions: { discriminator: true } },
  ],
  [
    'the meta-schema',
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    [{ type: 'string' }, { type: 'text' }],
  ],
  ['no type at all', true, [1]],
  [
    'type definitions',
    { properties: { at: { type: 'timestamp' }, kind: { enum: ['a'] } } },
    [{ at: '2020-01-01T00:00:00Z', kind: 'a' }, { at: 'x' }],
    { mode: 'JTD' },
  ],
];
for (const [what, schema, values, options = {}] of cases) {
  test(`${what}: standalone code gives the same result as the engine`, () => {
    const sharedOfMode = options.mode === 'JTD' ? {} : shared;
    const standalone = linkFromSource(schema, sharedOfMode, options);
    const compiled = compileFrom(schema, sharedOfMode, options);
    for (const each of values) expect(outcome(standalone, each)).toEqual(outcome(compiled, each));
  });
}

test('schemas of one engine share the functions that they refer to', () => {
  const source = new ValidatorSource();
  const contents = ['a', 'b', 'c'].map((name) =>
    JSON.stringify({ type: 'object', properties: { [name]: { $ref: 'team#' } } }),
  );
  source.add(shared, {}, contents);
  expect(source.modules.length).toBe(contents.length + 2);
});
