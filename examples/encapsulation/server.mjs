// Three contexts under one root, and what each of them sees:
//
//   root                  answer
//   ├── members           answer             behind a bearer token
//   └── lobby             answer, foo
//       └── balcony       answer, foo, bar
//
// Environment: PORT (default 3000; 0 picks a free one), API_KEY (default: a new one at each start).
import { randomBytes } from 'node:crypto';
import bearerAuth from '@fastify/bearer-auth';
import { ambit } from 'ambit';

const key = process.env.API_KEY || randomBytes(16).toString('hex');

// The same handler everywhere: what it finds depends on the context of its route.
const showDecorators = ({ answer, foo, bar }) => ({ answer, foo, bar });

async function members(context) {
  // Plugins of the ecosystem work as they are. This one adds a hook, so it protects this context alone.
  context.register(bearerAuth, { keys: [key] });
  context.get('/members', showDecorators);
}

async function lobby(context) {
  context.decorateRequest('foo', 'foo');
  context.get('/lobby', showDecorators);
  context.register(balcony);
}

async function balcony(context) {
  context.decorateRequest('bar', 'bar');
  context.get('/balcony', showDecorators);
}

const app = ambit({ logger: true });
app.decorateRequest('answer', 42);
app.register(members);
app.register(lobby);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    app.log.info(`${signal}: closing`);
    await app.close();
  });
}

await app.listen({ port: Number(process.env.PORT || 3000) });

const [{ port }] = app.addresses();
console.log(`
${app.printRoutes()}
Try:
  curl localhost:${port}/lobby
  curl localhost:${port}/balcony
  curl localhost:${port}/members -H 'authorization: Bearer ${key}'
`);
