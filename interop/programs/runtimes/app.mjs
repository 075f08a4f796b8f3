// One application for all runtimes. Its default export is what `bun run` and `deno serve` expect: an object with `fetch`.
import { once } from 'node:events';
import { Readable } from 'node:stream';

const { ambit } = await import('ambit');
const { fastify } = await import('fastify');
const [face] = process.argv.slice(2);
const app = face === 'fastify' ? fastify({ bodyLimit: 100_000 }) : ambit({ bodyLimit: 100_000 });

app.decorateRequest('who', null);
app.addHook('onRequest', async (request) => {
  request.who = 'hook';
});
app.get('/json/:id', ({ params, query, who, ip }) => ({ params, query, who, ip }));
app.post('/valid', {
  schema: {
    body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    response: { 200: { type: 'object', properties: { a: { type: 'integer' } } } },
  },
  handler: ({ body }) => ({ ...body, secret: 1 }),
});
app.get('/cookies', (_request, reply) => reply.header('set-cookie', ['a=1', 'b=2']).send('ok'));
for (const status of [204, 304]) app.get(`/status/${status}`, (_request, reply) => reply.code(status).send());
app.get('/error', () => {
  throw new Error('broken');
});
const chunk = 'x'.repeat(10_000);
app.get('/stream', (_request, reply) =>
  reply.send(Readable.from(Array.from({ length: 200 }, (_, i) => `${i} ${chunk}\n`))),
);
app.get('/web', () => new Response(new Blob([chunk, chunk]).stream(), { headers: { 'x-own': '1' } }));
app.addContentTypeParser('application/octet-stream', async (_request, payload) => payload);
app.post('/echo', ({ body }, reply) => reply.type('application/octet-stream').send(body));
app.post('/length', { bodyLimit: 10_000_000 }, async ({ body }) => {
  let length = 0;
  for await (const bytes of body) length += bytes.length;
  return { length };
});
let aborted = Promise.resolve();
app.get('/abort', ({ signal }, reply) => {
  aborted = once(signal, 'abort');
  const stream = new Readable({ read() {} });
  stream.push('begun');
  return reply.send(stream);
});
app.get('/aborted', async () => {
  await aborted;
  return 'the client left';
});
app.register(async (child) => {
  child.setErrorHandler((error, _request, reply) => reply.code(422).send({ own: error.message }));
  child.get('/child', () => {
    throw new Error('own');
  });
});

export default app;
