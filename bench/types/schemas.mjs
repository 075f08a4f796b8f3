/**
 * The schemas of one route as source text, for each subject's schema library. A route has five: params, query,
 * body, and the payloads of 200 and 404. Their property names contain the number of the route, so that no two routes
 * share a type.
 *
 * @typedef {{ params: string, query: string, body: string, ok: string, missing: string }} RouteSchemas
 */

/** @returns {RouteSchemas} */
export function writeJsonSchemas(/** @type {number} */ n) {
  const text = "{ type: 'string' }";
  const integer = "{ type: 'integer' }";
  const address = `{ type: 'object', required: ['street${n}'], properties: { street${n}: ${text}, zip: ${text} } }`;
  const card = `{ type: 'object', required: ['card${n}'], properties: { card${n}: ${text} } }`;
  const account = `{ type: 'object', required: ['iban'], properties: { iban: ${text} } }`;
  const item = `{ type: 'object', required: ['sku${n}', 'count'], properties: { sku${n}: ${text}, count: { type: 'number' } } }`;
  return {
    params: `{ type: 'object', required: ['id${n}'], properties: { id${n}: ${integer} } }`,
    query: `{ type: 'object', required: ['page${n}'], properties: { page${n}: ${integer}, text${n}: ${text}, sort: { type: 'string', enum: ['up', 'down', 'by${n}'] } } }`,
    body: `{ type: 'object', required: ['name${n}', 'address', 'tags'], additionalProperties: false, properties: { name${n}: { type: 'string', minLength: 1 }, age: { type: ['integer', 'null'] }, kind: { enum: ['a', 'b', 'kind${n}'] }, address: ${address}, tags: { type: 'array', items: ${text} }, pay: { anyOf: [${card}, ${account}] } } }`,
    ok: `{ type: 'object', required: ['id', 'name${n}'], properties: { id: ${integer}, name${n}: ${text}, note: ${text}, items: { type: 'array', items: ${item} } } }`,
    missing: `{ type: 'object', required: ['message${n}'], properties: { message${n}: ${text} } }`,
  };
}

/**
 * TypeBox, and Elysia's own copy of it.
 *
 * @param {string} t The name of the builder.
 * @returns {(n: number) => RouteSchemas}
 */
export function makeTypeBoxWriter(t) {
  const optional = (/** @type {string} */ schema) => `${t}.Optional(${schema})`;
  const literals = (/** @type {string[]} */ ...values) =>
    `${t}.Union([${values.map((value) => `${t}.Literal('${value}')`).join(', ')}])`;
  const text = `${t}.String()`;
  return (n) => ({
    params: `${t}.Object({ id${n}: ${t}.Integer() })`,
    query: `${t}.Object({ page${n}: ${t}.Integer(), text${n}: ${optional(text)}, sort: ${optional(literals('up', 'down', `by${n}`))} })`,
    body: `${t}.Object({ name${n}: ${t}.String({ minLength: 1 }), age: ${optional(`${t}.Union([${t}.Integer(), ${t}.Null()])`)}, kind: ${optional(literals('a', 'b', `kind${n}`))}, address: ${t}.Object({ street${n}: ${text}, zip: ${optional(text)} }), tags: ${t}.Array(${text}), pay: ${optional(`${t}.Union([${t}.Object({ card${n}: ${text} }), ${t}.Object({ iban: ${text} })])`)} }, { additionalProperties: false })`,
    ok: `${t}.Object({ id: ${t}.Integer(), name${n}: ${text}, note: ${optional(text)}, items: ${optional(`${t}.Array(${t}.Object({ sku${n}: ${text}, count: ${t}.Number() }))`)} })`,
    missing: `${t}.Object({ message${n}: ${text} })`,
  });
}

/** @returns {RouteSchemas} */
export function writeZodSchemas(/** @type {number} */ n) {
  const text = 'z.string()';
  return {
    params: `z.object({ id${n}: z.coerce.number().int() })`,
    query: `z.object({ page${n}: z.coerce.number().int(), text${n}: ${text}.optional(), sort: z.enum(['up', 'down', 'by${n}']).optional() })`,
    body: `z.strictObject({ name${n}: z.string().min(1), age: z.int().nullable().optional(), kind: z.enum(['a', 'b', 'kind${n}']).optional(), address: z.object({ street${n}: ${text}, zip: ${text}.optional() }), tags: z.array(${text}), pay: z.union([z.object({ card${n}: ${text} }), z.object({ iban: ${text} })]).optional() })`,
    ok: `z.object({ id: z.int(), name${n}: ${text}, note: ${text}.optional(), items: z.array(z.object({ sku${n}: ${text}, count: z.number() })).optional() })`,
    missing: `z.object({ message${n}: ${text} })`,
  };
}
