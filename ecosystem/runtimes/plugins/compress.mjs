import { deepEqual, equal } from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import plugin from '@fastify/compress';

const text = 'a note '.repeat(1000);

export function setUp(app) {
  app.register(plugin, { encodings: ['br', 'gzip'] }).after(() => {
    app.get('/', () => text);
    app.post('/', { bodyLimit: 1_000_000 }, (request) => ({ length: request.body.text.length }));
  });
}

export async function check(ask, { raw }) {
  const packed = await raw('/', { headers: { 'accept-encoding': 'br' } });
  equal(packed.headers['content-encoding'], 'br');
  equal(brotliDecompressSync(packed.body).toString(), text);
  const zipped = await raw('/', { headers: { 'accept-encoding': 'gzip' } });
  equal(gunzipSync(zipped.body).toString(), text);
  const stream = new Blob([JSON.stringify({ text })]).stream().pipeThrough(new CompressionStream('gzip'));
  const body = await new Response(stream).arrayBuffer();
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  deepEqual(await (await ask('/', { method: 'POST', headers, body })).json(), { length: text.length });
}
