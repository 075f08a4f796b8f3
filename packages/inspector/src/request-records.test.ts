/** What the inspector knows of running and ended requests: their state, errors, log lines, bodies and responses. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type InspectorOptions, inspector, type RequestModel } from '@ambit/inspector';
import { Redactor } from '@ambit/readable';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { closeAfterTest, serve } from '../../ambit/test/support/serve.ts';
import { RequestLog } from './request-log.ts';

function create(options?: AmbitOptions, inspectorOptions?: InspectorOptions): Context {
  const app = ambit(options);
  app.register(inspector, inspectorOptions as never);
  closeAfterTest(app);
  return app;
}

async function listOf(app: Context): Promise<RequestModel[]> {
  const reply = await app.inject('/__ambit/requests.json');
  return reply.json<{ requests: RequestModel[] }>().requests;
}

/** The last request, once it has this state. */
async function lastOf(app: Context, state: RequestModel['state'] = 'finished'): Promise<RequestModel> {
  return vi.waitFor(async () => {
    const last = (await listOf(app)).at(-1)!;
    expect(last.state).toBe(state);
    return last;
  });
}

/** The record of a request that is answered. */
async function recordOf(
  app: Context,
  request: Parameters<Context['inject']>[0] = '/',
): Promise<RequestModel> {
  await app.inject(request as never);
  return lastOf(app);
}

/** Opens a request over a socket, and leaves when told to. */
async function open(origin: string, path: string): Promise<() => void> {
  const sent = httpRequest(`${origin}${path}`).on('error', () => {});
  sent.end();
  await once(sent, 'response').then(([response]) => once(response, 'data'));
  return () => sent.destroy();
}

/** A stream of the application's log. */
function logTo(lines: string[] = []): AmbitOptions {
  return { logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } };
}

/** A promise, and the function that resolves it. */
function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}

interface Sent {
  readonly number: number;
  readonly state: string;
}

/** The requests in the next events of the page. */
async function* eventsOf(origin: string): AsyncGenerator<Sent[]> {
  const response = await fetch(`${origin}/__ambit/events`);
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: ?(\{.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined)
        yield (JSON.parse(data) as { requests: RequestModel[] }).requests.map(({ number, state }) => ({
          number,
          state,
        }));
    }
  }
}

