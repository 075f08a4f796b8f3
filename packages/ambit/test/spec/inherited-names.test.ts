/** Properties that are named like those which every object inherits are only there if the client has sent them. */
import type { JsonSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../support/flavors.ts';

const refused = Symbol('refused');
const names = ['constructor', 'valueOf', 'toString', 'hasOwnProperty', 'isPrototypeOf'] as const;
const inherited: JsonSchema = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
const optional = { type: 'object', properties: { ...inherited, year: { type: 'integer' } } };
const text = { type: 'string' };

const cases: readonly (readonly [schema: JsonSchema, sent: object, got: unknown])[] = [
  [optional, { year: '1' }, { year: 1 }],
  [optional, { toString: '1', constructor: '2' }, { toString: 1, constructor: 2 }],
  [optional, { toString: 'x' }, refused],
  ...names.flatMap((name): [JsonSchema, object, unknown][] => [
    [{ type: 'object', required: [name] }, {}, refused],
    [
      { type: 'object', required: ['a', name] },
      { a: '1', [name]: '2' },
      { a: '1', [name]: '2' },
    ],
    [
      { type: 'object', required: [name], properties: { [name]: { ...text, default: 'd' } } },
      {},
      { [name]: 'd' },
    ],
    [{ type: 'object', properties: { [name]: { ...text, default: 'd' } } }, { [name]: 'x' }, { [name]: 'x' }],
    [{ type: 'object', properties: { a: { type: 'object', required: [name] } } }, { a: {} }, refused],
    [{ type: 'object', anyOf: [{ required: [name] }, { required: ['a'] }] }, { b: '1' }, refused],
    [{ type: 'object', not: { required: [name] } }, { b: '1' }, { b: '1' }],
  ]),
  [{ type: 'object', required: ['__proto__'] }, {}, refused],
  [{ type: 'object', properties: inherited, additionalProperties: false }, { a: '1' }, {}],
  [{ $ref: 'inherited#' }, {}, refused],
  [{ $ref: 'inherited#' }, { valueOf: '1' }, { valueOf: 1 }],
  [{ type: 'object', properties: { a: { $ref: 'inherited#' } } }, { a: {} }, refused],
];

const byDialect: Readonly<Record<'draft-07' | '2020-12', typeof cases>> = {
  'draft-07': [
    [{ type: 'object', dependencies: { toString: ['b'] } }, { a: '1' }, { a: '1' }],
    [{ type: 'object', dependencies: { toString: { required: ['b'] } } }, { a: '1' }, { a: '1' }],
    [{ type: 'object', dependencies: { toString: ['b'] } }, { toString: '1' }, refused],
    [{ type: 'object', dependencies: { a: ['valueOf'] } }, { a: '1' }, refused],
  ],
  '2020-12': [
    [{ type: 'object', dependentRequired: { toString: ['b'] } }, { a: '1' }, { a: '1' }],
    [{ type: 'object', dependentSchemas: { toString: { required: ['b'] } } }, { a: '1' }, { a: '1' }],
    [{ type: 'object', dependentSchemas: { toString: { required: ['b'] } } }, { toString: '1' }, refused],
    [{ type: 'object', dependentRequired: { a: ['valueOf'] } }, { a: '1' }, refused],
    [
      { type: 'object', anyOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      { a: '1', constructor: '2' },
      refused,
    ],
    [
      {
        type: 'object',
        anyOf: [
          { properties: { constructor: text }, required: ['constructor'] },
          { properties: { a: text } },
        ],
        unevaluatedProperties: false,
      },
      { constructor: '2' },
      { constructor: '2' },
    ],
  ],
};

for (const [flavor, make] of flavors) {
  for (const dialect of ['draft-07', '2020-12'] as const) {
    describe(`${flavor}, ${dialect}`, () => {
      const all = [...cases, ...byDialect[dialect]];
      const app = make({ ajv: { dialect } });
      app.addSchema({ $id: 'inherited', type: 'object', required: ['valueOf'], properties: inherited });
      for (const [at, [schema]] of all.entries()) {
        app.post(`/body/${at}`, { schema: { body: schema } }, ({ body }) => ({ got: body }));
        app.get(`/query/${at}`, { schema: { querystring: schema } }, ({ query }) => ({ got: query }));
      }
      app.get('/params/:toString', {
        schema: { params: { ...optional, required: ['toString'] } },
        handler: ({ params }) => ({ got: params }),
      });
      app.get('/unnamed/:year/:valueOf?', {
        schema: { params: { type: 'object', required: ['valueOf'] } },
        handler: () => 'ok',
      });
      app.get('/headers', {
        schema: { headers: { type: 'object', properties: { constructor: text } } },
        handler: () => ({ got: true }),
      });

      const ask = async (method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> => {
        const response = await app.inject({ method, url, ...(body && { payload: body }) });
        return { 200: () => response.json<{ got: unknown }>().got, 400: () => refused }[
          response.statusCode
        ]!();
      };

      test('in a body, they are present only if they were sent', async () => {
        for (const [at, [schema, sent, got]] of all.entries())
          expect({ schema, sent, got: await ask('POST', `/body/${at}`, sent) }).toEqual({
            schema,
            sent,
            got,
          });
      });

      test('in a query string, they are present only if they were sent', async () => {
        for (const [at, [schema, sent, got]] of all.entries()) {
          const isFlat = Object.values(sent).every((value) => typeof value === 'string');
          const found = await ask(
            'GET',
            `/query/${at}?${new URLSearchParams(sent as Record<string, string>)}`,
          );
          expect({ schema, sent, got: isFlat ? found : got }).toEqual({ schema, sent, got });
        }
      });

      test('in params and headers, too', async () => {
        expect(await ask('GET', '/params/5')).toEqual({ toString: 5 });
        expect(await ask('GET', '/unnamed/5')).toBe(refused);
        expect(await ask('GET', '/headers')).toBe(true);
      });
    });
  }
}
