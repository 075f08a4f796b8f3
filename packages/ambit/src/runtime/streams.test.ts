/** Streams that fail, before and after their first byte: each request gets one response, or the connection is cut off. */
import type { ServerResponse } from 'node:http';
import { Readable, Stream } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type Handler } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

async function answers(
  handler: Handler,
  app: Context = ambit(),
): Promise<{ received: string; statuses: number[] }> {
  app.get('/', handler);
  app.get('/next', () => 'next');
  const port = await servePort(app);
  const received = await converse(port, request('GET', '/') + lastRequest('GET', '/next'));
  return { received, statuses: statuses(received) };
}

/** A stream that yields the chunks, then fails. */
function failingStream(chunks: string[], error: Error = new Error('in the stream')): Readable {
  const rest = [...chunks];
  return new Readable({
    read() {
      const chunk = rest.shift();
      if (chunk === undefined) setImmediate(() => this.destroy(error));
      else this.push(chunk);
    },
  });
}

function failingWebStream(chunks: string[]): ReadableStream {
  const rest = chunks.map((chunk) => new TextEncoder().encode(chunk));
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTurn();
        const chunk = rest.shift();
        if (chunk === undefined) controller.error(new Error('in the stream'));
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

describe('a stream that fails before its first byte', () => {
  for (const [what, make] of [
    ['a node stream', () => failingStream([])],
    ['a web stream', () => failingWebStream([])],
    ['a web Response', () => new Response(failingWebStream([]))],
  ] as const) {
    test(`${what} is answered 500 once`, async () => {
      expect((await answers((_request, reply) => reply.send(make()))).statuses).toEqual([500, 200]);
    });

    test(`${what} returned by an async handler is answered 500 once`, async () => {
      expect((await answers(async () => make())).statuses).toEqual([500, 200]);
    });

    test(`${what} reaches the error handler`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => reply.code(409).send(error.message));
      const { received } = await answers((_request, reply) => reply.send(make()), app);
      expect(statuses(received)).toEqual([409, 200]);
      expect(received).toContain('in the stream');
    });
  }

  test('with a status in its error is answered with that status', async () => {
    const error = Object.assign(new Error('gone'), { statusCode: 410 });
    expect((await answers((_request, reply) => reply.send(failingStream([], error)))).statuses).toEqual([
      410, 200,
    ]);
  });

  test('is answered without the headers that were set for it', async () => {
    const handler: Handler = (_request, reply) =>
      reply.type('image/png').header('content-length', 99).send(failingStream([]));
    const { received } = await answers(handler);
    expect(statuses(received)).toEqual([500, 200]);
    expect(received).not.toContain('image/png');
  });

  test('and whose error handler sends another failing stream is answered once', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => reply.send(failingStream([])));
    expect((await answers((_request, reply) => reply.send(failingStream([])), app)).statuses).toEqual([
      500, 200,
    ]);
  });
});

describe('a stream that cannot be read when it is sent', () => {
  test('one that was destroyed is answered 500 once', async () => {
    const handler: Handler = (_request, reply) => {
      const stream = Readable.from(['text']);
      stream.destroy();
      return reply.send(stream);
    };
    expect((await answers(handler)).statuses).toEqual([500, 200]);
  });

  test('one that has failed already is answered 500 once', async () => {
    const handler: Handler = async (_request, reply) => {
      const stream = failingStream([]).on('error', () => {});
      stream.destroy(new Error('in the stream'));
      await nextTurn();
      return reply.send(stream);
    };
    expect((await answers(handler)).statuses).toEqual([500, 200]);
  });

  test('a web stream that is locked is answered 500 once', async () => {
    const handler: Handler = (_request, reply) => {
      const stream = failingWebStream(['text']);
      stream.getReader();
      return reply.send(stream);
    };
    const { received, statuses: all } = await answers(handler);
    expect(all).toEqual([500, 200]);
    expect(received).toContain('FST_ERR_REP_READABLE_STREAM_LOCKED');
  });

  test('a web Response whose body was read is answered 500 once', async () => {
    const handler: Handler = async (_request, reply) => {
      const response = new Response('text');
      await response.text();
      return reply.send(response);
    };
    const { received, statuses: all } = await answers(handler);
    expect(all).toEqual([500, 200]);
    expect(received).toContain('FST_ERR_REP_RESPONSE_BODY_CONSUMED');
  });
});

describe('a stream of other values than bytes', () => {
  for (const [what, make] of [
    ['a node stream of objects', () => Readable.from([{ a: 1 }])],
    ['a node stream of numbers', () => Readable.from([1, 2])],
    [
      'a web stream of numbers',
      () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue(1);
            controller.close();
          },
        }),
    ],
    [
      'a web stream of objects',
      () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue({ a: 1 });
            controller.close();
          },
        }),
    ],
  ] as const) {
    test(`${what} is answered 500 once`, async () => {
      expect((await answers((_request, reply) => reply.send(make()))).statuses).toEqual([500, 200]);
    });
  }

  test('a node stream in object mode that yields text is sent', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => reply.send(Readable.from(['a', 'b'])));
    expect(await (await fetch(await serve(app))).text()).toBe('ab');
  });
});

