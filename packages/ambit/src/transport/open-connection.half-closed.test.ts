/** Clients that end their side behind a request, in its packet or later: each request gets its response, and its hooks run once. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { AmbitOptions, BodyStream, Context, Request } from 'ambit';
import { fastify as fastifyItself } from 'fastify';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cert, key } from '../../test/fixtures/certificate.ts';
import { combine } from '../../test/support/combine.ts';
import { flavors } from '../../test/support/flavors.ts';
import { open, request } from '../../test/support/raw-client.ts';
import { portOf, servePort } from '../../test/support/serve.ts';

const client = new Worker(new URL('../../test/support/ending-client.mjs', import.meta.url));
afterAll(() => client.terminate());

/** Sends a text and the end of the client's side. The server reads nothing before both have arrived. */
async function sendAndEnd(app: Context, text: string): Promise<string> {
  const sent = new SharedArrayBuffer(4);
  const isSecure = 'setSecureContext' in app.server;
  const event = isSecure ? 'secureConnection' : 'connection';
  const stopReading = (): void => void Atomics.wait(new Int32Array(sent), 0, 0, 2_000);
  app.server.prependOnceListener(event, stopReading);
  client.postMessage({ port: portOf(app), isSecure, text, sent });
  return String((await once(client, 'message'))[0]);
}

const fields = ['Host: a', 'Content-Type: text/plain'];
const withBody = (path: string, ...more: string[]): string =>
  [`POST ${path} HTTP/1.1`, ...fields, ...more, '', ''].join('\r\n');

