import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/multipart';

export function setUp(app) {
  app.register(plugin);
  app.post('/', async (request) => {
    const parts = [];
    for await (const part of request.parts())
      parts.push(part.type === 'file' ? [part.filename, String(await part.toBuffer())] : part.value);
    return parts;
  });
}

export async function check(ask) {
  const body = new FormData();
  body.set('title', 'Sea');
  body.set('file', new Blob(['x'.repeat(200_000)]), 'a.txt');
  deepEqual(await (await ask('/', { method: 'POST', body })).json(), ['Sea', ['a.txt', 'x'.repeat(200_000)]]);
}
