/** An AsyncLocalStorage that is entered in a hook stays entered through parsers, later hooks and the handler. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { ambit, type Context, type RequestHook } from 'ambit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { open, request } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

const storage = new AsyncLocalStorage<string>();
// Otherwise, it slows the promises of all later tests of the process.
afterAll(() => storage.disable());

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

const chunked = (path: string): string =>
  `${request('POST', path, 'Content-Type: text/plain', 'Transfer-Encoding: chunked')}4\r\nbody\r\n0\r\n\r\n`;
const withLength = (path: string): string =>
  `${request('POST', path, 'Content-Type: text/plain', 'Content-Length: 4')}body`;

/** Requests of one connection, in the pieces that arrive together: pipelined, before and after a hand-over to node. */
const conversations: Readonly<Record<string, readonly string[]>> = {
  pipelined: [
    ['slow', 'fast', 'turn', 'raw', 'fast'].map((kind, i) => request('GET', `/${kind}/${i}`)).join(''),
  ],
  'pipelined with bodies': [withLength('/slow/0') + withLength('/fast/1') + withLength('/raw/2')],
  'pipelined around a hand-over': [
    request('GET', '/fast/0') + chunked('/fast/1') + request('GET', '/slow/2') + chunked('/fast/3'),
  ],
  'one after another around a hand-over': [
    request('GET', '/fast/0'),
    chunked('/fast/1'),
    request('GET', '/turn/2'),
    withLength('/fast/3'),
    chunked('/raw/4'),
    request('GET', '/fast/5'),
  ],
};

const enterWays: Readonly<Record<string, RequestHook>> = {
  'run around done': ways['run around done']!,
  'enterWith before done': ways['enterWith before done']!,
  enterWith: async (request) => void storage.enterWith(request.url),
};

for (const [flavor, make] of flavors) {
  describe.each([{}, { engine: 'node' }] as const)(`on ${flavor}, with the options %o`, (options) => {
    for (const [way, hook] of Object.entries(enterWays)) {
      test.each(Object.entries(conversations))(
        `no request sees the storage of another one: ${way}, %s`,
        async (_name, pieces) => {
          const app = make(options);
          const seen: string[] = [];
          const note = (where: string, url: string): void =>
            void seen.push(`${url} ${where} in ${storage.getStore()}`);
          app.addHook('onRequest', async ({ url }) => note('began', url));
          app.addHook('onRequest', hook);
          app.addHook('onSend', async ({ url }) => note('sent', url));
          app.addHook('onResponse', async ({ url }) => note('ended', url));
          app.route({
            method: ['GET', 'POST'],
            url: '/:kind/:id',
            handler: async ({ params }, reply) => {
              const { kind } = params as { kind: string };
              if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 5));
              if (kind === 'turn') await new Promise((resolve) => setImmediate(resolve));
              if (kind === 'raw') reply.raw.setHeader('x-raw', 'yes');
              return 'value';
            },
          });
          const urls = pieces.flatMap((piece) =>
            [...piece.matchAll(/(?:GET|POST) (\S+)/g)].map((found) => found[1]!),
          );
          const { socket } = await open(await servePort(app));
          for (const piece of pieces) {
            const before = seen.filter((line) => line.includes('ended')).length;
            const expected = before + piece.split(' HTTP/1.1').length - 1;
            socket.write(piece);
            await vi.waitFor(
              () => expect(seen.filter((line) => line.includes('ended'))).toHaveLength(expected),
              {
                interval: 1,
              },
            );
          }
          socket.destroy();
          const own = urls.flatMap((url) => [
            `${url} began in undefined`,
            `${url} sent in ${url}`,
            `${url} ended in ${url}`,
          ]);
          expect(seen.toSorted()).toEqual(own.toSorted());
        },
      );
    }
  });
}

test('a storage that a request over HTTP/2 enters is not seen by the next one of its session', async () => {
  const app = ambit({ http2: true });
  const seen: unknown[] = [];
  app.get('/', (_request, reply) => {
    seen.push(storage.getStore());
    storage.enterWith('of another request');
    reply.send('value');
  });
  const session = connect(`http://127.0.0.1:${await servePort(app)}`);
  for (let i = 0; i < 3; i++) {
    const stream = session.request({ ':path': '/' }).resume();
    await once(stream, 'close');
  }
  session.close();
  expect(seen).toEqual([undefined, undefined, undefined]);
});
