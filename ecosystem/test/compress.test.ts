/** `@fastify/compress` on responses that are sent item by item: whole ones decompress, cut ones fail, and events are not held back. */
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const row = { type: 'object', properties: { id: { type: 'integer' } } };
const streams = (mediaType: string, itemSchema: object) =>
  ({ schema: { response: { 200: { content: { [mediaType]: { itemSchema } } } } } }) as object;

async function* rows(count: number): AsyncGenerator<object> {
  for (let id = 0; id < count; id++) yield { id, secret: 'not declared' };
}

async function makeApp(create: Flavor['create'], engine: 'node' | undefined): Promise<FastifyInstance> {
  const app = create({ engine } as object);
  // By default, the plugin does not compress lines of JSON.
  await app.register(compress, { threshold: 0, customTypes: /^application\/(?:json|x-ndjson)/ });
  return app;
}

async function ask(url: string, method = 'GET'): Promise<IncomingMessage> {
  const outgoing = request(url, { method, agent: false, headers: { 'accept-encoding': 'gzip' } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

const lanes = [undefined, 'node'] as const;

describe.each(flavors)('compress on $flavor', ({ create }) => {
  describe.each(lanes)('with engine %s', (engine) => {
    for (const [mediaType, text] of [
      ['application/json', '[{"id":0},{"id":1}]'],
      ['application/x-ndjson', '{"id":0}\n{"id":1}\n'],
    ] as const) {
      test(`items of ${mediaType} are compressed`, async () => {
        const app = await makeApp(create, engine);
        app.get('/', streams(mediaType, row), () => rows(2) as never);
        const response = await ask(await serve(app));
        const { 'content-encoding': encoding, 'content-type': type } = response.headers;
        expect([encoding, type!.split(';')[0]]).toEqual(['gzip', mediaType]);
        expect(gunzipSync(await buffer(response)).toString()).toBe(text);
      });
    }

    test('a compressed response that fails later is cut', async () => {
      const app = await makeApp(create, engine);
      app.get('/', streams('application/x-ndjson', row), async function* () {
        yield* rows(2);
        throw new Error('no more');
      } as never);
      await expect(ask(await serve(app)).then(buffer)).rejects.toThrow();
    });

    test('a client that leaves a compressed response ends its generator', async () => {
      const ended = new EventEmitter();
      const app = await makeApp(create, engine);
      app.get('/', streams('application/x-ndjson', row), async function* () {
        try {
          yield* rows(Number.POSITIVE_INFINITY);
        } finally {
          ended.emit('finally');
        }
      } as never);
      const hasEnded = once(ended, 'finally');
      const response = await ask(await serve(app));
      response.on('error', () => {}).destroy();
      await hasEnded;
    });

    test('an event reaches the client while the generator waits for the next', async () => {
      const client = new EventEmitter();
      const app = await makeApp(create, engine);
      app.get('/', streams('text/event-stream', { data: row }), async function* () {
        const hasRead = once(client, 'read');
        yield { data: { id: 1 } };
        await hasRead;
      } as never);
      const response = await ask(await serve(app));
      const [first] = await once(response, 'data');
      expect([response.headers['content-encoding'], String(first)]).toEqual([
        undefined,
        'data: {"id":1}\n\n',
      ]);
      client.emit('read');
      await once(response.resume(), 'end');
    });

    test('HEAD has no content', async () => {
      const app = await makeApp(create, engine);
      app.get('/', streams('application/json', row), () => rows(2) as never);
      const response = await ask(await serve(app), 'HEAD');
      expect([response.statusCode, (await buffer(response)).length]).toEqual([200, 0]);
    });
  });
});
