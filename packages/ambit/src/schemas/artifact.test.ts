// The artifact of `compileSchemas` gives the same results as compiling, and is refused by an application that it does not fit.
import { type AmbitOptions, ambit, type Context, compileSchemas, type RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { compileAhead } from '../../test/support/built.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { serve } from '../../test/support/serve.ts';
import { version } from '../shared/version.ts';

const here = expect.stringContaining('artifact.test.ts');
const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more });

/** An application with one route, which returns what it gets. */
function echo(
  schema: RouteSchema,
  { shared = [], ...options }: AmbitOptions & { shared?: object[] } = {},
): Context {
  const app = ambit(options);
  for (const each of shared) app.addSchema(each);
  app.setErrorHandler((error, _request, reply) => {
    const { name, message, code, statusCode, validation, validationContext } = error;
    const { path } = error as { path?: string };
    reply.code(statusCode ?? 500);
    reply.send({ name, message, code, validation, validationContext, path });
  });
  app.post('/notes/:id', {
    schema,
    handler: ({ params, query, headers, body }) => ({ params, query, headers, body }),
  });
  return app;
}

interface Question {
  url?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

async function askBySocket(app: Context, questions: readonly Question[]): Promise<unknown[]> {
  const origin = await serve(app);
  const answers: unknown[] = [];
  for (const { url = '/notes/7', headers = {}, body } of questions) {
    const type = { 'content-type': 'application/json' };
    const init =
      body === undefined ? { headers } : { headers: { ...type, ...headers }, body: JSON.stringify(body) };
    const reply = await fetch(origin + url, { method: 'POST', ...init });
    answers.push([reply.status, withoutPort(await reply.text())]);
  }
  return answers;
}

function withoutPort(answer: string): string {
  return answer.replaceAll(/127\.0\.0\.1:\d+/g, '');
}

const user = {
  $id: 'user',
  ...object({ name: { ...text, minLength: 2 }, friend: { $ref: 'user#' } }, { required: ['name'] }),
};
const body = (schema: unknown): RouteSchema => ({ body: schema });
const answer = (schema: unknown): RouteSchema => ({ response: { 200: schema } });

const cases: [
  what: string,
  schema: RouteSchema,
  questions: Question[],
  options?: AmbitOptions & { shared?: object[] },
][] = [
  ['params', { params: { id: integer } }, [{}, { url: '/notes/x' }]],
  [
    'a query string with defaults',
    { querystring: { page: { ...integer, default: 1 }, tags: { type: 'array', items: text } } },
    [{}, { url: '/notes/1?page=2&tags=a' }, { url: '/notes/1?page=x' }],
  ],
  [
    'headers',
    { headers: { 'X-Count': integer } },
    [{ headers: { 'x-count': '3' } }, { headers: { 'x-count': 'x' } }],
  ],
  [
    'a body',
    body(object({ a: integer }, { required: ['a'], additionalProperties: false })),
    [{ body: { a: '1', b: 2 } }, { body: {} }, { body: [] }, {}],
  ],
  ['a body that is a scalar', body(integer), [{ body: '5' }, { body: 'x' }, { body: null }]],
  [
    'bodies by media type',
    body({
      content: {
        'application/json': { schema: object({ a: integer }) },
        'text/plain': { schema: { ...text, maxLength: 4 } },
      },
    }),
    [{ body: { a: 'x' } }, { headers: { 'content-type': 'text/plain' }, body: 'long text' }],
  ],
  [
    'formats and patterns',
    body(
      object({
        at: { ...text, format: 'date-time' },
        mail: { ...text, format: 'email' },
        code: { ...text, pattern: '^[A-Z/`"]+$' },
      }),
    ),
    [
      { body: { at: '2020-01-01T00:00:00Z', mail: 'a@b.cd', code: 'A/`"' } },
      { body: { at: 'x' } },
      { body: { mail: 'x' } },
      { body: { code: 'x' } },
    ],
  ],
  [
    'branches',
    body({ anyOf: [object({ a: text }, { required: ['a'] }), object({ b: integer }, { required: ['b'] })] }),
    [{ body: { a: 1 } }, { body: { b: 'x' } }],
  ],
  [
    'a shared schema',
    body({ $ref: 'user#' }),
    [{ body: { name: 'ada', friend: { name: 'x' } } }, { body: { name: 'ada', friend: { name: 'bo' } } }],
    { shared: [user] },
  ],
  [
    'a shared schema as a whole',
    body(user),
    [{ body: { name: 'x' } }, { body: { name: 'ada' } }],
    { shared: [user] },
  ],
  [
    'a schema with a name of its own',
    body({ $id: 'mine', ...object({ next: { $ref: '#' }, n: integer }) }),
    [{ body: { next: { n: 'x' } } }, { body: { n: '1' } }],
  ],
  [
    'a condition',
    body(
      JSON.parse(
        '{"type":"object","properties":{"k":{},"a":{},"b":{}},"if":{"type":"object","properties":{"k":{"const":1}}},"then":{"type":"object","required":["a"]},"else":{"type":"object","required":["b"]}}',
      ),
    ),
    [{ body: { k: 1 } }, { body: { k: 2 } }, { body: { k: 1, a: 1 } }],
  ],
  [
    'an asynchronous schema',
    body({ $async: true, ...object({ value: integer, error: text }) }),
    [{ body: { value: 1, error: 'no verdict' } }, { body: { value: 'x' } }],
  ],
  [
    'every error',
    body(object({ a: integer, b: integer })),
    [{ body: { a: 'x', b: 'y' } }],
    { ajv: { customOptions: { allErrors: true, verbose: true } } },
  ],
  [
    'no coercion',
    body(object({ a: integer })),
    [{ body: { a: '1' } }, { body: { a: 1 } }],
    { ajv: { customOptions: { coerceTypes: false, keywords: ['x-note'] } } },
  ],
  [
    'type definitions',
    body({ properties: { at: { type: 'timestamp' } } }),
    [{ body: { at: '2020-01-01T00:00:00Z' } }, { body: { at: 1 } }],
    { ajv: { mode: 'JTD' } },
  ],
  ['a response', answer(object({ params: object({ id: integer }) })), [{}, { url: '/notes/x' }]],
  [
    'a response of an error',
    { params: { id: integer }, response: { '4xx': object({ code: text }) } },
    [{ url: '/notes/x' }],
  ],
  [
    'responses by media type',
    { response: { 200: { content: { 'application/json': { schema: object({ body: text }) } } } } },
    [{ body: { a: 1 } }, { body: 'x' }],
  ],
  [
    'a response with a shared schema',
    answer(object({ body: { $ref: 'user#' } })),
    [{ body: { name: 'ada', secret: 1 } }, { body: { friend: {} } }],
    { shared: [user] },
  ],
  [
    'a response with branches',
    answer(
      object({
        body: {
          oneOf: [
            object({ a: { ...text, minLength: 2 } }, { required: ['a'] }),
            object({ b: { ...text, minLength: 2 } }, { required: ['b'] }),
          ],
        },
      }),
    ),
    [{ body: { a: 'xx', b: 'x' } }, { body: { b: 'xx' } }, { body: { b: 'x' } }],
  ],
  [
    'a response rounded up',
    answer(object({ body: integer })),
    [{ body: 1.5 }],
    { serializerOpts: { rounding: 'ceil' } },
  ],
];

describe('an application answers as it does without the artifact', () => {
  test.each(cases)('%s', async (_what, schema, questions, options) => {
    const compiled = await compileAhead(echo(schema, options));
    const expected = await askBySocket(echo(schema, options), questions);
    for (const compile of ['boot', 'first-use', 'background'] as const) {
      const answers = await askBySocket(echo(schema, { ...options, compile, compiled }), questions);
      expect({ compile, answers }).toEqual({ compile, answers: expected });
    }
  });
});

test('changes that a handler makes in a schema after boot have no effect', async () => {
  const make = (compiled?: object) => {
    const schema = {
      body: object({ a: integer }),
      response: { 200: object({ body: object({ a: integer }) }) },
    };
    return { app: echo(schema, { compiled }), schema };
  };
  const { app, schema } = make(await compileAhead(make().app));
  await app.ready();
  schema.body.properties.a = text;
  schema.response[200].properties.body = text;
  const replies = ['1', 'x'].map((a) => app.inject({ method: 'POST', url: '/notes/1', body: { a } }));
  expect((await Promise.all(replies)).map(({ statusCode }) => statusCode)).toEqual([200, 400]);
});

test('two contexts with different schemas under one name each have their own', async () => {
  const make = (compiled?: object) => {
    const app = ambit({ compiled });
    for (const type of ['integer', 'boolean']) {
      app.register(async (context) => {
        context.addSchema({ $id: 'value', ...object({ value: { type } }) });
        const schema = { body: { $ref: 'value#' }, response: { 200: { $ref: 'value#' } } };
        context.post(`/${type}`, { schema }, ({ body }) => body);
      });
    }
    return app;
  };
  const app = make(await compileAhead(make()));
  const ask = async (url: string, value: string) =>
    (await app.inject({ method: 'POST', url, body: { value } })).json();
  expect(await ask('/integer', '1')).toEqual({ value: 1 });
  expect(await ask('/boolean', 'true')).toEqual({ value: true });
  expect(await ask('/integer', 'true')).toMatchObject({ statusCode: 400 });
});

test('the same application writes the same text, with each schema once', async () => {
  const make = () => {
    const app = ambit();
    for (const url of ['/a', '/b']) app.post(url, { schema: body(object({ a: integer })) }, () => url);
    app.register(async (context) => {
      context.addSchema(user);
      context.post('/c', { schema: body(object({ a: integer })) }, () => '/c');
    });
    return app;
  };
  const written = await compileSchemas(make());
  expect(await compileSchemas(make())).toBe(written);
  // One for values of another type, one for numbers that have overflowed.
  expect(written.match(/must be integer/g)).toHaveLength(2);
});

test('warnings of what serializing changes are the same', async () => {
  const schema = answer(object({ params: object({ id: integer }) }));
  const warnings = async (compiled?: object): Promise<unknown[]> => {
    const lines = new LogLines();
    const app = echo(schema, {
      compiled,
      reportSerialization: true,
      logger: { level: 'warn', stream: lines },
    });
    await app.inject({ method: 'POST', url: '/notes/7' });
    return lines.messages;
  };
  const expected = await warnings();
  expect(expected.length).toBeGreaterThan(2);
  expect(await warnings(await compileAhead(echo(schema)))).toEqual(expected);
});

// --------------------------------------------------------------------------------------------------------------- stale

const original: RouteSchema = {
  params: { id: integer },
  querystring: { page: integer },
  headers: { 'x-count': integer },
  body: { content: { 'application/json': { schema: object({ user: { $ref: 'user#' } }) } } },
  response: { 200: object({ body: object({ user: { $ref: 'user#' } }) }) },
};

for (const [part, change] of [
  ['params', { params: { id: text } }],
  ['querystring', { querystring: { page: text } }],
  ['headers', { headers: { 'x-count': text } }],
  ['body', { body: { content: { 'application/json': { schema: text } } } }, ' (application/json)'],
  ['response 200', { response: { 200: text } }],
  ['response 2xx', { response: { '2xx': text } }],
] as const) {
  test(`a change of the ${part} makes it stale, and is named`, async () => {
    const compiled = await compileAhead(echo(original, { shared: [user] }));
    const app = echo({ ...original, ...change }, { shared: [user], compiled });
    const type = part === 'body' ? ' (application/json)' : '';
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_COMPILED_STALE',
      message: `the compiled schemas are stale: the ${part} of POST /notes/:id${type} is missing; run compileSchemas again`,
      where: { plugin: 'ambit', route: 'POST /notes/:id', file: here },
    });
  });
}

