// Boot says of a schema what Ajv says of it, whenever schemas are compiled, and what boots never fails to compile later.
import { Ajv, type AnySchema } from 'ajv';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import addFormatsModule from 'ajv-formats';
import { type AmbitOptions, ambit } from 'ambit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySchema } from '../../json-validator/test/any-schema.ts';
import { LogLines } from './support/log-lines.ts';
import { serve } from './support/serve.ts';

const addFormats = addFormatsModule.default;
const compileTimes = ['boot', 'first-use', 'background'] as const;

const keywords = [...Object.keys(draft7.properties), '$defs', '$async', 'nullable', 'writeOnly'];
const oddTexts = ['', 'x', '['];
const odd = fc.constantFrom<unknown>(
  ...[null, false, true, 0, -1, 1.5, ...oddTexts],
  ...[[], ['a', 'a'], [1], [{}], [null], {}, { a: 1 }, { a: {} }, { type: 'string' }, { type: 'strnig' }],
);
const name = fc.constantFrom('a', 'id', 'constructor', 'toString', 'valueOf', ...keywords);

/** Schemas of any form, right and wrong, at the top level above all: there forms are told apart. */
const candidate = fc.oneof(
  anySchema,
  fc.dictionary(name, odd, { maxKeys: 3, noNullPrototype: true }),
  fc.dictionary(name, anySchema, { maxKeys: 3, noNullPrototype: true }),
  fc
    .tuple(anySchema, name, odd)
    .map(([schema, key, value]) => ({ ...(typeof schema === 'object' ? schema : {}), [key]: value })),
  fc.tuple(name, odd, odd).map(([key, value, type]) => ({
    type: 'object',
    properties: { a: { [key]: value, type } },
  })),
  odd,
);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that never hold an object: they may be names of parameters. */
const plain = [
  ...[
    'title',
    'description',
    'examples',
    'readOnly',
    'writeOnly',
    'nullable',
    'format',
    'pattern',
    'required',
  ],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...[
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'contentMediaType',
    'contentEncoding',
  ],
];

/** The specification's short form: no keyword of JSON Schema at the top level. */
function inFull(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema as object);
  const isParameter = ([key, value]: [string, unknown]): boolean =>
    keywords.includes(key)
      ? plain.includes(key) && isObject(value)
      : isObject(value) || typeof value === 'boolean';
  return entries.length > 0 && entries.every(isParameter) ? { type: 'object', properties: schema } : schema;
}

const user = { $id: 'user', type: 'object', properties: { a: { type: 'string' } } };

/** The validator of an engine with the options of the specification, but one; `undefined` where it refuses. */
function compileByAjv(schema: unknown): ((data: unknown) => unknown) | undefined {
  const ajv = new Ajv({
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    // With `false`, Ajv cannot resolve the references of a schema to itself; Ambit can.
    addUsedSchema: true,
    logger: false,
  });
  addFormats(ajv);
  // An unknown format is a warning here, and an error in Ajv.
  for (const format of ['made-up', ...oddTexts]) ajv.addFormat(format, true);
  try {
    return ajv.addSchema(user).compile(structuredClone(inFull(schema)) as AnySchema);
  } catch {
    return undefined;
  }
}

const quiet: AmbitOptions = { ajv: { customOptions: { logger: false } } };

async function boots(schema: unknown, options: AmbitOptions) {
  const app = ambit({ ...quiet, ...options });
  app.addSchema(user);
  const seen: unknown[] = [];
  app.setErrorHandler((error, _request, reply) => {
    seen.push(error);
    return reply.code(error.statusCode ?? 500).send();
  });
  app.post('/', { schema: { body: schema } }, () => 'ok');
  const failure = await app.ready().then(
    () => undefined,
    (error: { code: string }) => error,
  );
  return { app, failure };
}

const values = [{}, { a: 'x' }, { a: { a: [] } }, [], ['x'], 'x', 5, null, true];

/** The status by what Ajv's function says: a boolean, or for `$async` a promise of the data. One that calls itself for ever is broken. */
async function outcome(validate: (data: unknown) => unknown, data: unknown): Promise<number> {
  try {
    return (await validate(structuredClone(data))) === false ? 400 : 200;
  } catch (error) {
    return error instanceof Ajv.ValidationError ? 400 : 500;
  }
}

