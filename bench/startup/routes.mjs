// The applications for start-up: many routes or plugins, and one valid request for each route with schemas.

const text = (rest = {}) => ({ type: 'string', ...rest });
const object = (properties, required = undefined) => ({
  type: 'object',
  ...(required && { required }),
  properties,
});

/** Schemas that differ for each number, because the number is a part of their property names. */
function makeSchema(/** @type {number} */ number) {
  const name = text({ minLength: 1 });
  const zip = text({ maxLength: 10 });
  return {
    params: object({ id: { type: 'integer', minimum: 1, maximum: 1_000_000 + number } }, ['id']),
    querystring: object({
      [`limit${number}`]: { type: 'integer', minimum: 1, maximum: 100 },
      [`sort${number}`]: text({ enum: ['asc', 'desc'] }),
    }),
    body: object(
      {
        [`name${number}`]: name,
        address: object({ city: name, [`zip${number}`]: zip }, ['city']),
        tags: { type: 'array', items: text(), maxItems: 10 },
      },
      [`name${number}`, 'address'],
    ),
    response: {
      200: object({
        id: { type: 'integer' },
        [`name${number}`]: text(),
        address: object({ city: text() }),
        tags: { type: 'array', items: text() },
      }),
    },
  };
}

/** A thousand routes. `use` sends one request to each, and checks that the response is what its schemas require. */
function routesWithSchemas(/** @type {boolean} */ areDistinct) {
  const routes = Array.from({ length: 1_000 }, (_, index) => {
    const number = areDistinct ? index : 0;
    return { path: `/things${index}`, number, schema: makeSchema(number) };
  });
  return {
    declare(app) {
      for (const { path, schema } of routes)
        app.post(`${path}/:id`, { schema }, async (request) => ({ id: request.params.id, ...request.body }));
    },
    async use(app) {
      for (const { path, number } of routes) {
        const name = { [`name${number}`]: 'Ada' };
        const payload = { ...name, address: { city: 'London', street: 'Dorset' }, tags: ['a'] };
        const expected = JSON.stringify({ id: 7, ...name, address: { city: 'London' }, tags: ['a'] });
        const reply = await app.inject({ method: 'POST', url: `${path}/7?limit${number}=5`, payload });
        if (reply.statusCode === 200 && reply.body === expected) continue;
        throw new Error(`${path} answered ${reply.statusCode} ${reply.body}, expected ${expected}`);
      }
    },
  };
}

/** Shared schemas that refer to one another, also in circles of ten, and routes that refer to every second one. */
function declareShared(app) {
  const ref = (/** @type {number} */ number) => ({ $ref: `Schema${number}#` });
  for (let i = 0; i < 2_000; i++) {
    const properties = {
      id: { type: 'integer' },
      [`name${i}`]: text(),
      parent: ref(i >> 1),
      owner: ref(Math.floor(i / 3)),
      next: { type: 'array', items: ref(i - (i % 10) + ((i + 1) % 10)) },
    };
    app.addSchema({ $id: `Schema${i}`, ...object(properties, ['id']) });
  }
  for (let i = 0; i < 1_000; i++) {
    const response = { 200: object({ [`item${i}`]: ref(2 * i) }) };
    app.post(`/things${i}`, { schema: { body: ref(2 * i), response } }, async () => ({}));
  }
}

function declarePlainRoutes(app, /** @type {number} */ count) {
  for (let i = 0; i < count; i++) app.get(`/things${i}`, async () => 'ok');
}

function declareSiblings(app, /** @type {number} */ count) {
  for (let i = 0; i < count; i++)
    app.register(async (context) => void context.get(`/things${i}`, async () => 'ok'));
}

/** @returns {{ declare: (app: any) => void, use?: (app: any) => Promise<void> }} The application of a case, such as `routes-1000`. */
export function makeApplication(/** @type {string} */ name) {
  const [kind, count] = name.split('-');
  const declare = { routes: declarePlainRoutes, plugins: declareSiblings, shared: declareShared }[kind];
  return declare === undefined
    ? routesWithSchemas(name === 'distinct')
    : { declare: (app) => declare(app, Number(count)) };
}
