'use strict';

// An application of one flavor, started, asked and closed. Tools that load modules in their own way also have classes and globals of their
// own: errors, buffers, streams and web streams of one side are handed to the other here.
const fs = require('node:fs');
const { Readable } = require('node:stream');
const fastifyPlugin = require('fastify-plugin');

const note = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 2 }, due: { type: 'string', format: 'date' } },
};

async function declare(app) {
  const clock = async (instance) => {
    instance.decorate('now', () => new Date(0));
  };
  app.register(fastifyPlugin(clock, { name: 'clock', fastify: '5.x' }));
  app.post('/notes', { schema: { body: note, response: { 200: note } } }, async ({ body }) => ({
    ...body,
    secret: 1,
  }));
  app.get(
    '/date',
    { schema: { response: { 200: { type: 'string', format: 'date-time' } } } },
    function date() {
      return this.now();
    },
  );
  app.get('/thrown', async () => {
    throw Object.assign(new Error('gone'), { statusCode: 410 });
  });
  app.get('/file-error', () => fs.promises.readFile('/does/not/exist'));
  app.get('/stream', (_request, reply) => reply.send(Readable.from(['a', 'b'])));
  app.get('/stream-error', (_request, reply) => reply.send(fs.createReadStream('/does/not/exist')));
  app.get('/buffer', (_request, reply) => reply.send(Buffer.from('bytes')));
  app.get('/bytes', (_request, reply) => reply.send(new Uint8Array([65])));
  app.get('/response', () => new Response('web', { status: 201 }));
  app.get('/map', () => ({ at: new Date(0), map: new Map([[1, 2]]), nothing: undefined, list: [null] }));
}

/** @returns Status and text of each answer, by what was asked. */
exports.exercise = async (flavor) => {
  const lines = [];
  const app = flavor({ logger: { level: 'info', stream: { write: (line) => lines.push(line) } } });
  await declare(app);
  const origin = await app.listen({ port: 0 });
  const answers = {};
  for (const body of ['{"title":"ada"}', '{"title":"a"}', '{']) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${origin}/notes`, { method: 'POST', headers, body });
    answers[body] = [response.status, await response.text()];
  }
  for (const path of [
    'date',
    'thrown',
    'file-error',
    'stream',
    'stream-error',
    'buffer',
    'bytes',
    'response',
    'map',
    'none',
  ]) {
    const response = await fetch(`${origin}/${path}`);
    const injected = await app.inject(`/${path}`);
    answers[path] = [response.status, await response.text(), injected.statusCode, injected.body];
  }
  await app.close();
  return { answers, isLogged: lines.length > 0 };
};

/** What an application asks of a factory before it starts. */
exports.refusal = (flavor) => {
  try {
    flavor({ bodyLimit: 'text' });
  } catch (error) {
    return { code: error.code, isError: error instanceof Error, message: error.message };
  }
  return undefined;
};