for (const compile of compileTimes) {
  test(`compiled ${compile}: boot refuses a schema exactly when Ajv does, and requests are validated as by Ajv`, async () => {
    let [refused, accepted] = [0, 0];
    await fc.assert(
      fc.asyncProperty(candidate, async (schema) => {
        const theirs = compileByAjv(schema);
        const { app, failure } = await boots(schema, { compile });
        expect(failure?.code).toBe(theirs === undefined ? 'FST_ERR_SCH_VALIDATION_BUILD' : undefined);
        refused += Number(theirs === undefined);
        accepted += Number(theirs !== undefined);
        for (const value of theirs === undefined ? [] : values) {
          const headers = { 'content-type': 'application/json' };
          const reply = await app.inject({ method: 'POST', url: '/', headers, body: JSON.stringify(value) });
          expect(reply.statusCode).toBe(await outcome(theirs!, value));
        }
      }),
      { numRuns: 200 },
    );
    expect(refused).toBeGreaterThan(0);
    expect(accepted).toBeGreaterThan(0);
  });
}

test('boot says of the schemas of the other parts what Ajv says', async () => {
  const part = fc.constantFrom('params', 'querystring', 'query', 'headers');
  await fc.assert(
    fc.asyncProperty(candidate, part, async (schema, name) => {
      const app = ambit(quiet);
      app.addSchema(user);
      app.get('/:a', { schema: { [name]: schema } }, () => 'ok');
      const failure = await app.ready().then(
        () => undefined,
        (error: { code: string }) => error,
      );
      const code = compileByAjv(schema) === undefined ? 'FST_ERR_SCH_VALIDATION_BUILD' : undefined;
      expect(failure?.code).toBe(code);
    }),
    { numRuns: 200 },
  );
});

test('what is compiled in the background never fails there', async () => {
  const sound = fc.sample(candidate, { numRuns: 100 }).filter(compileByAjv);
  const lines = new LogLines();
  const app = ambit({ ...quiet, compile: 'background', logger: { level: 'error', stream: lines } });
  app.addSchema(user);
  for (const [i, body] of sound.entries()) app.post(`/${i}`, { schema: { body } }, () => 'ok');
  const origin = await serve(app);
  // A turn of the event loop compiles one; a request takes several.
  for (const [i] of sound.entries()) await fetch(`${origin}/${i}`, { method: 'OPTIONS' });
  expect(lines.lines).toEqual([]);
  expect(sound.length).toBeGreaterThan(15);
});

const listed = (length: number, schema: object): object =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`p${i}`, schema]));
const nested = (depth: number): object =>
  Array.from({ length: depth }).reduce<object>((a) => ({ type: 'object', properties: { a } }), {});

describe.each(compileTimes)('large schemas, compiled %s', (compile) => {
  test('a body schema of 2,000 properties, of which Ajv alone compiles fewer, validates requests', async () => {
    const app = ambit({ compile });
    app.post('/', { schema: { body: listed(2_000, { type: 'integer' }) } }, ({ body }) => body);
    const url = await serve(app);
    const headers = { 'content-type': 'application/json' };
    const post = (body: object) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await (await post({ p0: '1', p1999: '2' })).json()).toEqual({ p0: 1, p1999: 2 });
    expect(await (await post({ p1999: 'x' })).json()).toMatchObject({
      message: 'body/p1999 should be integer',
    });
  });

  for (const [what, body] of [
    ['2,000 branches', { oneOf: Array.from({ length: 2_000 }, (_, i) => ({ const: i })) }],
    ['2,000 levels', nested(2_000)],
    ['wide levels', { type: 'object', properties: { ...listed(30, {}), a: nested(400) } }],
  ] as const) {
    test(`a body schema of ${what}, which cannot be compiled, fails the boot`, async () => {
      const app = ambit({ compile, ajv: { customOptions: { strictTypes: false } } });
      app.post('/notes', { schema: { body } }, () => 'ok');
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_VALIDATION_BUILD',
        cause: { code: 'AMBIT_ERR_SCHEMA_TOO_LARGE' },
        where: { route: 'POST /notes' },
      });
    });
  }
});