/** The bytes of a request, and how many responses they get. */
const requests: Readonly<Record<string, (path: string) => readonly [text: string, responses: number]>> = {
  GET: (path) => [request('GET', path), 1],
  HEAD: (path) => [request('HEAD', path), 1],
  'a body': (path) => [`${withBody(path, 'Content-Length: 4')}body`, 1],
  'a chunked body': (path) => [`${withBody(path, 'Transfer-Encoding: chunked')}4\r\nbody\r\n0\r\n\r\n`, 1],
  'Expect: 100-continue': (path) => [`${withBody(path, 'Expect: 100-continue', 'Content-Length: 4')}body`, 1],
  'odd spacing of the length': (path) => [`${withBody(path, 'Content-Length: \t4')}body`, 1],
  'HTTP/1.0': (path) => [`GET ${path} HTTP/1.0\r\n\r\n`, 1],
  'Connection: close': (path) => [request('GET', path, 'Connection: close'), 1],
  'three requests': (path) => [request('GET', path).repeat(3), 3],
  'requests, the last one with a chunked body': (path) => [
    `${request('GET', path).repeat(2)}${withBody(path, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    3,
  ],
};

/** When handlers reply. */
const times: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
  'at once': () => undefined,
  'in a microtask': () => Promise.resolve(),
  'in a later turn': () => nextTurn(),
  'after a timer': () => wait(5),
};

const replies: Readonly<Record<string, () => unknown>> = {
  value: () => 'value',
  error: () => Object.assign(new Error('refused'), { statusCode: 418 }),
  stream: () => Readable.from(['a', 'b']),
};

/** An application with a route for each time and each kind of reply, and the hooks that ran for them. */
function makeApp(make: (options?: AmbitOptions) => Context, options: AmbitOptions): [Context, string[]] {
  const app = make(options);
  const hooks: string[] = [];
  app.addHook('onResponse', async () => void hooks.push('onResponse'));
  app.addHook('onRequestAbort', async (_request) => void hooks.push('onRequestAbort'));
  for (const [time, pass] of Object.entries(times)) {
    for (const [kind, reply] of Object.entries(replies)) {
      app.route({
        method: ['GET', 'POST'],
        url: `/${time.replaceAll(' ', '-')}/${kind}`,
        handler: (_request, sent) => {
          const send = (): void => void sent.send(reply());
          const passed = pass();
          if (passed === undefined) send();
          else passed.then(send);
        },
      });
    }
  }
  return [app, hooks];
}

const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['TCP, the engine', {}],
  ["TCP, node's server", { engine: 'node' }],
  ['TLS, the engine', { https: { key, cert } }],
  ["TLS, node's server", { https: { key, cert }, engine: 'node' }],
];

/** Connects a client that still reads after its end, by the event with which the server accepts it. */
const stillReads = { host: '127.0.0.1', allowHalfOpen: true };
const connectTo = {
  connection: (port: number) => connect({ port, ...stillReads }),
  secureConnection: (port: number) => connectTls({ port, rejectUnauthorized: false, ...stillReads }),
};

/** Resolves when the server has seen the end of its next client. */
const clientEnd = (app: Context, event: keyof typeof connectTo): Promise<unknown> =>
  new Promise((resolve) => app.server.once(event, (accepted: Socket) => accepted.once('end', resolve)));

function* chunksOf(length: number): Generator<string> {
  const chunk = 'x'.repeat(2 ** 16);
  for (let sent = 0; sent < length; sent += chunk.length) yield chunk;
}

const statusesIn = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) => found[1]!).filter((status) => status !== '100');

const answered = combine(flavors, lanes, Object.keys(times), Object.keys(requests));

for (const [flavor, make] of flavors) {
  describe.each(lanes)(`on ${flavor}, over %s`, (lane, options) => {
    const [app, hooks] = makeApp(make, options);
    afterAll(() => app.close());
    const listening = app.listen({ port: 0, host: '127.0.0.1' });

    const here = answered.filter(([[name], [over]]) => name === flavor && over === lane);
    test.each(here.map(([, , time, name]) => [time, name] as const))(
      'a handler that replies %s answers %s and an end of the client',
      async (time, name) => {
        await listening;
        for (const kind of Object.keys(replies)) {
          const [text, count] = requests[name]!(`/${time.replaceAll(' ', '-')}/${kind}`);
          hooks.length = 0;
          const received = await sendAndEnd(app, text);
          expect([kind, statusesIn(received)]).toEqual([
            kind,
            Array(count).fill(kind === 'error' ? '418' : '200'),
          ]);
          await vi.waitFor(() => expect(hooks).toEqual(Array(count).fill('onResponse')));
        }
      },
    );
  });
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

/** Routes that read their body after `late`. */
type DeclareReader = (app: Context, late: () => Promise<void>) => unknown;
const lateReaders: Readonly<Record<string, DeclareReader>> = {
  'parses it after a hook': (app, late) =>
    app.post('/', { onRequest: async (_request) => late() }, ({ body }) => body as string),
  'returns what was parsed': (app, late) => app.post('/', ({ body }) => late().then(() => body as string)),
  'reads it as a stream': (app, late) => {
    app.removeContentTypeParser('text/plain');
    app.addContentTypeParser('text/plain', async (_request: Request, body: BodyStream) => body);
    app.post('/', ({ body }) => late().then(() => readText(body as Readable)));
  },
  'reads it from the raw request': (app, late) => {
    app.removeContentTypeParser('text/plain');
    app.addContentTypeParser('text/plain', (_request, _body, done) => done(null));
    app.post('/', ({ raw }) => late().then(() => readText(raw)));
  },
};

const bodies = ['a body', 'a chunked body', 'odd spacing of the length'] as const;
const read = combine(flavors, lanes, Object.keys(lateReaders), bodies);

describe('a client that ends its side later', () => {
  for (const [[flavor, make], [lane, options], how, name] of read) {
    test(`on ${flavor}, over ${lane}, with ${name}, gets the response of a handler that ${how}`, async () => {
      const app = make(options);
      const hooks: string[] = [];
      app.addHook('onResponse', async () => void hooks.push('onResponse'));
      app.addHook('onRequestAbort', async (_request) => void hooks.push('onRequestAbort'));
      lateReaders[how]!(app, async () => {
        await someTurns();
        socket.end();
        await hasEnded;
        // What the server does at the end of the client may take some turns, too.
        await someTurns();
      });
      const event = 'https' in options ? 'secureConnection' : 'connection';
      const hasEnded = clientEnd(app, event);
      const socket = connectTo[event](await servePort(app));
      socket.setEncoding('latin1').write(requests[name]!('/')[0]);
      const received = (await socket.toArray()).join('');
      expect(statusesIn(received)).toEqual(['200']);
      expect(received).toMatch(/\r\n\r\nbody$/);
      await vi.waitFor(() => expect(hooks).toEqual(['onResponse']));
    });
  }
});

for (const [flavor, make] of flavors) {
  test.each(lanes)(
    `on ${flavor}, over %s, a client that ends its side gets the response of a process that was held up`,
    async (_lane, options) => {
      const app = make(options);
      app.get('/', async () => {
        await someTurns();
        socket.end();
        await hasEnded;
        // All timers of the server are overdue before the handler goes on.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
        await someTurns();
        return 'value';
      });
      const event = 'https' in options ? 'secureConnection' : 'connection';
      const hasEnded = clientEnd(app, event);
      const socket = connectTo[event](await servePort(app));
      socket.setEncoding('latin1').write(request('GET', '/'));
      expect(statusesIn((await socket.toArray()).join(''))).toEqual(['200']);
    },
  );
}

// A client of node's TLS reads nothing more of a long response after its end.
describe.each(lanes.slice(0, 2))(
  'over %s, a client that ends its side within a response',
  (_lane, options) => {
    test('gets the rest of it, even if it does not read for a time', async () => {
      const [make] = flavors.map(([, each]) => each);
      const app = make!(options);
      const length = 2 ** 25;
      app.get('/', () => Readable.from(chunksOf(length)));
      const hasEnded = clientEnd(app, 'connection');
      const socket = connectTo.connection(await servePort(app));
      socket.write(request('GET', '/'));
      await once(socket, 'readable');
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      socket.end();
      await hasEnded;
      vi.advanceTimersByTime(1_000);
      const received = Buffer.concat(await socket.toArray());
      let count = 0;
      // An iterator takes a second for 32 MiB.
      for (let at = 0; at < received.length; at++) if (received[at] === 0x78) count++;
      expect(count).toBe(length);
    });
  },
);

describe('Fastify, for comparison', () => {
  test.each(Object.keys(requests))('answers %s and an end of the client too, over TCP', async (name) => {
    const [app, hooks] = makeApp(fastifyItself as never, {});
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    const [text, count] = requests[name]!('/in-a-microtask/value');
    expect(statusesIn(await sendAndEnd(app, text))).toEqual(Array(count).fill('200'));
    await vi.waitFor(() => expect(hooks).toEqual(Array(count).fill('onResponse')));
  });
});

describe.each(lanes.slice(0, 2))('over %s', (_lane, options) => {
  const leave: Readonly<Record<string, (socket: import('node:net').Socket) => unknown>> = {
    'ends its side': (socket) => socket.end(),
    closes: (socket) => socket.destroy(),
    resets: (socket) => socket.resetAndDestroy(),
  };

  test.each(Object.entries(leave))(
    'a client that %s and waits for no response is gone: signal and hook, once',
    async (_how, act) => {
      const [make] = flavors.map(([, each]) => each);
      const app = make!(options);
      const hooks: string[] = [];
      app.addHook('onResponse', async () => void hooks.push('onResponse'));
      app.addHook('onRequestAbort', async (_request) => void hooks.push('onRequestAbort'));
      const aborted = new Promise((resolve) => {
        for (const method of ['GET', 'POST'] as const)
          app.route({
            method,
            url: '/',
            handler: async (incoming, reply) => {
              socket.emit('arrived');
              await once(incoming.signal, 'abort');
              resolve(incoming.signal.reason.code);
              return reply;
            },
          });
      });
      const { socket, ended } = await open(await servePort(app));
      socket.write(`${withBody('/', 'Transfer-Encoding: chunked')}0\r\n\r\n`);
      await once(socket, 'arrived');
      act(socket);
      expect(await aborted).toBe('AMBIT_ERR_CLIENT_GONE');
      await ended;
      await vi.waitFor(() => expect(hooks).toEqual(['onRequestAbort']));
    },
  );

  test.each(Object.entries(leave).slice(1))(
    'a client that %s during the transfer of a complete response: one of the two hooks, once',
    async (_how, act) => {
      const [make] = flavors.map(([, each]) => each);
      const app = make!(options);
      const hooks: string[] = [];
      app.addHook('onResponse', async () => void hooks.push('onResponse'));
      app.addHook('onRequestAbort', async (_request) => void hooks.push('onRequestAbort'));
      // More than the buffers of both systems hold.
      app.get('/', () => 'x'.repeat(2 ** 25));
      const socket = connect({ port: await servePort(app), host: '127.0.0.1' });
      socket.write(request('GET', '/'));
      await once(socket, 'readable');
      expect(hooks).toEqual([]);
      act(socket);
      await vi.waitFor(() => expect(hooks).toEqual([expect.stringMatching(/^(onResponse|onRequestAbort)$/)]));
      await app.close();
      expect(hooks).toHaveLength(1);
    },
  );

  test('an idle connection ends with its client', async () => {
    const [make] = flavors.map(([, each]) => each);
    const app = make!(options);
    app.get('/', () => 'value');
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await until('value');
    socket.end();
    expect(statusesIn(await ended)).toEqual(['200']);
  });

  test.each(['GET / HT', `${withBody('/', 'Content-Length: 4')}bo`])(
    'half a request (%j) is refused',
    async (text) => {
      const [make] = flavors.map(([, each]) => each);
      const app = make!(options);
      app.post('/', () => 'value');
      const port = await servePort(app);
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.end(text);
      socket.setEncoding('latin1');
      expect(statusesIn((await socket.toArray()).join(''))).toEqual(['400']);
    },
  );
});
