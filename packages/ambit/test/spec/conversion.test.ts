/** Which texts become numbers, booleans and null, and what conversion must never do. */
import type { JsonSchema, RouteSchema } from 'ambit';
import { afterAll, describe, expect, test } from 'vitest';
import { flavors } from '../support/flavors.ts';

const refused = Symbol('refused');

/** What a text becomes, by the type in the schema. Without an entry, it is refused. */
const conversions: Readonly<Record<string, readonly (readonly [text: string, value: unknown])[]>> = {
  number: [
    ['0', 0],
    ['-0', '-0'],
    ['007', 7],
    ['+1', 1],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E3', 1000],
    ['1e-400', 0],
    ['0x10', 16],
    ['0b11', 3],
    ['0o17', 15],
    [' 1', 1],
    ['1\t', 1],
    [' ', 0],
    ['9007199254740993', 9007199254740992],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ...refuse('', '1e999', '-1e999', '1.8e308', 'Infinity', '-Infinity', '+Infinity', ' Infinity '),
    ...refuse('NaN', '1_000', '1,5', '1 000', '0x', '1n', '-0x10', 'true', 'null', 'one', '٣', '--1', '1e'),
    ...refuse('9'.repeat(400), `0x${'f'.repeat(400)}`, `-${'9'.repeat(400)}`),
  ],
  integer: [
    ['0', 0],
    ['-7', -7],
    ['1.0', 1],
    ['1e3', 1000],
    ['1.5e1', 15],
    ['0x10', 16],
    [' 1', 1],
    [' ', 0],
    ['9007199254740993', 9007199254740992],
    ...refuse('1.5', '1e-3', '', '1e999', '-1e999', 'Infinity', 'NaN', '1_000', 'true', '9'.repeat(400)),
  ],
  boolean: [
    ['true', true],
    ['false', false],
    ...refuse('', '1', '0', 'True', 'TRUE', ' true', 'yes', 'on', 'null'),
  ],
  null: [['', null], ...refuse('null', ' ', '0', 'false', 'undefined')],
  string: [
    ['', ''],
    ['1e999', '1e999'],
    ['null', 'null'],
  ],
};

function refuse(...texts: string[]): [string, unknown][] {
  return texts.map((text) => [text, refused]);
}

const limited: Readonly<Record<string, JsonSchema>> = {
  nullable: { type: ['integer', 'null'] },
  range: { type: 'integer', minimum: 1, maximum: 100 },
  rangeAround: { allOf: [{ type: 'number' }], maximum: 100 },
  anyOf: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  oneOf: { oneOf: [{ type: 'integer', maximum: 5 }, { type: 'null' }] },
  reference: { $ref: 'limit#' },
  array: { type: 'array', items: { type: 'integer', maximum: 5 } },
};

/** The schemas for one value, as they are sent: each is asked for in each part of a request. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.keys(conversions).map((type) => [type, { type }])),
  ...limited,
};

interface Asked {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly payload?: unknown;
}

const form = 'application/x-www-form-urlencoded';
const parts: Readonly<
  Record<string, { declare: (v: JsonSchema) => RouteSchema; ask: (text: string) => Asked }>
> = {
  params: { declare: (v) => ({ params: of(v) }), ask: (text) => ({ url: `/${encodeURIComponent(text)}` }) },
  query: {
    declare: (v) => ({ querystring: of(v) }),
    ask: (text) => ({ url: `?v=${encodeURIComponent(text)}` }),
  },
  headers: { declare: (v) => ({ headers: of(v) }), ask: (text) => ({ headers: { v: text } }) },
  body: { declare: (v) => ({ body: of(v) }), ask: (text) => ({ payload: { v: text } }) },
  form: {
    declare: (v) => ({ body: { content: { [form]: { schema: of(v) } } } }),
    ask: (text) => ({
      payload: String(new URLSearchParams({ v: text })),
      headers: { 'content-type': form },
    }),
  },
};

const partKeys: Readonly<Record<string, 'params' | 'query' | 'headers' | 'body'>> = {
  params: 'params',
  query: 'query',
  headers: 'headers',
  body: 'body',
  form: 'body',
};

function of(v: JsonSchema): JsonSchema {
  return { type: 'object', required: ['v'], properties: { v } };
}

for (const [flavor, make] of flavors) {
  for (const dialect of ['draft-07', '2020-12'] as const) {
    describe(`${flavor}, ${dialect}`, () => {
      const app = make({ ajv: { dialect } });
      app.addSchema({ $id: 'limit', type: 'number' });
      app.addContentTypeParser(form, { parseAs: 'string' }, async (_request, text) =>
        Object.fromEntries(new URLSearchParams(String(text))),
      );
      for (const [part, { declare }] of Object.entries(parts)) {
        for (const [name, schema] of Object.entries(schemas)) {
          const url = `/${part}/${name}`;
          app.post(part === 'params' ? `${url}/:v` : url, { schema: declare(schema) }, (request) => {
            const { v } = (request[partKeys[part]!] ?? {}) as { v: unknown };
            return { v: Object.is(v, -0) ? '-0' : v };
          });
        }
      }
      afterAll(() => app.close());

      /** What the handler gets as `v`. */
      const send = async (part: string, schema: string, text: string): Promise<unknown> => {
        const { url = '', ...asked } = parts[part]!.ask(text);
        const path = `/${part}/${schema}${url}`;
        const response = await app.inject({ method: 'POST', url: path, ...(asked as object) });
        return { 200: () => response.json<{ v: unknown }>().v, 400: () => refused }[response.statusCode]!();
      };

      for (const [type, table] of Object.entries(conversions)) {
        test(`what becomes a ${type} in the query string, and what is refused`, async () => {
          const found = await Promise.all(
            table.map(async ([text]) => [text, await send('query', type, text)]),
          );
          expect(found).toEqual(table);
        });
      }

      for (const part of Object.keys(parts)) {
        test(`a number that has overflowed never passes in ${part}`, async () => {
          for (const schema of Object.keys(limited)) {
            const texts = ['1e999', '-1e999', ' 1e999'];
            const found = await Promise.all(texts.map((text) => send(part, schema, text)));
            expect({ schema, found }).toEqual({ schema, found: texts.map(() => refused) });
          }
        });
      }
    });
  }
}
