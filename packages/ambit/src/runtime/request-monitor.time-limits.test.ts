/** `handlerTimeout` and `request.signal`: one response after the time limit, and no abort if nothing failed. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type AmbitOptions, ambit, type Context, type Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

const never = (): Promise<never> => new Promise(() => {});
const post = `${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 4')}body`;

async function answers(app: Context, first = request('GET', '/')): Promise<string> {
  app.get('/next', { handlerTimeout: 60_000 }, () => 'next');
  return converse(await servePort(app), first + lastRequest('GET', '/next'));
}

describe('handlerTimeout', () => {
  for (const [what, text] of [
    ['a GET', request('GET', '/')],
    ['a POST whose body was read', post],
  ] as const) {
    test(`answers ${what} 503 once when the handler takes too long`, async () => {
      const app = ambit({ handlerTimeout: 20 });
      app.get('/', never);
      app.post('/', never);
      const received = await answers(app, text);
      expect(statuses(received)).toEqual([503, 200]);
      expect(received).toContain('"code":"FST_ERR_HANDLER_TIMEOUT"');
      expect(received).toContain("Request timed out after 20 ms on route '/'");
    });
  }

  test('a body that is complete while an error handler replies to the time limit runs no handler', async () => {
    const app = ambit({ handlerTimeout: 400 });
    const ran: string[] = [];
    let hasParsed = (): void => {};
    const parsed = new Promise<void>((resolve) => {
      hasParsed = resolve;
    });
    app.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_request, body) => {
      setImmediate(hasParsed);
      return body;
    });
    let isTimedOut = (): void => {};
    const timedOut = new Promise<void>((resolve) => {
      isTimedOut = resolve;
    });
    app.setErrorHandler(async (error) => {
      isTimedOut();
      await parsed;
      return `failed: ${(error as Error & { code: string }).code}`;
    });
    app.addHook('preValidation', async () => void ran.push('preValidation'));
    app.post('/', () => {
      ran.push('handler');
      return 'handled';
    });
    const { socket, until } = await open(await servePort(app));
    socket.write(request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 4'));
    await timedOut;
    socket.write('body');
    expect(await until('failed: FST_ERR_HANDLER_TIMEOUT')).not.toContain('handled');
    expect(ran).toEqual([]);
    socket.destroy();
  });

  for (const lane of [{}, { engine: 'node' }] as const) {
    for (const [what, type, start, rest] of [
      ['that is not JSON', 'application/json', '{"a":', '!!!!!'],
      ['that is no form', 'multipart/form-data; boundary=b', '--b\r\n', '\r\n--b--\r\n'],
    ] as const) {
      test(`a body ${what} and ends after the response to the time limit fails nothing (${JSON.stringify(lane)})`, async () => {
        const app = ambit({ ...lane, handlerTimeout: 20 });
        const form = { 'multipart/form-data': { schema: { type: 'object' } } };
        app.post(
          '/',
          { schema: { body: { content: { ...form, 'application/json': { schema: {} } } } } },
          never,
        );
        app.get('/next', { handlerTimeout: 60_000 }, () => 'next');
        const { socket, until, ended } = await open(await servePort(app));
        const length = `Content-Length: ${start.length + rest.length}`;
        socket.write(`${request('POST', '/', `Content-Type: ${type}`, length)}${start}`);
        await until('FST_ERR_HANDLER_TIMEOUT');
        socket.write(`${rest}${lastRequest('GET', '/next')}`);
        expect(statuses(await ended)).toEqual([503, 200]);
      });
    }
  }

  for (const [what, hook] of [
    ['onRequest', 'onRequest'],
    ['preHandler', 'preHandler'],
  ] as const) {
    test(`counts the time of ${what} hooks, and the handler does not run`, async () => {
      const app = ambit({ handlerTimeout: 20 });
      let runs = 0;
      app.get('/', { [hook]: never }, () => ++runs);
      expect(statuses(await answers(app))).toEqual([503, 200]);
      expect(runs).toBe(0);
    });
  }

  test('of a route overrides the one of the root', async () => {
    const app = ambit({ handlerTimeout: 60_000 });
    app.get('/', { handlerTimeout: 20 }, never);
    expect((await app.inject('/')).statusCode).toBe(503);
  });

  test('aborts the signal with its error', async () => {
    const app = ambit();
    let reason: unknown;
    app.get('/', { handlerTimeout: 20 }, (request) => {
      request.signal.addEventListener('abort', () => {
        reason = request.signal.reason;
      });
      return never();
    });
    await app.inject('/');
    expect(reason).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 });
  });

  test('a listener of the signal may reply instead', async () => {
    const app = ambit();
    app.get('/', { handlerTimeout: 20 }, (request, reply) => {
      request.signal.addEventListener('abort', () => reply.code(202).send('partly done'));
      return never();
    });
    const received = await answers(app);
    expect(statuses(received)).toEqual([202, 200]);
    expect(received).toContain('partly done');
  });

  test('what the handler returns afterwards changes nothing', async () => {
    const app = ambit();
    app.get('/', { handlerTimeout: 20 }, async (request) => {
      await new Promise((resolve) => {
        request.signal.addEventListener('abort', resolve);
      });
      return 'too late';
    });
    expect(statuses(await answers(app))).toEqual([503, 200]);
  });

  test('what the handler rejects with afterwards changes nothing', async () => {
    const app = ambit();
    app.get('/', { handlerTimeout: 20 }, async (request) => {
      await new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    });
    expect(statuses(await answers(app))).toEqual([503, 200]);
  });

  test('its error reaches onError hooks and the error handler', async () => {
    const app = ambit({ handlerTimeout: 20 });
    const seen: unknown[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.code);
    });
    app.setErrorHandler((error, _request, reply) => reply.code(504).send({ limit: error.code }));
    app.get('/', never);
    const response = await app.inject('/');
    expect(response.statusCode).toBe(504);
    expect(response.json()).toEqual({ limit: 'FST_ERR_HANDLER_TIMEOUT' });
    expect(seen).toEqual(['FST_ERR_HANDLER_TIMEOUT']);
  });

  for (const [what, add] of [
    ['an onSend hook', (app: Context) => app.addHook('onSend', never)],
    ['an onError hook', (app: Context) => app.addHook('onError', never)],
    ['an error handler', (app: Context) => app.setErrorHandler(never)],
  ] as const) {
    test(`answers 503 when ${what} never settles, without the headers of its payload`, async () => {
      const app = ambit({ handlerTimeout: 20 });
      add(app);
      app.get('/', (_request, reply) => {
        reply.type('text/html').header('content-length', '4').header('x-kept', 'yes');
        throw new Error('expected');
      });
      const response = await app.inject('/');
      expect(response.json()).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' });
      expect(response).toMatchObject({ statusCode: 503, statusMessage: 'Service Unavailable' });
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(response.rawPayload.length),
        'x-kept': 'yes',
      });
    });
  }

  for (const [flavor, make] of flavors) {
    test(`of the application limits a not-found handler, too (${flavor})`, async () => {
      const app = make({ handlerTimeout: 20 });
      let limit: number | undefined;
      app.setNotFoundHandler((request) => {
        limit = request.routeOptions.handlerTimeout;
        return never();
      });
      const response = await app.inject('/nowhere');
      expect(response.json()).toMatchObject({ statusCode: 503, code: 'FST_ERR_HANDLER_TIMEOUT' });
      expect(limit).toBe(20);
    });
  }

  test('cuts off the reply of an error handler that does not end after the same time again', async () => {
    const app = ambit({ handlerTimeout: 20 });
    const stream = new Readable({ read() {} });
    app.setErrorHandler((_error, _request, reply) => {
      stream.push('begun');
      return reply.code(500).send(stream);
    });
    app.get('/', never);
    const closed = once(stream, 'close');
    const received = await answers(app);
    expect(statuses(received)).toEqual([500]);
    expect(received).not.toContain('\r\n0\r\n\r\n');
    await closed;
  });

  test('cuts off a reply that has begun', async () => {
    const app = ambit({ handlerTimeout: 50 });
    const stream = new Readable({ read() {} });
    app.get('/', (_request, reply) => {
      stream.push('begun');
      return reply.send(stream);
    });
    const closed = once(stream, 'close');
    const received = await answers(app);
    expect(statuses(received)).toEqual([200]);
    expect(received).not.toContain('\r\n0\r\n\r\n');
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  test('leaves a hijacked reply alone', async () => {
    const app = ambit({ handlerTimeout: 20 });
    app.get('/', (_request, reply) => {
      reply.hijack();
      setTimeout(() => reply.raw.end('by hand'), 60);
    });
    expect(statuses(await answers(app))).toEqual([200, 200]);
  });

  test('does nothing when the reply is in time', async () => {
    const app = ambit({ handlerTimeout: 60_000 });
    let signal: AbortSignal | undefined;
    app.get('/', (request) => {
      signal = request.signal;
      return 'in time';
    });
    expect((await app.inject('/')).body).toBe('in time');
    expect(signal?.aborted).toBe(false);
  });

  test('is in routeOptions', async () => {
    const app = ambit({ handlerTimeout: 60_000 });
    const tell = (request: Request): unknown => request.routeOptions.handlerTimeout;
    app.get('/root', tell);
    app.get('/route', { handlerTimeout: 30_000 }, tell);
    expect((await app.inject('/root')).body).toBe('60000');
    expect((await app.inject('/route')).body).toBe('30000');
  });

  test('0 on a route turns off that of the application', async () => {
    const app = ambit({ handlerTimeout: 20 });
    const arrived = new Promise<Request>((resolve) => {
      app.get('/', { handlerTimeout: 0 }, async (request) => {
        resolve(request);
        await new Promise((later) => app.server.once('over', later));
        return [request.routeOptions.handlerTimeout, request.remainingMs === Number.POSITIVE_INFINITY];
      });
    });
    app.get('/limited', never);
    const unlimited = app.inject('/');
    await arrived;
    expect((await app.inject('/limited')).statusCode).toBe(503);
    app.server.emit('over');
    expect((await unlimited).json()).toEqual([0, true]);
  });

  for (const [flavor, make, allowed, values] of [
    ['ambit', ambit, '>= 0', [-1, 1.5, '20', Number.NaN, null]],
    ['the facade', fastify, '> 0', [0, -1, 1.5, '20', Number.NaN, null]],
  ] as const) {
    test.each(values)(`%j is refused on a route of ${flavor}`, (value) => {
      expect(() => make().get('/', { handlerTimeout: value as never }, () => 'done')).toThrow(
        expect.objectContaining({
          code: 'FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT',
          message: `'handlerTimeout' option must be an integer ${allowed}. Got '${value}'`,
        }),
      );
    });
  }

  for (const value of [-1, 'soon']) {
    test(`${JSON.stringify(value)} is refused as an option of the factory`, () => {
      expect(() => ambit({ handlerTimeout: value as never })).toThrow();
    });
  }
});

describe('request.signal', () => {
  function withSignal(options?: AmbitOptions): { app: Context; arrived: Promise<AbortSignal> } {
    const app = ambit(options);
    const arrived = new Promise<AbortSignal>((resolve) => {
      app.all('/', (request) => {
        resolve(request.signal);
        return never();
      });
    });
    return { app, arrived };
  }

  for (const [what, text] of [
    ['a GET', request('GET', '/')],
    ['a POST whose body was read', post],
  ] as const) {
    for (const [limited, options] of [
      ['without a time limit', {}],
      ['under a time limit', { handlerTimeout: 60_000 }],
    ] as const) {
      test(`of ${what} ${limited} aborts when the client leaves, not before`, async () => {
        const { app, arrived } = withSignal(options);
        const { socket } = await open(await servePort(app));
        socket.write(text);
        const signal = await arrived;
        // The body's stream closes a few turns after its end.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        expect(signal.aborted).toBe(false);
        const aborted = new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        socket.destroy();
        await aborted;
        expect(signal.aborted).toBe(true);
      });
    }

    test(`of ${what} that was answered does not abort, even when the connection ends then`, async () => {
      const app = ambit();
      let signal: AbortSignal | undefined;
      app.all('/', (request) => {
        signal = request.signal;
        return 'answered';
      });
      await answers(app, text);
      await app.close();
      expect(signal?.aborted).toBe(false);
    });
  }

  test('is the same object each time that it is read', async () => {
    const app = ambit();
    app.get('/', (request) => {
      const { signal } = request;
      return { isSame: request.signal === signal };
    });
    expect((await app.inject('/')).json()).toEqual({ isSame: true });
  });
});