for (const [what, change] of [
  ['a shared schema that is reached', { shared: [{ ...user, required: [] }] }],
  ['an option of the validator', { shared: [user], ajv: { customOptions: { coerceTypes: false } } }],
  ['an option of the serializer', { shared: [user], serializerOpts: { rounding: 'ceil' } }],
  ['a shared schema that cannot be proven sound', { shared: [user, { $id: 'more', made: 'up' }] }],
] as const) {
  test(`a change of ${what} makes it stale`, async () => {
    const compiled = await compileAhead(echo(original, { shared: [user] }));
    const app = echo(original, { ...(change as object), compiled });
    await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_COMPILED_STALE' });
  });
}

test('a change of a schema that no route refers to does not matter', async () => {
  const compiled = await compileAhead(echo(original, { shared: [user] }));
  const app = echo(original, { shared: [user, { $id: 'more', type: 'string' }], compiled });
  await expect(app.ready()).resolves.toBeDefined();
});

for (const [name, others] of [
  ['ambit', { ambit: '0.0.9' }],
  ['ajv', { ajv: '8.0.0' }],
  ['ajv-formats', { 'ajv-formats': '1.0.0' }],
  ['@ambit/json-serializer', { '@ambit/json-serializer': '0.0.9' }],
] as const) {
  test(`what another version of ${name} wrote is refused, with both versions`, async () => {
    const { default: written } = (await compileAhead(echo({}))) as {
      default: { builtWith: Record<string, string> };
    };
    const app = echo({}, { compiled: { ...written, builtWith: { ...written.builtWith, ...others } } });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_COMPILED_STALE',
      message: expect.stringContaining(
        `compiled with ${name} ${Object.values(others)[0]}, but this is ${written.builtWith[name]}; run compileSchemas`,
      ),
      where: { plugin: 'ambit', file: here },
    });
  });
}

