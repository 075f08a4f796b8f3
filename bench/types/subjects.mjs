/**
 * The subjects of type checking and their routes: five schemas, and a handler that reads the request and replies.
 *
 * @typedef {{
 *   label: string,
 *   packages: string[],
 *   isChained: boolean,
 *   head: string,
 *   writeRoute: (n: number, isProbe: boolean) => string,
 * }} Subject `writeRoute` writes a call, beginning with its dot; with `isProbe`, one with mistakes that the compiler
 * must find.
 */
import { makeTypeBoxWriter, writeJsonSchemas, writeZodSchemas } from './schemas.mjs';

/** If the types of a subject are `any`, the compiler finds no mistake, and each `@ts-expect-error` comment is an error. */
const mistake = (/** @type {string} */ line) => `\n  // @ts-expect-error\n  ${line}`;

/** Reads all three parts; if there is no mistake, it replies as the schemas require. */
function writeHandling(n, isProbe, { missing, ok }) {
  const probe = isProbe
    ? [
        'body.nothing;',
        `params.id${n} satisfies boolean;`,
        `query.page${n} satisfies boolean;`,
        `body.address.street${n} satisfies boolean;`,
        missing(`{ message${n}: 1 }`),
        ok(`{ id: 'x', name${n}: body.name${n} }`),
      ].map(mistake)
    : [];
  return `${probe.join('')}
  if (body.address.street${n} === query.text${n} && body.tags.length > query.page${n} && body.pay !== undefined && 'iban' in body.pay) return ${missing(`{ message${n}: body.name${n} }`)};
  return ${ok(`{ id: params.id${n}, name${n}: body.name${n}, items: [{ sku${n}: '', count: 1 }] }`)};
}`;
}

/** Ambit and Fastify: one API. */
function writeFastifyRoute(n, isProbe, { params, query, body, ok, missing }, suffix = '') {
  const schema = `{ params: ${params}, querystring: ${query}, body: ${body}, response: { 200: ${ok}, 404: ${missing} } }${suffix}`;
  const handling = writeHandling(n, isProbe, {
    missing: (payload) => `reply.code(404).send(${payload})`,
    ok: (payload) => `reply.code(200).send(${payload})`,
  });
  return `.post('/route${n}/:id${n}', { schema: ${schema}, handler: async (request, reply) => {
  const { body, params, query } = request;${handling} })`;
}

const typeBox = makeTypeBoxWriter('Type');
const elysiaTypeBox = makeTypeBoxWriter('t');

/** Hono has no schemas for responses, so the routes check their payloads with `satisfies`. */
function writeHonoRoute(n, isProbe) {
  const { params, query, body, ok, missing } = writeZodSchemas(n);
  const handling = writeHandling(n, isProbe, {
    missing: (payload) => `c.json(${payload} satisfies z.output<typeof missing>, 404)`,
    ok: (payload) => `c.json(${payload} satisfies z.output<typeof ok>, 200)`,
  });
  return `.post('/route${n}/:id${n}', zValidator('param', ${params}), zValidator('query', ${query}), zValidator('json', ${body}), (c) => {
  const ok = ${ok};
  const missing = ${missing};
  const [body, params, query] = [c.req.valid('json'), c.req.valid('param'), c.req.valid('query')];${handling})`;
}

function writeElysiaRoute(n, isProbe) {
  const { params, query, body, ok, missing } = elysiaTypeBox(n);
  const handling = writeHandling(n, isProbe, {
    missing: (payload) => `status(404, ${payload})`,
    ok: (payload) => `status(200, ${payload})`,
  });
  const schema = `{ params: ${params}, query: ${query}, body: ${body}, response: { 200: ${ok}, 404: ${missing} } }`;
  return `.post('/route${n}/:id${n}', ({ body, params, query, status }) => {${handling}, ${schema})`;
}

const ambit = {
  packages: ['ambit'],
  head: "import { ambit } from 'ambit';\nconst app = ambit()",
  writeRoute: (n, isProbe) => writeFastifyRoute(n, isProbe, writeJsonSchemas(n)),
};
const hono = {
  packages: ['hono', '@hono/zod-validator', 'zod'],
  head: "import { zValidator } from '@hono/zod-validator';\nimport { Hono } from 'hono';\nimport { z } from 'zod';\nconst app = new Hono()",
  writeRoute: writeHonoRoute,
};
const elysia = {
  packages: ['elysia'],
  head: "import { Elysia, t } from 'elysia';\nconst app = new Elysia()",
  writeRoute: writeElysiaRoute,
};

/** @type {Record<string, Subject>} */
export const subjects = {
  ambit: { label: 'Ambit', isChained: false, ...ambit },
  'fastify-typebox': {
    label: 'Fastify, TypeBox',
    packages: ['fastify', '@fastify/type-provider-typebox', 'typebox'],
    isChained: false,
    head: "import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';\nimport fastify from 'fastify';\nconst app = fastify().withTypeProvider<TypeBoxTypeProvider>()",
    writeRoute: (n, isProbe) => writeFastifyRoute(n, isProbe, typeBox(n)),
  },
  'fastify-json-schema': {
    label: 'Fastify, json-schema-to-ts',
    packages: ['fastify', '@fastify/type-provider-json-schema-to-ts', 'json-schema-to-ts'],
    isChained: false,
    head: "import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts';\nimport fastify from 'fastify';\nconst app = fastify().withTypeProvider<JsonSchemaToTsProvider>()",
    writeRoute: (n, isProbe) => writeFastifyRoute(n, isProbe, writeJsonSchemas(n), ' as const'),
  },
  hono: { label: 'Hono, Zod', isChained: false, ...hono },
  elysia: { label: 'Elysia', isChained: false, ...elysia },
  'ambit-chained': { label: 'Ambit, chained', isChained: true, ...ambit },
  'hono-chained': { label: 'Hono, Zod, chained', isChained: true, ...hono },
  'elysia-chained': { label: 'Elysia, chained', isChained: true, ...elysia },
};

/** The subject of Ambit in the same style: routes as statements, or chained for typed clients. */
export const ambitSubjectLike = (/** @type {string} */ name) =>
  subjects[name].isChained ? 'ambit-chained' : 'ambit';

/** A whole program with this number of routes. */
export function writeProgram(/** @type {string} */ name, /** @type {number} */ count, isProbe = false) {
  const { head, isChained, writeRoute } = subjects[name];
  const routes = Array.from({ length: count }, (_, n) => writeRoute(n, isProbe));
  if (isChained) return `${head}\n${routes.join('\n')};\nexport { app };\n`;
  return `${head};\n${routes.map((route) => `app${route};\n`).join('')}`;
}
