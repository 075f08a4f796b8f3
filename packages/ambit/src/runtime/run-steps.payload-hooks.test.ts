/** The hooks that get bodies and payloads: `preParsing`, `preSerialization`, `onSend`; and `onResponse`. */
import { Readable, Transform } from 'node:stream';
import { ambit, type BodyStream, type PayloadDone, type Reply, type Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

describe('preParsing', () => {
  const upperCased = (payload: BodyStream): BodyStream =>
    payload.pipe(
      new Transform({
        transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()),
      }),
    );

  for (const [style, hook] of [
    [
      'callback',
      (_request: Request, _reply: Reply, payload: BodyStream, done: PayloadDone<BodyStream>) =>
        done(null, upperCased(payload)),
    ],
    ['promise', async (_request: Request, _reply: Reply, payload: BodyStream) => upperCased(payload)],
  ] as const) {
    test(`replaces the stream that the body is read from (${style} style)`, async () => {
      const app = ambit();
      app.addHook('preParsing', hook as never);
      app.post('/', (request) => request.body);
      const headers = { 'content-type': 'text/plain' };
      const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'quiet' });
      expect(response.body).toBe('QUIET');
    });
  }

  test('passes the stream of each hook to the next one', async () => {
    const app = ambit();
    app.addHook('preParsing', async () => Readable.from(['third']) as BodyStream);
    app.addHook('preParsing', async (_request, _reply, payload) => {
      let text = '';
      for await (const chunk of payload) text += chunk;
      return Object.assign(Readable.from([`${text}!`]), { receivedEncodedLength: 5 });
    });
    app.post('/', (request) => request.body);
    const headers = { 'content-type': 'text/plain' };
    expect((await app.inject({ method: 'POST', url: '/', headers, payload: 'first' })).body).toBe('third!');
  });

  for (const [bytes, status] of [
    [8, 200],
    [9, 413],
  ] as const) {
    test(`a stream that yields ${bytes} bytes under a limit of 8 answers ${status}`, async () => {
      const app = ambit();
      app.addHook('preParsing', async () =>
        Object.assign(Readable.from([Buffer.alloc(bytes, 'x')]), { receivedEncodedLength: 1 }),
      );
      app.post('/', { bodyLimit: 8 }, (request) => request.body);
      const headers = { 'content-type': 'text/plain' };
      const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'z' });
      expect(response.statusCode).toBe(status);
    });
  }

  test('a stream that fails is answered with the status of its error', async () => {
    const app = ambit();
    const broken = (): Readable =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('cannot inflate'), { statusCode: 422 }));
        },
      });
    app.addHook('preParsing', async () => broken() as BodyStream);
    app.post('/', (request) => request.body);
    const headers = { 'content-type': 'text/plain' };
    const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'zzz' });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ message: 'cannot inflate' });
  });

  test('runs for requests without a body too', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('preParsing', async () => {
      runs++;
    });
    app.get('/', () => 'done');
    expect((await app.inject('/')).body).toBe('done');
    expect(runs).toBe(1);
  });
});

describe('preSerialization', () => {
  test('replaces the value, hook after hook', async () => {
    const app = ambit();
    app.addHook('preSerialization', (_request, _reply, payload, done) => done(null, { data: payload }));
    app.addHook('preSerialization', async (_request, _reply, payload) => ({
      ...(payload as object),
      page: 1,
    }));
    app.get('/', () => [1, 2]);
    expect((await app.inject('/')).json()).toEqual({ data: [1, 2], page: 1 });
  });

  test('keeps the value if the hook returns none', async () => {
    const app = ambit();
    app.addHook('preSerialization', (_request, _reply, _payload, done) => done());
    app.addHook('preSerialization', async () => {});
    app.get('/', () => ({ kept: true }));
    expect((await app.inject('/')).json()).toEqual({ kept: true });
  });

  for (const [what, payload] of [
    ['a string', () => 'text'],
    ['a Buffer', () => Buffer.from('text')],
    ['a stream', () => Readable.from(['text'])],
    ['a web stream', () => new Response('text').body],
  ] as const) {
    test(`does not run for ${what}`, async () => {
      const app = ambit();
      let runs = 0;
      app.addHook('preSerialization', async () => {
        runs++;
      });
      app.get('/', (_request, reply) => reply.send(payload()));
      expect((await app.inject('/')).body).toBe('text');
      expect(runs).toBe(0);
    });
  }
});

describe('onSend', () => {
  test('replaces the payload, hook after hook, and the length follows', async () => {
    const app = ambit();
    app.addHook('onSend', (_request, _reply, payload, done) => done(null, `${payload}!`));
    app.addHook('onSend', async (_request, _reply, payload) => `<${payload}>`);
    app.get('/', () => 'text');
    const response = await app.inject('/');
    expect(response.body).toBe('<text!>');
    expect(response.headers['content-length']).toBe('7');
  });

  test('may replace text with a stream', async () => {
    const app = ambit();
    app.addHook('onSend', async () => Readable.from(['streamed']));
    app.get('/', () => 'text');
    const origin = await serve(app);
    expect(await (await fetch(origin)).text()).toBe('streamed');
  });

  test('null leaves the reply without content', async () => {
    const app = ambit();
    app.addHook('onSend', async (_request, reply) => {
      reply.code(304);
      return null;
    });
    app.get('/', () => 'text');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(304);
    expect(response.body).toBe('');
  });

  test('sets headers and status', async () => {
    const app = ambit();
    app.addHook('onSend', async (_request, reply) => {
      reply.header('x-sent', 'yes').code(201);
    });
    app.get('/', () => 'text');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(201);
    expect(response.headers['x-sent']).toBe('yes');
  });

  for (const [what, payload] of [
    ['an object', { a: 1 }],
    ['a number', 1],
    ['a boolean', true],
  ] as const) {
    test(`${what} as the payload is answered 500`, async () => {
      const app = ambit();
      app.get('/', { onSend: async () => payload }, () => 'text');
      const response = await app.inject('/');
      expect(response.statusCode).toBe(500);
      expect(response.json()).toMatchObject({ code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE' });
    });
  }

  test('runs for errors and for 404 as well', async () => {
    const app = ambit();
    const seen: number[] = [];
    app.addHook('onSend', async (_request, reply) => {
      seen.push(reply.statusCode);
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    await app.inject('/broken');
    await app.inject('/nowhere');
    expect(seen).toEqual([500, 404]);
  });
});

describe('onResponse', () => {
  test('runs after the response was sent, with its status', async () => {
    const app = ambit();
    const seen = new Promise((resolve) => {
      app.addHook('onResponse', async (request, reply) => {
        resolve({
          url: request.url,
          status: reply.statusCode,
          sent: reply.sent,
          isTimed: reply.elapsedTime > 0,
        });
      });
    });
    app.get('/', (_request, reply) => reply.code(201).send('made'));
    const origin = await serve(app);
    await fetch(`${origin}/`);
    expect(await seen).toEqual({ url: '/', status: 201, sent: true, isTimed: true });
  });

  test('runs for errors and for 404 as well', async () => {
    const app = ambit();
    const seen: number[] = [];
    app.addHook('onResponse', (_request, reply, done) => {
      seen.push(reply.statusCode);
      done();
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    await app.inject('/broken');
    await app.inject('/nowhere');
    expect(seen).toEqual([500, 404]);
  });

  test('cannot reply again', async () => {
    const app = ambit();
    app.addHook('onResponse', (_request, reply, done) => {
      reply.send('again');
      done();
    });
    app.get('/', () => 'once');
    expect((await app.inject('/')).body).toBe('once');
  });
});