test('it names the version of ambit that wrote it', async () => {
  expect(await compileSchemas(ambit())).toContain(`"ambit":"${version}"`);
});

for (const [what, value] of [
  ['an object of something else', {}],
  ['a promise of the module', Promise.resolve()],
  ['half of the module', { default: { builtWith: {}, validators: {}, serializers: {} } }],
  ['another default export', { default: 'text' }],
] as const) {
  test(`${what} is no artifact`, () => {
    expect(() => ambit({ compiled: value })).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_INIT_OPTS_INVALID',
        message: expect.stringContaining('compiled must be the module that compileSchemas wrote'),
        where: { plugin: 'ambit', file: here },
      }),
    );
  });
}

test('the text of the module is no artifact', () => {
  expect(() => ambit({ compiled: 'export default {}' as never })).toThrow(
    'compiled must be object, instead got string',
  );
});

for (const nothing of [undefined, null, false]) {
  test(`${nothing} means no artifact`, async () => {
    const app = echo(original, { shared: [user], compiled: nothing as null });
    await expect(app.ready()).resolves.toBeDefined();
  });
}

test('a stale artifact does not keep an application from being compiled', async () => {
  const stale = await compileAhead(echo(original, { shared: [user] }));
  const changed = { params: { id: text } };
  const compiled = await compileAhead(echo(changed, { compiled: stale }));
  await expect(echo(changed, { compiled }).ready()).resolves.toBeDefined();
});

