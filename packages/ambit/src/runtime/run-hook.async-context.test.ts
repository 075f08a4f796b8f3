/** An AsyncLocalStorage that is entered in a hook stays entered through parsers, later hooks and the handler. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ambit, type Context, type RequestHook } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { serve } from '../../test/support/serve.ts';

const storage = new AsyncLocalStorage<string>();

const ways: Record<string, RequestHook> = {
  'run around done': (request, _reply, done) => {
    storage.run(request.url, done);
  },
  'run around a late done': (request, _reply, done) => {
    setImmediate(() => storage.run(request.url, done));
  },
  'enterWith before done': (request, _reply, done) => {
    storage.enterWith(request.url);
    done();
  },
};

/** Records the store wherever code of the application runs. */
function observe(app: Context): Record<string, string | undefined> {
  const seen: Record<string, string | undefined> = {};
  const note = (where: string): void => {
    seen[where] = storage.getStore();
  };
  app.addHook('preParsing', async () => note('preParsing'));
  app.addHook('preValidation', (_request, _reply, done) => {
    note('preValidation');
    done();
  });
  app.addHook('preHandler', async () => note('preHandler'));
  app.addHook('preSerialization', async () => note('preSerialization'));
  app.addHook('onSend', async () => note('onSend'));
  app.addContentTypeParser('text/stream', async (_request, payload) => {
    note('parser');
    let text = '';
    for await (const chunk of payload) text += chunk;
    return text;
  });
  app.addContentTypeParser('text/string', { parseAs: 'string' }, (_request, body, done) => {
    note('parser');
    setImmediate(done, null, body);
  });
  app.post('/:any', async () => {
    note('handler');
    return {};
  });
  return seen;
}

const places = [
  'preParsing',
  'parser',
  'preValidation',
  'preHandler',
  'handler',
  'preSerialization',
  'onSend',
];

for (const [way, hook] of Object.entries(ways)) {
  describe(`a storage entered by ${way} in onRequest`, () => {
    for (const mediaType of ['text/stream', 'text/string']) {
      test(`is seen everywhere after it (${mediaType})`, async () => {
        const app = ambit();
        app.addHook('onRequest', hook);
        const seen = observe(app);
        const origin = await serve(app);
        const headers = { 'content-type': mediaType };
        await fetch(`${origin}/one`, { method: 'POST', headers, body: 'x'.repeat(200_000) });
        expect(seen).toEqual(Object.fromEntries(places.map((place) => [place, '/one'])));
      });
    }

    test('is not mixed up between requests that run at the same time', async () => {
      const app = ambit();
      app.addHook('onRequest', hook);
      app.post('/:any', async (request) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { isOwn: storage.getStore() === request.url };
      });
      const origin = await serve(app);
      const ask = async (id: number): Promise<unknown> => {
        const response = await fetch(`${origin}/${id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        return response.json();
      };
      const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => ask(id)));
      expect(answers).toEqual(Array.from({ length: 20 }, () => ({ isOwn: true })));
    });
  });
}

for (const [flavor, make] of flavors) {
  for (const options of [{}, { engine: 'node' }] as const) {
    test(`onResponse runs in the storage of its own request (${flavor}, ${JSON.stringify(options)})`, async () => {
      const app = make(options);
      app.addHook('onRequest', ways['run around done']!);
      const seen: (string | undefined)[] = [];
      app.addHook('onResponse', async (request) => void seen.push(`${request.url} ${storage.getStore()}`));
      app.get('/at-once', (_request, reply) => void reply.send('text'));
      app.get('/later', async () => 'text');
      const origin = await serve(app);
      const paths = Array.from({ length: 20 }, (_, i) => [`/at-once?${i}`, `/later?${i}`]).flat();
      await Promise.all(paths.map(async (path) => (await fetch(origin + path)).text()));
      await app.close();
      expect(seen.toSorted()).toEqual(paths.map((path) => `${path} ${path}`).toSorted());
    });
  }
}
