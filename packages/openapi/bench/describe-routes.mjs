// Measures the time to describe 1,000 routes, compared with @fastify/swagger: `node --single-threaded
// packages/openapi/bench/describe-routes.mjs [rounds] [object|text] [varied]`, after `npm run build`, with the ecosystem project installed.
// It measures the CPU time of the document without the boot, for both in turns and with the same routes, and prints the minimum of all
// rounds. One round of `object` or `text` shows the time of the first document of a process. With `varied`, each route has a body or
// response that no other route has.
import { createRequire } from 'node:module';
import { openapi, toOpenAPI } from '@ambit/openapi';
import { ambit } from 'ambit';

const requirePeer = createRequire(new URL('../../../ecosystem/package.json', import.meta.url));
const swagger = requirePeer('@fastify/swagger');
const rounds = Number(process.argv[2] ?? 15);
const isVaried = process.argv.includes('varied');
const only = ['object', 'text'].find((what) => process.argv.includes(what));
const info = { title: 'Shop', version: '1.0.0' };

/** 1,000 routes in 50 contexts: parameters, bodies, responses by status, shared and inline schemas. */
function declareRoutes(app) {
  for (const name of ['Customer', 'Address', 'Item']) {
    app.addSchema({
      $id: name,
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', maxLength: 80 },
        note: { type: 'string', nullable: true },
        tags: { type: 'array', items: { type: 'string', enum: ['new', 'old'] } },
        ...(name === 'Customer' && { address: { $ref: 'Address#' } }),
      },
    });
  }
  for (let section = 0; section < 50; section++) {
    app.register(async (context) => declareSection(context, section), { prefix: `/section${section}` });
  }
}

function declareSection(context, section) {
  for (let i = 0; i < 10; i++) {
    const tags = [`section ${section}`];
    const own = isVaried ? `${section}x${i}` : '';
    const params = { type: 'object', properties: { id: { type: 'integer', description: 'which' } } };
    const querystring = {
      type: 'object',
      properties: { page: { type: 'integer', default: 1 }, q: { type: 'string' } },
    };
    const problem = { type: 'object', description: 'not there', properties: { message: { type: 'string' } } };
    const found = {
      type: 'object',
      description: 'found',
      properties: { [`total${own}`]: { type: 'integer' }, rows: { type: 'array', items: { $ref: 'Item#' } } },
    };
    const read = { summary: 'Reads', tags, params, querystring, response: { 200: found, 404: problem } };
    context.get(`/things${i}/:id`, { schema: read, exposeHeadRoute: false }, () => ({}));
    const draft = {
      type: 'object',
      required: [`name${own}`],
      properties: {
        [`name${own}`]: { type: 'string' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
        },
      },
    };
    const write = {
      summary: 'Writes',
      tags,
      params,
      body: draft,
      response: { 200: { description: 'written', $ref: 'Customer#' }, 400: problem },
    };
    context.put(`/things${i}/:id`, { schema: write }, () => ({}));
  }
}

/** The CPU time of a task, without the check of its result. */
async function cpuMs(task, routesOf) {
  const before = process.cpuUsage();
  const result = await task();
  const { user, system } = process.cpuUsage(before);
  if (Object.keys(routesOf(result).paths).length !== 500)
    throw new Error('not all routes are in the document');
  return (user + system) / 1000;
}

const asObject = (document) => document;
const asText = ({ body }) => JSON.parse(body);

/** Two tasks: the document as an object, and its text for the first request. */
const tasks = {
  'object, ours': async () => {
    const app = ambit();
    declareRoutes(app);
    await app.ready();
    return [app, () => toOpenAPI(app, { info }), asObject];
  },
  'object, theirs': async () => {
    const app = await withSwagger();
    return [app, () => app.swagger(), asObject];
  },
  'text, ours': async () => {
    const app = ambit();
    app.register(openapi, { info, yaml: false, docs: false });
    declareRoutes(app);
    await app.ready();
    return [app, () => app.inject('/openapi.json'), asText];
  },
  'text, theirs': async () => {
    const app = await withSwagger();
    return [app, () => app.inject('/swagger.json'), asText];
  },
};

async function withSwagger() {
  const app = ambit();
  await app.register(swagger, { openapi: { openapi: '3.1.0', info } });
  app.get('/swagger.json', { schema: { hide: true } }, () => app.swagger());
  declareRoutes(app);
  await app.ready();
  return app;
}

const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, Number.POSITIVE_INFINITY]));
for (let round = 0; round < rounds; round++) {
  for (const name of only === undefined
    ? Object.keys(tasks)
    : Object.keys(tasks).filter((name) => name.startsWith(only))) {
    const [app, task, routesOf] = await tasks[name]();
    times[name] = Math.min(times[name], await cpuMs(task, routesOf));
    await app.close();
  }
}
console.log(
  `1,000 routes, ${rounds} rounds, Node ${process.version}${isVaried ? ', each with schemas of its own' : ''}`,
);
for (const what of ['object', 'text']) {
  const [ours, theirs] = [times[`${what}, ours`], times[`${what}, theirs`]];
  const figures = [ours.toFixed(1), theirs.toFixed(1), (ours / theirs).toFixed(2)];
  console.log(
    `${what}: @ambit/openapi ${figures[0]} ms, @fastify/swagger ${figures[1]} ms, ratio ${figures[2]}`,
  );
}