test('an application that was booted with the artifact writes the same one again', async () => {
  const make = (compiled?: object) => echo(original, { shared: [user], compiled });
  const app = make(await compileAhead(make()));
  await app.ready();
  expect(await compileSchemas(app)).toBe(await compileSchemas(make()));
  const reply = await app.inject({ method: 'POST', url: '/notes/x' });
  expect(reply.statusCode).toBe(400);
});

// ------------------------------------------------------------------------------------------------------- what is left out

const even = { keyword: 'even', type: 'number', validate: (_: boolean, value: number) => value % 2 === 0 };
const addEven = (ajv: { addKeyword(keyword: object): void }): void => ajv.addKeyword(even);
const whenEven = (n: unknown): RouteSchema => ({
  body: object({ n }),
  response: { 200: object({ body: object({ n: integer }) }) },
});

const leftOut: [what: string, options: AmbitOptions, schema: RouteSchema][] = [
  ['plugins of Ajv', { ajv: { plugins: [addEven] } }, whenEven({ type: 'number', even: true })],
  [
    'onCreate',
    { ajv: { onCreate: (ajv) => addEven(ajv as never) } },
    whenEven({ type: 'number', even: true }),
  ],
  [
    'keywords that are code',
    { ajv: { customOptions: { keywords: [even] } } },
    whenEven({ type: 'number', even: true }),
  ],
  [
    'formats',
    { ajv: { customOptions: { formats: { even: /^\d*[02468]$/ } } } },
    whenEven({ ...text, format: 'even' }),
  ],
  ['Standard Schemas', {}, { ...whenEven({}), body: z.object({ n: z.number().multipleOf(2) }) }],
];
for (const [what, options, schema] of leftOut) {
  test(`schemas with ${what} are compiled as usual`, async () => {
    const app = echo(schema, { ...options, compiled: await compileAhead(echo(schema, options)) });
    const ask = (n: number) => app.inject({ method: 'POST', url: '/notes/1', body: { n } });
    expect([(await ask(2)).statusCode, (await ask(3)).statusCode]).toEqual([200, 400]);
  });
}

test('schemas for compilers of the application are left to them', async () => {
  const make = (compiled?: object) => {
    const app = echo({ body: { only: 'text' }, response: { 200: { say: 'done' } } }, { compiled });
    app.setValidatorCompiler(() => (data) => typeof data === 'string');
    app.setSerializerCompiler(
      ({ schema }) =>
        () =>
          JSON.stringify(schema),
    );
    return app;
  };
  const app = make(await compileAhead(make()));
  const ask = (value: unknown) =>
    app.inject({
      method: 'POST',
      url: '/notes/1',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    });
  expect((await ask('x')).body).toBe('{"say":"done"}');
  expect((await ask(1)).statusCode).toBe(400);
});

test('schemas that handlers compile themselves are not in the artifact, and are compiled when they do', async () => {
  const make = (compiled?: object) => {
    const app = echo(original, { shared: [user], compiled });
    app.get('/by-hand', (request, reply) => {
      const isValid = request.validateInput({ name: 'x' }, { $ref: 'user#' });
      return {
        isValid,
        text: reply.compileSerializationSchema({ type: 'array', items: integer })([1.5] as never),
      };
    });
    return app;
  };
  const app = make(await compileAhead(make()));
  expect((await app.inject('/by-hand')).json()).toEqual({ isValid: false, text: '[1]' });
});

test('faults that no schema has are found at boot as before', async () => {
  const compiled = await compileAhead(echo(original, { shared: [user] }));
  const app = echo(original, { shared: [user], compiled });
  expect(() => app.addSchema(user)).toThrow(expect.objectContaining({ code: 'FST_ERR_SCH_ALREADY_PRESENT' }));
  const doubled = echo({ ...original, query: {} } as never, { shared: [user], compiled });
  await expect(doubled.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_DUPLICATE' });
});

test('an application that does not boot is not compiled: its own error comes out', async () => {
  const app = echo(body({ $ref: 'nobody#' }));
  await expect(compileSchemas(app)).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
});
