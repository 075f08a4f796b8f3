import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/static';

export function setUp(app, { folder }) {
  app.register(plugin, { root: `${folder}/public`, prefix: '/files/' });
  app.get('/send', (_request, reply) => reply.sendFile('note.txt'));
}

export async function check(ask, { raw }) {
  const response = await ask('/files/note.txt');
  equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  equal(await response.text(), 'a note\n');
  const part = await ask('/files/note.txt', { headers: { range: 'bytes=2-5' } });
  deepEqual([part.status, await part.text()], [206, 'note']);
  const again = await raw('/send', { headers: { 'if-none-match': response.headers.get('etag') } });
  equal(again.status, 304);
  equal((await ask('/files/none.txt')).status, 404);
}