describe('a request in flight', () => {
  test('is listed from its first step on, and keeps its number', async () => {
    const app = create();
    const { promise: left, resolve: leave } = gate();
    app.get('/slow', async () => {
      await left;
      return 'slow';
    });
    app.get('/fast', () => 'fast');
    const answered = app.inject('/slow');
    await vi.waitFor(async () => expect(await listOf(app)).toHaveLength(1));
    await app.inject('/fast');
    const [slow, fast] = (await listOf(app)) as [RequestModel, RequestModel];
    expect([slow, fast]).toMatchObject([
      { number: 1, url: '/slow', state: 'running', isFinished: false, status: 0, bytes: null },
      { number: 2, url: '/fast', state: 'finished', isFinished: true, status: 200, bytes: 4 },
    ]);
    expect(slow.steps.map(({ name }) => name)).toEqual(['handler']);
    expect(slow.ms).toBeGreaterThan(0);
    leave();
    await answered;
    expect(await listOf(app)).toMatchObject([
      { number: 1, state: 'finished', status: 200 },
      { number: 2, state: 'finished' },
    ]);
  });

  test('is told to pages while it runs, and once if it ends at once', async () => {
    const app = create();
    const { promise: left, resolve: leave } = gate();
    app.get('/slow', () => left.then(() => 'slow'));
    app.get('/fast', () => 'fast');
    const origin = await serve(app);
    await fetch(`${origin}/fast`);
    const events = eventsOf(origin);
    expect((await events.next()).value).toEqual([{ number: 1, state: 'finished' }]);
    const answered = fetch(`${origin}/slow`);
    expect((await events.next()).value).toEqual([{ number: 2, state: 'running' }]);
    await fetch(`${origin}/fast`);
    expect((await events.next()).value).toEqual([{ number: 3, state: 'finished' }]);
    leave();
    await answered;
    expect((await events.next()).value).toEqual([{ number: 2, state: 'finished' }]);
    await events.return(undefined);
  });

  test('ten thousand of them keep to the limit, and end with their numbers', async () => {
    const maxRequestBytes = 100_000;
    const app = create({}, { maxRequestBytes });
    const { promise: left, resolve: leave } = gate();
    app.get('/ended', () => 'ok');
    app.get('/*', () => left.then(() => 'ok'));
    await app.inject('/ended');
    const answers = Array.from({ length: 10_000 }, (_, i) => app.inject(`/${i}`));
    await setImmediate();
    const { requests, bytes } = (await app.inject('/__ambit/requests.json')).json<{
      requests: RequestModel[];
      bytes: number;
    }>();
    expect(bytes).toBeLessThanOrEqual(maxRequestBytes);
    // Running requests leave half of the memory to others.
    expect(requests[0]).toMatchObject({ number: 1, url: '/ended' });
    expect(requests.at(-1)).toMatchObject({ number: 10_001, url: '/9999', state: 'running' });
    leave();
    await Promise.all(answers);
    const ended = await listOf(app);
    expect(ended.at(-1)).toMatchObject({ number: 10_001, state: 'finished' });
    expect(JSON.stringify(ended).length).toBeLessThan(2 * maxRequestBytes);
  });

  test('is let go of if it never ends', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const app = create();
    await app.ready();
    const log = new RequestLog(1_000_000, new Redactor(), '/__ambit');
    const step = { path: 'request', index: 0, name: 'handler', function: undefined } as const;
    const requests = Array.from({ length: 20 }, () => {
      const request = {
        server: app,
        log: {},
        headers: {},
        originalUrl: '/',
        routeOptions: {},
        id: 1,
        method: 'GET',
      };
      log.onStep(request as never, step, {} as never);
      return new WeakRef(request);
    });
    await vi.waitFor(async () => {
      await setImmediate();
      collect();
      expect(requests.filter((request) => request.deref() !== undefined)).toEqual([]);
    });
    expect(log.list(0, () => null).map(({ state }) => state)).toEqual(Array(20).fill('running'));
  });
});

describe('the end of a request', () => {
  test('a client that leaves a stream of events is its normal end', async () => {
    const app = create();
    app.get('/events', (_request, reply) => {
      const stream = new PassThrough();
      stream.write('data: 1\n\n');
      return reply.type('text/event-stream').send(stream as never);
    });
    const leave = await open(await serve(app), '/events');
    expect(await lastOf(app, 'running')).toMatchObject({
      isStream: true,
      status: 0,
      responseHeaders: { 'content-type': 'text/event-stream' },
    });
    leave();
    expect(await lastOf(app, 'left')).toMatchObject({
      isStream: true,
      status: 200,
      isFinished: false,
      error: null,
      bytes: null,
    });
  });

  test('the same for a stream of items', async () => {
    const app = create();
    const response = { 200: { content: { 'text/event-stream': { itemSchema: { type: 'object' } } } } };
    app.get('/events', { schema: { response } as never }, async function* () {
      yield { data: '1' };
      await new Promise(() => {});
    } as never);
    const leave = await open(await serve(app), '/events');
    expect(await lastOf(app, 'running')).toMatchObject({ isStream: true });
    leave();
    expect(await lastOf(app, 'left')).toMatchObject({ isStream: true, status: 200, error: null });
  });

  test('a client that leaves before the response', async () => {
    const app = create();
    const { promise: arrived, resolve: arrive } = gate();
    app.get('/', () => {
      arrive();
      return new Promise<never>(() => {});
    });
    const sent = httpRequest(await serve(app)).on('error', () => {});
    sent.end();
    await arrived;
    sent.destroy();
    expect(await lastOf(app, 'left')).toMatchObject({ isStream: false, status: 0, error: null });
  });

  test('a client that leaves a download', async () => {
    const app = create();
    app.get('/', (_request, reply) => {
      const stream = new PassThrough();
      stream.write('x'.repeat(1_000));
      return reply.type('text/plain').send(stream as never);
    });
    (await open(await serve(app), '/'))();
    expect(await lastOf(app, 'left')).toMatchObject({ isStream: false, status: 200, error: null });
  });

  test('a response that breaks has its error', async () => {
    const app = create();
    app.get('/', (_request, reply) => {
      const stream = new PassThrough();
      stream.write('x');
      setTimeout(() => stream.destroy(new Error('the disk is gone')), 20);
      return reply.send(stream as never);
    });
    await open(await serve(app), '/').catch(() => {});
    expect(await lastOf(app, 'broken')).toMatchObject({
      isFinished: false,
      error: { title: 'the disk is gone' },
    });
  });
});

