/** A JSON body that is valid as it came stays as it came. Text is converted by the first branch that can. No branch leaves a trace. */
import type { AmbitOptions, Context, JsonSchema } from 'ambit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileAhead } from '../support/built.ts';
import { combine } from '../support/combine.ts';
import { flavors } from '../support/flavors.ts';

const refused = Symbol('refused');
const of = (v: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { v },
  ...more,
});
const closed = (properties: JsonSchema, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const nullOrNumber = { anyOf: [{ type: 'null' }, { type: 'number' }] };
const card = closed({ kind: { const: 'card' }, number: { type: 'string' } });
const bank = closed({ kind: { const: 'bank' }, iban: { type: 'string' } });
const none = closed({ kind: { enum: ['none', 'card'] } });
const payment = { oneOf: [bank, card, none] };
const counted = {
  type: 'object',
  if: { type: 'object', properties: { kind: { type: 'integer', const: 1 } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword.
  then: { properties: { count: { type: 'integer' } }, required: ['count'] },
};
const exclusive = {
  type: 'object',
  oneOf: [
    { properties: { page: { type: 'integer' } }, required: ['page'] },
    { properties: { offset: { type: 'integer' } }, required: ['offset'] },
  ],
};
const tree = {
  $id: 'tree',
  ...closed({ value: nullOrNumber, next: { anyOf: [{ type: 'null' }, { $ref: 'tree#' }] } }, []),
};
const note = {
  $id: 'note',
  type: 'object',
  properties: { text: { $ref: 'text#' }, stars: { type: 'integer', default: 3 } },
};
const text = { $id: 'text', type: 'string', minLength: 2 };

const bodies: Readonly<
  Record<string, readonly (readonly [schema: JsonSchema, sent: unknown, got: unknown])[]>
> = {
  'a value that is valid as it came stays': [
    [of(nullOrNumber), { v: 0 }, { v: 0 }],
    [nullOrNumber, 0, 0],
    [of({ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }), { v: 1 }, { v: 1 }],
    [
      of({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] }),
      { v: 'a' },
      { v: 'a' },
    ],
    [of({ anyOf: [{ type: 'string' }, { type: 'array' }] }), { v: ['a'] }, { v: ['a'] }],
    [of({ oneOf: [{ type: 'null' }, { type: 'string' }] }), { v: null }, { v: null }],
    [
      of({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }),
      { v: false },
      { v: false },
    ],
    [of({ type: ['number', 'boolean'], not: { type: 'string' } }), { v: 5 }, { v: 5 }],
    [of({ type: 'array', contains: { type: 'string' } }), { v: [1, true, 'a'] }, { v: [1, true, 'a'] }],
    [
      of({ type: 'array', items: { anyOf: [{ type: 'null' }, { type: 'number' }] } }),
      { v: [0, null] },
      { v: [0, null] },
    ],
    [{ type: 'object', propertyNames: { type: 'string', maxLength: 2 } }, { 1: 1 }, { 1: 1 }],
    [{ allOf: [of(nullOrNumber), of({})] }, { v: 0 }, { v: 0 }],
    [
      { $ref: 'tree#' },
      { value: 0, next: { value: 0, next: null } },
      { value: 0, next: { value: 0, next: null } },
    ],
    [counted, { kind: '1' }, { kind: '1' }],
  ],
  'it also stays where something beside it must be converted': [
    [
      of(nullOrNumber, { properties: { v: nullOrNumber, n: { type: 'integer' } } }),
      { v: 0, n: '5' },
      { v: 0, n: 5 },
    ],
    [{ $ref: 'tree#' }, { value: 0, next: { value: '5' }, more: 1 }, { value: 0, next: { value: 5 } }],
    [
      of(payment, { additionalProperties: false }),
      { v: { kind: 'card', number: '1' }, x: 1 },
      { v: { kind: 'card', number: '1' } },
    ],
  ],
  'what is invalid as it came is converted by the first branch that can': [
    [of(nullOrNumber), { v: '5' }, { v: 5 }],
    [of(nullOrNumber), { v: '' }, { v: null }],
    [of({ anyOf: [{ type: 'integer' }, { type: 'string' }] }), { v: true }, { v: 1 }],
    [of({ oneOf: [{ type: 'integer' }, { type: 'string' }] }), { v: 1.5 }, { v: '1.5' }],
    [of({ type: 'array', contains: { type: 'number' } }), { v: ['x', '5'] }, { v: ['x', 5] }],
    [nullOrNumber, '7', 7],
    [counted, { kind: 1, count: '2' }, { kind: 1, count: 2 }],
    [of(nullOrNumber), { v: 'x' }, refused],
    [of({ not: { type: 'number' } }), { v: 5 }, refused],
    [exclusive, { page: '1', offset: '2' }, refused],
    [exclusive, { page: 1, offset: 2 }, refused],
    [{ type: 'object', propertyNames: { type: 'integer' } }, { 5: 1 }, refused],
  ],
  'only the branch that is chosen removes properties': [
    [payment, { kind: 'card', number: '4111' }, { kind: 'card', number: '4111' }],
    [of(payment), { v: { kind: 'bank', iban: 'x' } }, { v: { kind: 'bank', iban: 'x' } }],
    [{ anyOf: [none, card] }, { kind: 'card', number: '4111' }, { kind: 'card', number: '4111' }],
    [{ anyOf: [bank, card] }, { kind: 'card', number: 4111, more: 1 }, { kind: 'card', number: '4111' }],
    [{ oneOf: [closed({ a: {} }), closed({ b: {} })] }, { a: 1, more: 2 }, { a: 1 }],
    [
      { allOf: [{ anyOf: [bank, { type: 'object' }] }] },
      { kind: 'card', more: 1 },
      { kind: 'card', more: 1 },
    ],
    [
      { type: 'object', not: bank },
      { kind: 'card', more: 1 },
      { kind: 'card', more: 1 },
    ],
  ],
  'only the branch that is chosen adds defaults': [
    [of({ anyOf: [{ $ref: 'note#' }, { type: 'object' }] }), { v: { text: '' } }, { v: { text: '' } }],
    [
      of({ anyOf: [{ $ref: 'note#' }, { type: 'object' }] }),
      { v: { text: 'ab' } },
      { v: { text: 'ab', stars: 3 } },
    ],
    [
      { type: 'object', properties: { v: nullOrNumber, n: { type: 'integer', default: 1 } } },
      { v: 0 },
      { v: 0, n: 1 },
    ],
  ],
};

const texts: readonly (readonly [schema: JsonSchema, query: string, got: unknown])[] = [
  [of({ anyOf: [{ type: 'integer' }, { type: 'string' }] }), 'v=5', { v: 5 }],
  [of({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), 'v=5', { v: '5' }],
  [of({ anyOf: [{ type: 'integer' }, { type: 'string' }] }), 'v=x', { v: 'x' }],
  [of(nullOrNumber), 'v=', { v: null }],
  [of(nullOrNumber), 'v=0', { v: 0 }],
  [of({ oneOf: [{ type: 'integer' }, { type: 'string' }] }), 'v=5', { v: 5 }],
  [of({ oneOf: [{ type: 'string' }, { type: 'null' }] }), 'v=', { v: '' }],
  [of({ oneOf: [{ type: 'integer' }, { type: 'number' }] }), 'v=5', refused],
  [
    of({
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'string', minLength: 3 },
      ],
    }),
    'v=abc',
    refused,
  ],
  [of({ anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'string' }] }), 'v=a', { v: 'a' }],
  [payment, 'kind=card&number=4111', { kind: 'card', number: '4111' }],
  [exclusive, 'page=1&more=2', { page: 1, more: '2' }],
  [exclusive, 'offset=2', { offset: 2 }],
  [exclusive, 'page=1&offset=2', refused],
  [counted, 'kind=1&count=2', { kind: 1, count: 2 }],
  [counted, 'kind=1', refused],
  [{ ...counted, properties: { kind: { type: 'integer' } } }, 'kind=1', refused],
  [{ ...counted, properties: { kind: { type: 'integer' } } }, 'kind=2', { kind: 2 }],
  // Not for forms, whose parser here takes one value.
  [
    of({ anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'string' }] }),
    'v=1&v=2',
    { v: [1, 2] },
  ],
];