describe('an unusual stream', () => {
  for (const [flavor, make] of flavors) {
    test(`one that was paused is sent, on ${flavor}`, async () => {
      const app = make();
      app.get('/', (_request, reply) => reply.send(Readable.from(['a', 'b'], { objectMode: false }).pause()));
      expect(await (await fetch(await serve(app))).text()).toBe('ab');
    });

    test(`an old stream, without pause and read, is sent, on ${flavor}`, async () => {
      const app = make();
      app.get('/', (_request, reply) => {
        const old = new Stream();
        setImmediate(() => {
          old.emit('data', 'a');
          old.emit('data', Buffer.from('b'));
          old.emit('end');
        });
        return reply.send(old);
      });
      expect(await (await fetch(await serve(app))).text()).toBe('ab');
    });

    test(`one that sets headers on the response that it is piped into keeps them, on ${flavor}`, async () => {
      class Fetched extends Readable {
        override pipe<Target extends NodeJS.WritableStream>(
          target: Target,
          options?: { end?: boolean },
        ): Target {
          (target as unknown as ServerResponse).setHeader('x-upstream', 'yes');
          return super.pipe(target, options);
        }
        override _read(): void {
          this.push('fetched');
          this.push(null);
        }
      }
      const app = make();
      app.get('/', (_request, reply) => reply.send(new Fetched()));
      const response = await fetch(await serve(app));
      expect([response.headers.get('x-upstream'), await response.text()]).toEqual(['yes', 'fetched']);
    });
  }

  test('one that ended before it is sent gives an empty response', async () => {
    const handler: Handler = async (_request, reply) => {
      const stream = Readable.from([]).resume();
      await new Promise((resolve) => stream.once('close', resolve));
      return reply.send(stream);
    };
    expect((await answers(handler)).statuses).toEqual([200, 200]);
  });

  test('one that continues after the reply of an error handler adds nothing to it', async () => {
    const app = ambit({ handlerTimeout: 20 });
    const stream = new Readable({ read() {} });
    app.setErrorHandler((_error, _request, reply) => {
      stream.push('too late');
      setImmediate(() => reply.code(503).send('timed out'));
    });
    const { received } = await answers((_request, reply) => reply.send(stream), app);
    expect(statuses(received)).toEqual([503, 200]);
    expect(received).not.toContain('too late');
  });

  test('a web stream that continues after the reply of an error handler adds nothing to it', async () => {
    const app = ambit({ handlerTimeout: 20 });
    let controller!: ReadableStreamDefaultController;
    const stream = new ReadableStream({
      start(own) {
        controller = own;
      },
    });
    app.setErrorHandler((_error, _request, reply) => {
      controller.enqueue(new TextEncoder().encode('too late'));
      setImmediate(() => reply.code(503).send('timed out'));
    });
    const { received } = await answers((_request, reply) => reply.send(stream), app);
    expect(statuses(received)).toEqual([503, 200]);
    expect(received).not.toContain('too late');
  });
});

describe('a stream that fails after its first byte', () => {
  for (const [what, make] of [
    ['a node stream', () => failingStream(['first'])],
    ['a web stream', () => failingWebStream(['first'])],
  ] as const) {
    test(`${what} cuts off the connection, so that the client does not take the response for complete`, async () => {
      const { received } = await answers((_request, reply) => reply.send(make()));
      expect(statuses(received)).toEqual([200]);
      expect(received).toContain('first');
      expect(received).not.toContain('\r\n0\r\n\r\n');
    });

    test(`${what} is logged, and no error handler runs`, async () => {
      const lines = new LogLines();
      const app = ambit({ logger: { stream: lines } });
      let runs = 0;
      app.setErrorHandler(() => ++runs);
      await answers((_request, reply) => reply.send(make()), app);
      const line = await lines.until('response terminated with an error with headers already sent');
      expect(line.err?.message).toBe('in the stream');
      expect(runs).toBe(0);
    });
  }
});

describe('a client that leaves', () => {
  test('ends the node stream that is being sent', async () => {
    const stream = new Readable({ read() {} });
    const closed = new Promise<void>((resolve) => {
      stream.on('close', () => resolve());
    });
    stream.push('first');
    const app = ambit();
    app.get('/', (_request, reply) => reply.send(stream));
    const { socket, until } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await until('first');
    socket.destroy();
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  test('cancels the web stream that is being sent', async () => {
    const app = ambit();
    const cancelled = new Promise<void>((resolve) => {
      app.get('/', (_request, reply) =>
        reply.send(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
            cancel: () => resolve(),
          }),
        ),
      );
    });
    const { socket, until } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await until('first');
    socket.destroy();
    await cancelled;
    expect(socket.destroyed).toBe(true);
  });

  test('before an async handler resolves gets no reply, and causes no error', async () => {
    const app = ambit();
    let release = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      app.get('/', async () => {
        await new Promise<void>((go) => {
          release = go;
          resolve();
        });
        return 'late';
      });
    });
    app.get('/next', () => 'next');
    const port = await servePort(app);
    const { socket, ended } = await open(port);
    socket.write(request('GET', '/'));
    await arrived;
    socket.destroy();
    await ended;
    release();
    expect(statuses(await converse(port, lastRequest('GET', '/next')))).toEqual([200]);
  });
});

describe('trailers that fail', () => {
  for (const [what, compute] of [
    ['rejects', async () => Promise.reject(new Error('no digest'))],
    [
      'throws',
      () => {
        throw new Error('no digest');
      },
    ],
    [
      'gives an error to done',
      (_reply: unknown, _payload: unknown, done: (error: Error) => void) => done(new Error('no')),
    ],
    ['is no valid field value', async () => 'a\r\nb: c'],
    ['is no text', async () => 7],
  ] as const) {
    test(`one that ${what} does not affect the response`, async () => {
      const { received, statuses: all } = await answers((_request, reply) =>
        reply.trailer('digest', compute as never).send('text'),
      );
      expect(all).toEqual([200, 200]);
      expect(received).toContain('text');
      expect(received).not.toContain('\r\nb: c');
    });
  }
});
