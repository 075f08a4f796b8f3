import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/static';
import { errorOf } from '../error-of.mjs';

export function setUp(app, { folder }) {
  app.register(plugin, { root: `${folder}/public`, prefix: '/files/' });
  app.get('/send', (_request, reply) => reply.sendFile('note.txt', { highWaterMark: 65_536 }));
}

export async function check(ask, { raw }) {
  const sent = await ask('/send');
  equal(sent.headers.get('content-type'), 'text/plain; charset=utf-8');
  equal(await sent.text(), 'a note\n');
  const again = await raw('/send', { headers: { 'if-none-match': sent.headers.get('etag') } });
  equal(again.status, 304);

  const response = await ask('/files/note.txt');
  if (response.status === 500) throw await errorOf(response);
  equal(await response.text(), 'a note\n');
  const part = await ask('/files/note.txt', { headers: { range: 'bytes=2-5' } });
  deepEqual([part.status, await part.text()], [206, 'note']);
  equal((await ask('/files/none.txt')).status, 404);
}
