// How long it takes to describe 1,000 routes, beside @fastify/swagger: `node --single-threaded packages/openapi/bench/describe-routes.mjs
// [rounds]`, after `npm run build`, with the ecosystem project installed. CPU time of the document alone, not of the boot; both in turns,
// on the same routes; the least of all rounds. One round is what the first document of a process costs.
import { createRequire } from 'node:module';
import { toOpenAPI } from '@ambit/openapi';
import { ambit } from 'ambit';

const requirePeer = createRequire(new URL('../../../ecosystem/package.json', import.meta.url));
const swagger = requirePeer('@fastify/swagger');
const rounds = Number(process.argv[2] ?? 15);
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
    const params = { type: 'object', properties: { id: { type: 'integer', description: 'which' } } };
    const querystring = {
      type: 'object',
      properties: { page: { type: 'integer', default: 1 }, q: { type: 'string' } },
    };
    const problem = { type: 'object', description: 'not there', properties: { message: { type: 'string' } } };
    const found = {
      type: 'object',
      description: 'found',
      properties: { total: { type: 'integer' }, rows: { type: 'array', items: { $ref: 'Item#' } } },
    };
    const read = { summary: 'Reads', tags, params, querystring, response: { 200: found, 404: problem } };
    context.get(`/things${i}/:id`, { schema: read, exposeHeadRoute: false }, () => ({}));
    const draft = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
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

async function cpuMs(describe) {
  const before = process.cpuUsage();
  const document = await describe();
  const { user, system } = process.cpuUsage(before);
  if (Object.keys(document.paths).length !== 500) throw new Error('not all routes are in the document');
  return (user + system) / 1000;
}

async function measureOurs() {
  const app = ambit();
  declareRoutes(app);
  await app.ready();
  const ms = await cpuMs(() => toOpenAPI(app, { info }));
  await app.close();
  return ms;
}

async function measureTheirs() {
  const app = ambit();
  await app.register(swagger, { openapi: { openapi: '3.1.0', info } });
  declareRoutes(app);
  await app.ready();
  const ms = await cpuMs(() => app.swagger());
  await app.close();
  return ms;
}

const times = { ours: [], theirs: [] };
for (let round = 0; round < rounds; round++) {
  times.ours.push(await measureOurs());
  times.theirs.push(await measureTheirs());
}
const [ours, theirs] = [Math.min(...times.ours), Math.min(...times.theirs)];
console.log(`1,000 routes, ${rounds} rounds, Node ${process.version}`);
console.log(`@ambit/openapi    ${ours.toFixed(1)} ms`);
console.log(`@fastify/swagger  ${theirs.toFixed(1)} ms`);
console.log(`ratio             ${(ours / theirs).toFixed(2)}`);
