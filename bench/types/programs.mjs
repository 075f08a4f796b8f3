/**
 * The programs of type checking, as each framework's documentation writes them. A route has five schemas (params, query, body, and the
 * payloads of 200 and 404), and a handler that reads the request and replies. Property names contain the number of the route, so that no
 * two routes share a type.
 *
 * @typedef {{ params: string, query: string, body: string, ok: string, missing: string }} RouteSchemas As source text.
 */

/** @returns {RouteSchemas} */
function writeJsonSchemas(/** @type {number} */ n) {
  const text = "{ type: 'string' }";
  const integer = "{ type: 'integer' }";
  const object = (required, properties) =>
    `{ type: 'object', required: [${required}], properties: { ${properties} } }`;
  const address = object(`'street${n}'`, `street${n}: ${text}, zip: ${text}`);
  const card = object(`'card${n}'`, `card${n}: ${text}`);
  const account = object("'iban'", `iban: ${text}`);
  const item = object(`'sku${n}', 'count'`, `sku${n}: ${text}, count: { type: 'number' }`);
  return {
    params: object(`'id${n}'`, `id${n}: ${integer}`),
    query: object(
      `'page${n}'`,
      `page${n}: ${integer}, text${n}: ${text}, sort: { type: 'string', enum: ['up', 'down', 'by${n}'] }`,
    ),
    body: `{ type: 'object', required: ['name${n}', 'address', 'tags'], additionalProperties: false, properties: { name${n}: { type: 'string', minLength: 1 }, age: { type: ['integer', 'null'] }, kind: { enum: ['a', 'b', 'kind${n}'] }, address: ${address}, tags: { type: 'array', items: ${text} }, pay: { anyOf: [${card}, ${account}] } } }`,
    ok: object(
      `'id', 'name${n}'`,
      `id: ${integer}, name${n}: ${text}, note: ${text}, items: { type: 'array', items: ${item} }`,
    ),
    missing: object(`'message${n}'`, `message${n}: ${text}`),
  };
}

/** TypeBox, and Elysia's own copy of it. @param {string} t The name of the builder. @returns {RouteSchemas} */
function writeTypeBox(t, /** @type {number} */ n) {
  const optional = (/** @type {string} */ schema) => `${t}.Optional(${schema})`;
  const object = (/** @type {string} */ properties) => `${t}.Object({ ${properties} })`;
  const literals = (/** @type {string[]} */ ...values) =>
    optional(`${t}.Union([${values.map((value) => `${t}.Literal('${value}')`).join(', ')}])`);
  const text = `${t}.String()`;
  const address = object(`street${n}: ${text}, zip: ${optional(text)}`);
  const pay = optional(`${t}.Union([${object(`card${n}: ${text}`)}, ${object(`iban: ${text}`)}])`);
  const items = optional(`${t}.Array(${object(`sku${n}: ${text}, count: ${t}.Number()`)})`);
  return {
    params: object(`id${n}: ${t}.Integer()`),
    query: object(
      `page${n}: ${t}.Integer(), text${n}: ${optional(text)}, sort: ${literals('up', 'down', `by${n}`)}`,
    ),
    body: `${t}.Object({ name${n}: ${t}.String({ minLength: 1 }), age: ${optional(`${t}.Union([${t}.Integer(), ${t}.Null()])`)}, kind: ${literals('a', 'b', `kind${n}`)}, address: ${address}, tags: ${t}.Array(${text}), pay: ${pay} }, { additionalProperties: false })`,
    ok: object(`id: ${t}.Integer(), name${n}: ${text}, note: ${optional(text)}, items: ${items}`),
    missing: object(`message${n}: ${text}`),
  };
}

/** @returns {RouteSchemas} */
function writeZodSchemas(/** @type {number} */ n) {
  const text = 'z.string()';
  return {
    params: `z.object({ id${n}: z.coerce.number().int() })`,
    query: `z.object({ page${n}: z.coerce.number().int(), text${n}: ${text}.optional(), sort: z.enum(['up', 'down', 'by${n}']).optional() })`,
    body: `z.strictObject({ name${n}: z.string().min(1), age: z.int().nullable().optional(), kind: z.enum(['a', 'b', 'kind${n}']).optional(), address: z.object({ street${n}: ${text}, zip: ${text}.optional() }), tags: z.array(${text}), pay: z.union([z.object({ card${n}: ${text} }), z.object({ iban: ${text} })]).optional() })`,
    ok: `z.object({ id: z.int(), name${n}: ${text}, note: ${text}.optional(), items: z.array(z.object({ sku${n}: ${text}, count: z.number() })).optional() })`,
    missing: `z.object({ message${n}: ${text} })`,
  };
}

/**
 * Reads all three parts, and replies as the schemas require. With `isProbe`, it also makes six mistakes. If the types are `any`, the compiler
 * does not see them, and then each `@ts-expect-error` is an error.
 */
