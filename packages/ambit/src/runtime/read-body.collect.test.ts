/** A body is what the client sent, in any chunks, even if others read it, too. The stream of the request ends as node's does. */
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Conversation, converse, open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

/** Replies with the text of the request. */
function echo(options?: AmbitOptions): Context {
  const app = ambit(options);
  app.post('/', (request) => ({ body: request.body }));
  return app;
}

function head(length: number | string, ...headers: string[]): string {
  return request('POST', '/', 'Content-Type: text/plain', `Content-Length: ${length}`, ...headers);
}

function post(body: string, ...headers: string[]): string {
  return head(Buffer.byteLength(body), ...headers) + body;
}

const last = 'Connection: close';

/** Returns the bodies of all JSON responses in the received text, in order. */
function bodies(received: string): unknown[] {
  const texts = [...received.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP\/1\.1|$)/gs)].map(([, text]) => text!);
  return texts.map((text) => JSON.parse(Buffer.from(text, 'latin1').toString()).body);
}

async function sendInPieces({ socket }: Conversation, pieces: Iterable<string | Buffer>): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await nextTurn();
  }
}

describe('a body is read completely', () => {
  const ways: Record<string, [pieces: (string | Buffer)[], body: string]> = {
    'with its head': [[post('whole', last)], 'whole'],
    'behind its head': [[head(5, last), 'whole'], 'whole'],
    'cut in two': [[`${head(5, last)}wh`, 'ole'], 'whole'],
    'byte by byte': [[head(5, last), 'w', 'h', 'o', 'l', 'e'], 'whole'],
    'with a character cut in two': [
      [head(4, last), Buffer.from('😀').subarray(0, 2), Buffer.from('😀').subarray(2)],
      '😀',
    ],
    'with nothing in it': [[head(0, last)], ''],
    'with a byte order mark': [[post('\ufeffx', last)], '\ufeffx'],
    'with bytes that are no UTF-8': [[head(2, last), Buffer.from([0x61, 0xff])], 'a\ufffd'],
    'in chunks of its own': [
      [
        request('POST', '/', 'Content-Type: text/plain', 'Transfer-Encoding: chunked', last),
        '2\r\nwh\r\n',
        '3\r\nole\r\n0\r\n\r\n',
      ],
      'whole',
    ],
    'after 100-continue': [[head(5, 'Expect: 100-continue', last), 'whole'], 'whole'],
  };
  for (const [way, [pieces, body]] of Object.entries(ways)) {
    test(way, async () => {
      const conversation = await open(await servePort(echo()));
      await sendInPieces(conversation, pieces);
      expect(bodies(await conversation.ended)).toEqual([body]);
    });
  }

  for (const bytes of [16_383, 16_384, 65_535, 65_536, 300_000]) {
    test(`of ${bytes} bytes, that arrives with its head or later`, async () => {
      const port = await servePort(echo());
      const body = 'x'.repeat(bytes);
      expect(bodies(await converse(port, post(body, last)))).toEqual([body]);
      const conversation = await open(port);
      await sendInPieces(conversation, [head(bytes, last), body.slice(0, 9), body.slice(9)]);
      expect(bodies(await conversation.ended)).toEqual([body]);
    });
  }

  test('as bytes that do not change when further bytes arrive', async () => {
    const app = ambit();
    const kept: Buffer[] = [];
    app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => {
      kept.push(body as Buffer);
      done(null, body);
    });
    app.post('/', () => ({}));
    await converse(await servePort(app), post('first') + post('later') + post('third', last));
    expect(kept.map(String)).toEqual(['first', 'later', 'third']);
  });

  test('one after the other on a connection, and several at the same time', async () => {
    const conversation = await open(await servePort(echo()));
    await sendInPieces(conversation, [post('a'), post('b') + post('c'), head(1), 'd', post('e', last)]);
    expect(bodies(await conversation.ended)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('a body is read completely if others read it, too', () => {
  /** Returns what a listener of `request.raw` that was added in a hook gets, and what the handler gets. */
  async function readTogether(
    read: (raw: IncomingMessage, seen: string[]) => void,
    pieces: string[],
  ): Promise<[seen: string, body: unknown]> {
    const app = echo();
    const seen: string[] = [];
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      read(raw, seen);
      done();
    });
    const conversation = await open(await servePort(app));
    await sendInPieces(conversation, pieces);
    return [seen.join(''), bodies(await conversation.ended)[0]];
  }

  const cases = { 'with its head': [post('whole', last)], 'cut in two': [`${head(5, last)}wh`, 'ole'] };
  for (const [way, pieces] of Object.entries(cases)) {
    test(`${way}, with another listener`, async () => {
      const read = (raw: IncomingMessage, seen: string[]) =>
        void raw.on('data', (chunk) => seen.push(String(chunk)));
      expect(await readTogether(read, pieces)).toEqual(['whole', 'whole']);
    });

    test(`${way}, with a listener that is added later`, async () => {
      const app = echo();
      const seen: string[] = [];
      const port = await servePort(app);
      // After the framework's own listener, in the same turn: it already waits for the body.
      app.server.on('request', (raw) => raw.on('data', (chunk: Buffer) => seen.push(String(chunk))));
      const conversation = await open(port);
      await sendInPieces(conversation, pieces);
      expect([bodies(await conversation.ended), seen.join('')]).toEqual([['whole'], 'whole']);
    });

    test(`${way}, after a hook that waits`, async () => {
      const app = echo();
      app.addHook('preParsing', () => nextTurn() as Promise<never>);
      const conversation = await open(await servePort(app));
      await sendInPieces(conversation, pieces);
      expect(bodies(await conversation.ended)).toEqual(['whole']);
    });

    test(`${way}, after a hook that waits until the whole body has arrived`, async () => {
      const app = echo();
      app.addHook('onRequest', async ({ raw }) => {
        while (!raw.complete) await nextTurn();
      });
      const conversation = await open(await servePort(app));
      await sendInPieces(conversation, pieces);
      expect(bodies(await conversation.ended)).toEqual(['whole']);
    });

    test(`${way}, after a hook has paused the stream`, async () => {
      expect((await readTogether((raw) => void raw.pause(), pieces))[1]).toBe('whole');
    });

    test(`${way}, after a hook has set an encoding`, async () => {
      expect((await readTogether((raw) => void raw.setEncoding('utf8'), pieces))[1]).toBe('whole');
    });
  }
});

describe('a body that is incomplete or too large', () => {
  test('fails a request whose client has left', async () => {
    const app = echo();
    const seen: string[] = [];
    const failed = new Promise<Error>((resolve) => {
      app.addHook('onError', async (_request, _reply, error) => resolve(error));
    });
    app.addHook('onRequestAbort', async () => void seen.push('aborted'));
    const { socket } = await open(await servePort(app));
    socket.write(`${head(5)}wh`);
    await nextTurn();
    socket.destroy();
    expect(await failed).toMatchObject({ code: 'ECONNRESET', statusCode: 400 });
    expect(seen).toEqual(['aborted']);
  });

  test('is rejected before the first byte if its Content-Length is too large', async () => {
    const received = await converse(await servePort(echo({ bodyLimit: 4 })), head(5));
    expect(statuses(received)).toEqual([413]);
    expect(received).toMatch(/^connection: close/im);
  });

  test('is rejected in the middle if it has no Content-Length', async () => {
    const chunked = request('POST', '/', 'Content-Type: text/plain', 'Transfer-Encoding: chunked');
    const received = await converse(await servePort(echo({ bodyLimit: 4 })), `${chunked}5\r\nwhole\r\n`);
    expect(statuses(received)).toEqual([413]);
  });

  test('ends after its Content-Length, and the next bytes are another request', async () => {
    const received = await converse(await servePort(echo()), `${head(3)}who${post('le', last)}`);
    expect(bodies(received)).toEqual(['who', 'le']);
    // The engine answers the request first, and does not read the next bytes before.
    const port = await servePort(echo({ engine: 'node' }));
    expect(statuses(await converse(port, `${head(3)}wholeGET`))).toEqual([400]);
  });
});

test("a request class of the application replaces node's", async () => {
  class Marked extends http.IncomingMessage {
    readonly mark = 'marked';
  }
  const app = ambit({ http: { IncomingMessage: Marked } });
  app.post('/', ({ raw, body }) => ({ body: [(raw as Marked).mark, body] }));
  expect(bodies(await converse(await servePort(app), post('whole', last)))).toEqual([['marked', 'whole']]);
});

describe('the stream of a request ends', () => {
  /** Returns the events of a request, on the server of ambit or on node's. */
  async function eventsOf(text: string, listen: (listener: http.RequestListener) => Promise<number>) {
    const events: string[] = [];
    const port = await listen((request, response) => {
      for (const name of ['end', 'close']) request.on(name, () => events.push(name));
      for (const name of ['finish', 'close']) response.on(name, () => events.push(`response ${name}`));
      response.end('ok');
    });
    await converse(port, text);
    return events;
  }

  const listenWithAmbit = (listener: http.RequestListener) => {
    const app = ambit();
    app.route({
      method: ['GET', 'POST'],
      url: '/',
      handler: (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      },
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _body, done) => done(null));
    return servePort(app);
  };

  const listenWithNode = async (listener: http.RequestListener) => {
    const server = http.createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };

  const requests = {
    'without a body': request('GET', '/', last),
    'with a body that nobody reads': post('unread', last),
  };
  for (const [name, text] of Object.entries(requests)) {
    test(`${name}, as node's does`, async () => {
      const [ambitEvents, nodeEvents] = [
        await eventsOf(text, listenWithAmbit),
        await eventsOf(text, listenWithNode),
      ];
      expect(ambitEvents.toSorted()).toEqual(nodeEvents.toSorted());
      expect(ambitEvents).toContain('end');
    });
  }

  test('before the handler of a body that was read', async () => {
    const app = ambit();
    app.post('/', ({ raw }) => ({ body: [raw.complete, raw.readableEnded, raw.aborted] }));
    expect(bodies(await converse(await servePort(app), post('whole', last)))).toEqual([[true, true, false]]);
  });

  test('before the next request on the connection, if the body was not read', async () => {
    const app = echo();
    app.addHook('onRequest', async ({ headers }, reply) => {
      if (headers['x-skip']) reply.send({ body: 'skipped' });
    });
    const received = await converse(await servePort(app), post('unread', 'X-Skip: yes') + post('read', last));
    expect(bodies(received)).toEqual(['skipped', 'read']);
  });
});
