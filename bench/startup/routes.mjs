// The applications for start-up: many routes or plugins, and one valid request for each route.

/** Schemas that differ for each number, because the number is a part of their property names. */
function makeSchema(/** @type {number} */ number) {
  const text = { type: 'string', minLength: 1 };
  return {
    params: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', minimum: 1, maximum: 1_000_000 + number } },
    },
    querystring: {
      type: 'object',
      properties: {
        [`limit${number}`]: { type: 'integer', minimum: 1, maximum: 100 },
        [`sort${number}`]: { type: 'string', enum: ['asc', 'desc'] },
      },
    },
    body: {
      type: 'object',
      required: [`name${number}`, 'address'],
      properties: {
        [`name${number}`]: text,
        address: {
          type: 'object',
          required: ['city'],
          properties: { city: text, [`zip${number}`]: { type: 'string', maxLength: 10 } },
        },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
    },
    response: {
      200: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          [`name${number}`]: { type: 'string' },
          address: { type: 'object', properties: { city: { type: 'string' } } },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  };
}

/**
 * @param {number} count
 * @param {boolean} areDistinct Whether the schemas of each route have different content; otherwise each route has a
 *   copy of the same.
 */
export function makeRoutes(count, areDistinct) {
  return Array.from({ length: count }, (_, index) => {
    const number = areDistinct ? index : 0;
    return { path: `/things${index}`, number, schema: makeSchema(number) };
  });
}

/** @param {ReturnType<typeof makeRoutes>} routes */
export function declareRoutes(app, routes) {
  for (const { path, schema } of routes) {
    app.post(`${path}/:id`, { schema }, async (request) => ({ id: request.params.id, ...request.body }));
  }
}

/** Sends one request to each route, and checks that the response is what its schemas require. */
export async function useRoutes(app, routes) {
  for (const { path, number } of routes) {
    const payload = { [`name${number}`]: 'Ada', address: { city: 'London', street: 'Dorset' }, tags: ['a'] };
    const expected = JSON.stringify({
      id: 7,
      [`name${number}`]: 'Ada',
      address: { city: 'London' },
      tags: ['a'],
    });
    const reply = await app.inject({ method: 'POST', url: `${path}/7?limit${number}=5`, payload });
    if (reply.statusCode === 200 && reply.body === expected) continue;
    throw new Error(`${path} answered ${reply.statusCode} ${reply.body}, expected ${expected}`);
  }
}

/** Shared schemas that refer to one another, also in circles of ten, and routes that refer to them. */
export function declareShared(app, /** @type {number} */ schemaCount, /** @type {number} */ routeCount) {
  const ref = (/** @type {number} */ number) => ({ $ref: `Schema${number}#` });
  for (let i = 0; i < schemaCount; i++) {
    app.addSchema({
      $id: `Schema${i}`,
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        [`name${i}`]: { type: 'string' },
        parent: ref(i >> 1),
        owner: ref(Math.floor(i / 3)),
        next: { type: 'array', items: ref(i - (i % 10) + ((i + 1) % 10)) },
      },
    });
  }
  for (let i = 0; i < routeCount; i++) {
    const of = ref(Math.floor((i * schemaCount) / routeCount));
    const reply = { type: 'object', properties: { [`item${i}`]: of } };
    app.post(`/things${i}`, { schema: { body: of, response: { 200: reply } } }, async () => ({}));
  }
}

export function declarePlainRoutes(app, /** @type {number} */ count) {
  for (let i = 0; i < count; i++) app.get(`/things${i}`, async () => 'ok');
}

export function declareSiblings(app, /** @type {number} */ count) {
  for (let i = 0; i < count; i++) {
    app.register(async (context) => {
      context.get(`/things${i}`, async () => 'ok');
    });
  }
}