const form = 'application/x-www-form-urlencoded';

type Build = (options?: AmbitOptions) => Context;
const modes: Readonly<Record<string, (build: Build) => Context | Promise<Context>>> = {
  'compiled at first use': (build) => build(),
  'compiled at boot': (build) => build({ compile: 'boot' }),
  'from an artifact': async (build) => build({ compiled: await compileAhead(build()) }),
  'with a plugin': (build) => build({ ajv: { plugins: [(engine: unknown) => engine] } }),
};

for (const [[flavor, make], dialect, [mode, create]] of combine(
  flavors,
  ['draft-07', '2020-12'],
  Object.entries(modes),
)) {
  describe(`${flavor}, ${dialect}, ${mode}:`, () => {
    const build: Build = ({ ajv, ...options } = {}) => {
      const app = make({ ajv: { dialect, customOptions: { strictTypes: false }, ...ajv }, ...options });
      for (const shared of [tree, note, text]) app.addSchema(shared);
      app.addContentTypeParser(form, { parseAs: 'string' }, async (_request, sent) =>
        Object.fromEntries(new URLSearchParams(String(sent))),
      );
      for (const [at, [body]] of Object.values(bodies).flat().entries())
        app.post(`/json/${at}`, { schema: { body } }, (request) => ({ got: request.body }));
      for (const [at, [schema]] of texts.entries()) {
        app.get(`/query/${at}`, { schema: { querystring: schema } }, ({ query }) => ({ got: query }));
        const body = { content: { [form]: { schema } } };
        app.post(`/form/${at}`, { schema: { body } }, (request) => ({ got: request.body }));
      }
      return app;
    };
    let app: Context;
    beforeAll(async () => {
      app = await create(build);
      await app.ready();
    });
    afterAll(() => app.close());
    const ask = async (method: 'GET' | 'POST', url: string, payload?: string, type = 'application/json') => {
      const headers = { 'content-type': type };
      const response = await app.inject({
        method,
        url,
        ...(payload !== undefined && { payload, headers }),
      });
      return { 200: () => response.json<{ got: unknown }>().got, 400: () => refused }[response.statusCode]!();
    };

    let at = 0;
    for (const [what, cases] of Object.entries(bodies)) {
      const first = at;
      at += cases.length;
      test(what, async () => {
        for (const [i, [schema, sent, got]] of cases.entries()) {
          const found = await ask('POST', `/json/${first + i}`, JSON.stringify(sent));
          expect({ schema, sent, got: found }).toEqual({ schema, sent, got });
        }
      });
    }

    test('the first branch that can convert text decides, in the query string and in forms', async () => {
      for (const [i, [schema, sent, got]] of texts.entries()) {
        const found = await ask('GET', `/query/${i}?${sent}`);
        expect({ schema, sent, got: found }).toEqual({ schema, sent, got });
      }
      for (const [i, [schema, sent, got]] of texts.slice(0, -1).entries()) {
        const found = await ask('POST', `/form/${i}`, sent, form);
        expect({ schema, sent, got: found }).toEqual({ schema, sent, got });
      }
    });
  });
}

/** A condition about the value itself, which `then` converts. */
const named = {
  if: { enum: ['one', 'true'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword.
  then: { type: ['integer', 'boolean'] },
  else: { const: 1 },
};

// With a plugin, the value is not validated again: what its keywords have made of it need not be valid.
test.each(
  flavors.flatMap(([flavor, make]) =>
    (['draft-07', '2020-12'] as const).map((dialect) => ({ flavor, dialect, make })),
  ),
)(
  '$flavor, $dialect: what `then` has converted is refused if the condition no longer holds',
  async ({ make, dialect }) => {
    const app = make({ ajv: { dialect, customOptions: { strictTypes: false } } });
    const schema = { body: of(named), querystring: of(named) };
    app.post('/', { schema }, ({ query, body }) => ({ query, body }));
    const statusOf = async (url: string, v: unknown): Promise<number> =>
      (await app.inject({ method: 'POST', url, payload: { v } })).statusCode;
    expect(await statusOf('/', 'true')).toBe(400);
    expect(await statusOf('/?v=true', 1)).toBe(400);
    expect(await statusOf('/', 1)).toBe(200);
  },
);
