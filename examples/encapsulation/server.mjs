// A root context with three child contexts, the decorators that each of them sees, and two pages that show the contexts,
// /docs and /__ambit:
//
//   root                  answer
//   ├── members           answer             behind a bearer token
//   └── lobby             answer, foo
//       └── balcony       answer, foo, bar
//
// Environment: PORT (default: 3000; 0 selects a free port), API_KEY (default: a random key at each start).
import { randomBytes } from 'node:crypto';
import { inspector } from '@ambit/inspector';
import { describeRoutes, openapi } from '@ambit/openapi';
import bearerAuth from '@fastify/bearer-auth';
import { ambit } from 'ambit';

const key = process.env.API_KEY || randomBytes(16).toString('hex');

// All routes use the same handler. Its result depends on the context of the route.
const showDecorators = ({ answer, foo, bar }) => ({ answer, foo, bar });

const schemaFor = (context) => ({
  summary: `What ${context} sees`,
  response: {
    200: {
      description: 'The decorators of requests here',
      type: 'object',
      properties: { answer: { type: 'integer' }, foo: { type: 'string' }, bar: { type: 'string' } },
    },
  },
});

async function members(context) {
  // Published plugins work without changes. This one adds a hook, so it protects only this context.
  context.register(bearerAuth, { keys: [key] });
  // Descriptions belong to a context, too: the page asks for the token for these routes only.
  describeRoutes(context, {
    tags: [{ name: 'members', description: 'Behind a bearer token' }],
    guards: { token: { type: 'http', scheme: 'bearer' } },
    responses: { 401: { description: 'The token is missing or wrong' } },
  });
  context.get('/members', { schema: schemaFor('a member') }, showDecorators);
}

async function lobby(context) {
  context.decorateRequest('foo', 'foo');
  describeRoutes(context, { tags: [{ name: 'lobby', description: 'Open to everybody' }] });
  context.get('/lobby', { schema: schemaFor('the lobby') }, showDecorators);
  context.register(balcony);
}

async function balcony(context) {
  context.decorateRequest('bar', 'bar');
  context.get('/balcony', { schema: schemaFor('the balcony') }, showDecorators);
}

const app = ambit({ logger: true });
app.decorateRequest('answer', 42);
app.register(inspector);
app.register(openapi, { info: { title: 'Who sees what', version: '1.0.0' } });
app.register(members);
app.register(lobby);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    app.log.info(`${signal}: closing`);
    await app.close();
  });
}

const requestedPort = Number(process.env.PORT || 3000);
try {
  await app.listen({ port: requestedPort });
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(
    `Port ${requestedPort} is in use. Set PORT to another one, or to 0 for a free one: PORT=0 npm start`,
  );
  process.exit(1);
}

const [{ port }] = app.addresses();
console.log(`
Try:
  curl localhost:${port}/lobby
  curl localhost:${port}/balcony
  curl localhost:${port}/members -H 'authorization: Bearer ${key}'
`);