describe('an error', () => {
  test('has the lines of the program, the frames of the program, and its cause', async () => {
    const app = create();
    app.get('/', function failing() {
      throw new TypeError('it failed', { cause: new Error('the cause') });
    });
    const { error, status } = await recordOf(app);
    expect(status).toBe(500);
    expect(error).toMatchObject({ title: 'it failed', name: 'TypeError', cause: { title: 'the cause' } });
    expect(error!.frame!.file).toMatch(/request-records\.test\.ts$/);
    expect(error!.frame!.lines.map(({ text }) => text).join('\n')).toContain(
      "throw new TypeError('it failed'",
    );
    expect(error!.stack.frames[0]!.function).toContain('failing');
    expect(error!.stack.foldedCount).toBeGreaterThan(0);
  });

  test.each([
    ['that is sent', new Error('sent'), 'sent'],
    ['that is no error', 'a text', 'a text'],
    ['that is a validation', undefined, /have required property 'q'/],
  ])('%s', async (_what, sent, title) => {
    const app = create();
    const querystring = { type: 'object', required: ['q'], properties: { q: { type: 'string' } } };
    const schema = sent === undefined ? { querystring } : {};
    app.get('/', { schema: schema as never }, (_request, reply) => {
      if (sent instanceof Error) return reply.send(sent as never);
      throw sent;
    });
    expect((await recordOf(app)).error!.title).toMatch(title);
  });

  test('that an error handler has answered is stored as well; a URL without a route is none', async () => {
    const app = create();
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send({ mine: true } as never));
    app.get('/', () => Promise.reject(new Error('it failed')));
    expect(await recordOf(app)).toMatchObject({
      status: 418,
      state: 'finished',
      error: { title: 'it failed' },
    });
    expect(await recordOf(app, '/nowhere')).toMatchObject({ status: 404, error: null });
  });

  const circular = new Error('around');
  circular.cause = circular;
  const traps = new Proxy({}, { get: () => expect.unreachable(), ownKeys: () => expect.unreachable() });
  const large = 'x'.repeat(10_000_000);
  const getter = Object.defineProperty(new Error('x'), 'cause', {
    get: () => {
      throw new Error('no');
    },
  });
  test.each([
    ['with a circular cause', circular],
    ['with a message of 10 MB', new Error(large)],
    ['with a message of lines', new Error('a\n'.repeat(1_000_000))],
    ['with a message that looks like frames', new Error(`    at x (y:1:1${' ('.repeat(500_000)}`)],
    [
      'with large fields',
      Object.assign(new Error('x'), { where: { route: large, file: large }, hint: large }),
    ],
    ['with a place that is not one', Object.assign(new Error('x'), { where: traps })],
    ['with a getter', getter],
    ['that is a revoked proxy', revoked()],
    ['that has no prototype', Object.create(null) as object],
    ['that is a symbol', Symbol('x')],
    ['that is nothing', undefined],
  ])('%s is described in little space and time', async (_what, thrown) => {
    const app = create();
    app.get('/', () => {
      throw thrown;
    });
    const begin = performance.now();
    const record = await recordOf(app);
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect(record.error).not.toBeNull();
    expect(JSON.stringify(record).length).toBeLessThan(100_000);
  });

  test('shows no secrets, neither by their name nor those of the request', async () => {
    const app = create();
    const password = 'hunter2';
    app.get('/', (request) => {
      throw new Error(`password=${password} was refused for ${request.headers.authorization}`, {
        cause: new Error(`session ${request.headers.cookie!.slice(4)} is over`),
      });
    });
    const headers = { authorization: 'Bearer opensesame1', cookie: 'sid=opensesame2' };
    const record = await recordOf(app, { url: '/', headers });
    expect(record.error!.title).toContain('password=[redacted]');
    expect(JSON.stringify(record)).not.toMatch(/hunter2|opensesame\d/);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('log lines', () => {
  test('are those of the logger of the request and of its children', async () => {
    const app = create(logTo());
    app.get('/', (request) => {
      request.log.info({ note: 7 }, 'read %d', 7);
      request.log.child({ part: 'store' }).warn('slow');
      request.server.log.info('not of this request');
      request.log.error(new Error('it failed'));
      return 'ok';
    });
    const { logs, logCount } = await recordOf(app);
    expect(logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info read 7',
      'warn slow',
      'error it failed',
      'info request completed',
    ]);
    expect(logCount).toBe(4);
    expect(JSON.parse(logs[0]!.fields)).toEqual({ note: 7 });
    expect(JSON.parse(logs[1]!.fields)).toEqual({ part: 'store' });
    const { err } = JSON.parse(logs[2]!.fields) as { err: { message: string; stack: string } };
    expect(err.message).toBe('it failed');
    expect(err.stack).toMatch(/^at .*request-records\.test\.ts:\d+:\d+/);
    expect(logs[0]!.at).toBeGreaterThan(Date.now() - 60_000);
  });

  test('of two requests are kept apart', async () => {
    const app = create(logTo());
    const { promise: left, resolve: leave } = gate();
    app.get('/:name', async (request) => {
      const { name } = request.params as { name: string };
      request.log.info(`${name} begins`);
      if (name === 'b') leave();
      await left;
      request.log.info(`${name} ends`);
      return name;
    });
    await Promise.all([app.inject('/a'), app.inject('/b')]);
    await vi.waitFor(async () =>
      expect((await listOf(app)).every(({ logCount }) => logCount === 3)).toBe(true),
    );
    expect((await listOf(app)).map(({ logs }) => logs.map(({ message }) => message))).toEqual([
      ['a begins', 'a ends', 'request completed'],
      ['b begins', 'b ends', 'request completed'],
    ]);
  });

  test('the first hundred are kept, and a long line without its fields', async () => {
    const app = create(logTo());
    app.get('/', (request) => {
      request.log.info({ large: 'x'.repeat(1_000_000) }, 'large');
      for (let i = 0; i < 200; i++) request.log.info({ i }, 'line');
      return 'ok';
    });
    const { logs, logCount } = await recordOf(app);
    expect([logs.length, logCount]).toEqual([100, 202]);
    expect(logs[0]).toMatchObject({
      message: 'large',
      fields: expect.stringMatching(/^{"omitted":"\d+ characters"}$/),
    });
  });

  test('show no secrets: by names, by values, by the options, and those of the request', async () => {
    const app = create(
      { logger: { redact: ['own'], stream: { write: () => {} } } },
      { redact: ['log.user.email'] },
    );
    app.get('/:token', (request) => {
      const { headers, params } = request;
      request.log.info({
        headers,
        params,
        own: 'secret0',
        user: { email: 'secret3@x.example', name: 'ada' },
      });
      request.log.info(
        { authorization: 'secret4', db: { password: 'secret5', pwd: ['secret6'] } },
        'token: secret7',
      );
      request.log.info('GET https://ada:secret8@x.example/?access_token=secret9&page=2');
      request.log.info({ text: '{"password":"secret9"}' }, 'cookie: a=secret9; b=secret9');
      request.log.info('%s', headers['x-session']);
      return 'ok';
    });
    const { logs } = await recordOf(app, {
      url: '/secret-of-path',
      headers: { cookie: 'sid=secret1', authorization: 'Bearer secret2', 'x-session': 'secret-of-session' },
    });
    expect(JSON.stringify(logs)).not.toMatch(/secret[\d-]/);
    expect(JSON.stringify(logs)).toContain('ada');
    expect(logs.map(({ message }) => message)).toContain(
      'GET https://[redacted]@x.example/?access_token=[redacted]&page=2',
    );
  });

  test('of loggers that are not pino, or that requests share, are not shown', async () => {
    const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
    const own = Object.fromEntries(methods.map((name) => [name, () => {}])) as never as {
      child: () => unknown;
      info: (text: string) => void;
    };
    own.child = () => own;
    const app = create({ loggerInstance: own as never });
    app.get('/', (request) => {
      request.log.info('a line');
      return 'ok';
    });
    expect(await recordOf(app)).toMatchObject({ logs: [], logCount: 0 });
    const shared = create({ ...logTo(), childLoggerFactory: (logger: unknown) => logger } as never);
    shared.get('/', (request) => {
      request.log.info('a line');
      return 'ok';
    });
    await recordOf(shared);
    expect(await recordOf(shared)).toMatchObject({ logs: [], logCount: 0 });
    expect((await listOf(shared))[0]).toMatchObject({ logs: [], logCount: 0 });
  });

  test('a logger that fails, and lines whose fields throw, change nothing', async () => {
    const app = create({
      logger: {
        stream: {
          write: () => {
            throw new Error('full');
          },
        },
      },
    });
    const evil = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    app.get('/', (request) => {
      try {
        request.log.info({ evil }, 'a line');
      } catch {}
      return 'ok';
    });
    expect((await app.inject('/')).body).toBe('ok');
    const { logs } = await lastOf(app);
    expect(logs[0]).toMatchObject({ level: 'info', message: 'a line' });
  });

  test('an `onResponse` hook adds lines after the end', async () => {
    const app = create(logTo());
    app.addHook('onResponse', async (request) => request.log.info('late'));
    app.get('/', () => 'ok');
    await app.inject('/');
    await vi.waitFor(async () =>
      expect((await lastOf(app)).logs.map(({ message }) => message)).toContain('late'),
    );
  });
});

describe('the body of a request', () => {
  const echo = (options?: InspectorOptions): Context => {
    const app = create({}, options);
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      async (_request: unknown, body: unknown) => body,
    );
    app.addContentTypeParser('text/x-stream', async (_request: unknown, stream: Readable) => stream);
    app.post('/', (request) => {
      (request.body as { changed?: boolean }).changed = true;
      return 'ok';
    });
    return app;
  };

  test('is its JSON as it was parsed, without secrets', async () => {
    const app = echo({ redact: ['body.card.number'] });
    const card = { number: 4711, kind: 'visa' };
    const payload = {
      name: 'ada',
      password: 'hunter2',
      pin: 1234,
      card,
      note: 'Bearer abcdefgh',
      tokens: [{ token: 'x' }],
    };
    const { body } = await recordOf(app, { method: 'POST', url: '/', payload });
    expect(body).toEqual({ type: 'application/json', text: expect.any(String), isRedacted: true });
    expect(JSON.parse(body!.text)).toEqual({
      name: 'ada',
      password: '[redacted]',
      pin: '[redacted]',
      card: { number: '[redacted]', kind: 'visa' },
      note: '[redacted]',
      tokens: '[redacted]',
    });
  });

  test('says whether it is complete', async () => {
    const { body } = await recordOf(echo(), {
      method: 'POST',
      url: '/',
      payload: { __proto__: null, a: [1, 'x', null] },
    });
    expect(body).toEqual({ type: 'application/json', text: '{"a":[1,"x",null]}', isRedacted: false });
  });

  test('is known while the request runs', async () => {
    const app = create();
    app.post('/', () => new Promise<never>(() => {}));
    void app.inject({ method: 'POST', url: '/', payload: { a: 1 } }).catch(() => {});
    await vi.waitFor(async () =>
      expect((await lastOf(app, 'running')).body).toMatchObject({ text: '{"a":1}' }),
    );
  });

  test.each([
    ['no body', { method: 'GET', url: '/nowhere' }],
    ['bytes', { payload: Buffer.from([0, 255]), headers: { 'content-type': 'application/octet-stream' } }],
    ['a stream', { payload: 'x', headers: { 'content-type': 'text/x-stream' } }],
    ['more than 16 KiB', { payload: { text: 'x'.repeat(16 * 1024) } }],
    ['more than 16 KiB in UTF-8', { payload: { text: 'ä'.repeat(9_000) } }],
    ['very many values', { payload: Array(3_000).fill(1) }],
    ['a body that no parser takes', { payload: 'x', headers: { 'content-type': 'application/unknown' } }],
  ])('%s is not stored', async (_what, request) => {
    expect((await recordOf(echo(), { method: 'POST', url: '/', ...request } as never)).body).toBeNull();
  });

  test('exactly 16 KiB are stored', async () => {
    const payload = { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) };
    const { body } = await recordOf(echo(), { method: 'POST', url: '/', payload });
    expect(body!.text).toHaveLength(16 * 1024);
  });

  test('of a form has its fields, and of a file its kind', async () => {
    const app = create();
    const schema = {
      body: {
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: {
                title: { type: 'string' },
                password: { type: 'string' },
                file: { type: 'string', format: 'binary' },
              },
            },
          },
        },
      },
    };
    app.post('/', { schema: schema as never }, () => 'ok');
    const form = new FormData();
    form.set('title', 'A note');
    form.set('password', 'hunter2');
    form.set('file', new File(['content of the file'], 'a.txt'));
    await fetch(await serve(app), { method: 'POST', body: form });
    const { body, error } = await lastOf(app);
    expect(error).toBeNull();
    expect(body!.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(JSON.parse(body!.text)).toMatchObject({ title: 'A note', password: '[redacted]' });
    expect(body!.text).not.toMatch(/hunter2|content of the file/);
  });
});