function writeHandling(n, isProbe, missing, ok) {
  const mistakes = [
    'body.nothing;',
    `params.id${n} satisfies boolean;`,
    `query.page${n} satisfies boolean;`,
    `body.address.street${n} satisfies boolean;`,
    missing(`{ message${n}: 1 }`),
    ok(`{ id: 'x', name${n}: body.name${n} }`),
  ];
  const probe = mistakes.map((line) => `\n  // @ts-expect-error\n  ${line}`);
  return `${isProbe ? probe.join('') : ''}
  if (body.address.street${n} === query.text${n} && body.tags.length > query.page${n} && body.pay !== undefined && 'iban' in body.pay) return ${missing(`{ message${n}: body.name${n} }`)};
  return ${ok(`{ id: params.id${n}, name${n}: body.name${n}, items: [{ sku${n}: '', count: 1 }] }`)};
}`;
}

/** Ambit and Fastify: one API. */
const writeFastifyRoute =
  (writeSchemas, suffix = '') =>
  (n, isProbe) => {
    const { params, query, body, ok, missing } = writeSchemas(n);
    const schema = `{ params: ${params}, querystring: ${query}, body: ${body}, response: { 200: ${ok}, 404: ${missing} } }${suffix}`;
    const send = (status) => (payload) => `reply.code(${status}).send(${payload})`;
    return `.post('/route${n}/:id${n}', { schema: ${schema}, handler: async (request, reply) => {
  const { body, params, query } = request;${writeHandling(n, isProbe, send(404), send(200))} })`;
  };

/** Hono has no schemas for responses, so the routes check their payloads with `satisfies`. */
function writeHonoRoute(n, isProbe) {
  const { params, query, body, ok, missing } = writeZodSchemas(n);
  const send = (name, status) => (payload) =>
    `c.json(${payload} satisfies z.output<typeof ${name}>, ${status})`;
  return `.post('/route${n}/:id${n}', zValidator('param', ${params}), zValidator('query', ${query}), zValidator('json', ${body}), (c) => {
  const ok = ${ok};
  const missing = ${missing};
  const [body, params, query] = [c.req.valid('json'), c.req.valid('param'), c.req.valid('query')];${writeHandling(n, isProbe, send('missing', 404), send('ok', 200))})`;
}

function writeElysiaRoute(n, isProbe) {
  const { params, query, body, ok, missing } = writeTypeBox('t', n);
  const send = (status) => (payload) => `status(${status}, ${payload})`;
  const schema = `{ params: ${params}, query: ${query}, body: ${body}, response: { 200: ${ok}, 404: ${missing} } }`;
  return `.post('/route${n}/:id${n}', ({ body, params, query, status }) => {${writeHandling(n, isProbe, send(404), send(200))}, ${schema})`;
}

const ambit = {
  head: `import { ambit } from 'ambit';
const app = ambit()`,
  writeRoute: writeFastifyRoute(writeJsonSchemas),
};
const hono = {
  head: `import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';
const app = new Hono()`,
  writeRoute: writeHonoRoute,
};
const elysia = {
  head: `import { Elysia, t } from 'elysia';
const app = new Elysia()`,
  writeRoute: writeElysiaRoute,
};

/**
 * The names of chained programs end with `-chained`.
 *
 * @type {Record<string, { label: string, head: string, writeRoute: (n: number, isProbe: boolean) => string }>}
 */
export const subjects = {
  ambit: { label: 'Ambit', ...ambit },
  'fastify-typebox': {
    label: 'Fastify, TypeBox',
    head: `import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
const app = fastify().withTypeProvider<TypeBoxTypeProvider>()`,
    writeRoute: writeFastifyRoute((n) => writeTypeBox('Type', n)),
  },
  'fastify-json-schema': {
    label: 'Fastify, json-schema-to-ts',
    head: `import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts';
import fastify from 'fastify';
const app = fastify().withTypeProvider<JsonSchemaToTsProvider>()`,
    writeRoute: writeFastifyRoute(writeJsonSchemas, ' as const'),
  },
  hono: { label: 'Hono, Zod', ...hono },
  elysia: { label: 'Elysia', ...elysia },
  'ambit-chained': { label: 'Ambit, chained', ...ambit },
  'hono-chained': { label: 'Hono, Zod, chained', ...hono },
  'elysia-chained': { label: 'Elysia, chained', ...elysia },
};

export const isChained = (/** @type {string} */ name) => name.endsWith('-chained');

/** A whole program with this number of routes. */
export function writeProgram(/** @type {string} */ name, /** @type {number} */ count, isProbe = false) {
  const { head, writeRoute } = subjects[name];
  const routes = Array.from({ length: count }, (_, n) => writeRoute(n, isProbe));
  if (isChained(name)) return `${head}\n${routes.join('\n')};\nexport { app };\n`;
  return `${head};\n${routes.map((route) => `app${route};\n`).join('')}`;
}