test('in development, a navigation is recorded for the page of an error as well, and ends', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  const app = create(logTo());
  app.get('/', (request) => {
    request.log.info('a line');
    throw new Error('it failed');
  });
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const { body: page } = await app.inject({ url: '/', headers });
  vi.unstubAllEnvs();
  const { error, steps, logs } = await lastOf(app);
  expect(page).toContain('<td>a line</td>');
  expect(logs.map(({ message }) => message)).toEqual(['a line', 'it failed', 'request completed']);
  expect(error).toMatchObject({ title: 'it failed' });
  expect(steps.map(({ name }) => name)).toEqual(['handler', 'errorHandler', 'defaultErrorReply', 'write']);
});

test('in production, the guard shows neither errors nor log lines nor bodies', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const app = create(logTo(), { guard: () => true });
  app.post('/', (request) => {
    request.log.info('a line');
    throw new Error('it failed');
  });
  const record = await recordOf(app, { method: 'POST', url: '/', payload: { a: 1 } });
  vi.unstubAllEnvs();
  expect(record).toMatchObject({ status: 500, error: null, logs: [], logCount: 0, body: null });
});

describe('a response', () => {
  test('has its headers without secrets, and its bytes', async () => {
    const app = create();
    app.get('/', (_request, reply) =>
      reply
        .header('set-cookie', ['sid=secret1', 'b=secret2'])
        .header('location', '/next?token=secret3&page=2')
        .header('x-echo', 'secret-of-client')
        .header('x-count', 3 as never)
        .send('four' as never),
    );
    const headers = { authorization: 'Bearer secret-of-client' };
    const { responseHeaders, bytes } = await recordOf(app, { url: '/', headers });
    expect(responseHeaders).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '4',
      'set-cookie': '[redacted]',
      location: '/next?token=[redacted]&page=2',
      'x-echo': '[redacted]',
      'x-count': '3',
    });
    expect(bytes).toBe(4);
    expect(JSON.stringify(responseHeaders)).not.toMatch(/secret/);
  });

  test.each([
    ['HEAD', { method: 'HEAD', url: '/' }, 0],
    ['no content', { url: '/nothing' }, 0],
    ['a stream', { url: '/stream' }, null],
  ])('the bytes of %s', async (_what, request, bytes) => {
    const app = create();
    app.get('/', () => 'four');
    app.get('/nothing', (_request, reply) => reply.code(204).send(undefined as never));
    app.get('/stream', () => Readable.from(['a', 'b']) as never);
    expect(await recordOf(app, request as never)).toMatchObject({ bytes });
  });

  test('hostile names and values of headers are ordinary text', async () => {
    const app = create();
    app.get('/', (_request, reply) => {
      reply.header('__proto__', 'x').header('constructor', 'y').header('x'.repeat(5_000), 'z'.repeat(50_000));
      return 'ok';
    });
    const record = await recordOf(app);
    expect(Object.getPrototypeOf(record.responseHeaders)).toBe(Object.prototype);
    expect(JSON.stringify(record.responseHeaders).length).toBeLessThan(2_000);
  });
});
