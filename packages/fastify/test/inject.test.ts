/** Requests without a socket are answered as they are over one: bodies whose streams fail, lengths that are no number. */
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import type { Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { flavors } from './support/flavors.ts';

forbidProcessFaults();

const failing = (error: Error): Transform =>
  new Transform({ transform: (_chunk, _encoding, done) => done(error) });

const failedBefore = new PassThrough();
failedBefore.on('error', () => {}).destroy(new Error('unreadable'));

const failures: Record<string, (payload: Readable) => Readable> = {
  'a pipeline that fails': (payload) => pipeline(payload, failing(new Error('unreadable')), () => {}),
  'a pipe that fails': (payload) => payload.pipe(failing(new Error('unreadable'))),
  'a stream that fails, and destroys the one that it reads': (payload) => {
    payload.destroy(new Error('given up'));
    return new PassThrough().destroy(new Error('unreadable'));
  },
  'a stream that has failed before': (payload) => {
    payload.resume();
    return failedBefore;
  },
};

const payloads: Record<string, () => string | Buffer | Readable> = {
  'a stream': () => Readable.from([Buffer.from('first'), Buffer.from('second')]),
  'a long stream': () => Readable.from([Buffer.alloc(100_000), Buffer.alloc(100_000)]),
  'a string': () => 'text',
  bytes: () => Buffer.from('bytes'),
};

for (const [flavor, make] of flavors) {
  function upload(): Context {
    const app = make();
    app.post('/', (request) => ({ body: request.body }));
    return app;
  }

  function post(app: Context, payload: string | Buffer | Readable, headers: object = {}) {
    return app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: { 'content-type': 'text/plain', ...headers },
    });
  }

  describe(`${flavor}: a preParsing hook that returns`, () => {
    for (const [failure, fail] of Object.entries(failures)) {
      for (const [name, payload] of Object.entries(payloads)) {
        test(`${failure} has ${name} answered 400`, async () => {
          const app = upload();
          app.addHook('preParsing', async (_request, _reply, body) => fail(body as Readable) as never);
          const reply = await post(app, payload());
          expect([reply.statusCode, reply.json<Error>().message]).toEqual([400, 'unreadable']);
        });
      }
    }

    test('a pipeline that fails with a status of its own is answered with that', async () => {
      const app = upload();
      const refused = Object.assign(new Error('not this type'), { statusCode: 415 });
      app.addHook(
        'preParsing',
        async (_request, _reply, body) => failures['a pipeline that fails']!(body as Readable) as never,
      );
      app.setErrorHandler((_error, _request, reply) => reply.send(refused));
      expect((await post(app, Readable.from([Buffer.from('text')]))).statusCode).toBe(415);
    });

    test('a pipeline that fails is answered by an error handler that waits', async () => {
      const app = upload();
      app.addHook(
        'preParsing',
        async (_request, _reply, body) => failures['a pipeline that fails']!(body as Readable) as never,
      );
      app.setErrorHandler(async (error: Error, _request, reply) => {
        await Promise.resolve();
        return reply.code(422).send({ message: `refused: ${error.message}` });
      });
      const reply = await post(app, Readable.from([Buffer.from('text')]));
      expect([reply.statusCode, reply.json<Error>().message]).toEqual([422, 'refused: unreadable']);
    });
  });

  describe(`${flavor}: a body whose stream fails`, () => {
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new Error('the client failed'));
        },
      });

    test('is answered 400 where it is read', async () => {
      const reply = await post(upload(), broken());
      expect([reply.statusCode, reply.json<Error>().message]).toEqual([400, 'the client failed']);
    });

    test('rejects where nobody reads it and no answer comes', async () => {
      const app = make();
      app.get('/', (request) => new Promise(() => request.raw.read()));
      await expect(app.inject({ url: '/', payload: broken() })).rejects.toThrow('the client failed');
    });

    test('rejects where a handler destroys the request instead of answering', async () => {
      const app = make();
      app.get('/', (request) => {
        request.raw.destroy(new Error('gone'));
        return new Promise(() => {});
      });
      await expect(app.inject('/')).rejects.toThrow('gone');
    });
  });

  describe(`${flavor}: through inject, a content-length of`, () => {
    for (const [length, status] of [
      ['abc', 200],
      ['NaN', 200],
      ['4, 4', 200],
      ['4', 200],
      ['5', 400],
      ['', 400],
      ['-1', 400],
      ['Infinity', 413],
    ] as const) {
      test(`'${length}' has four bytes answered ${status}`, async () => {
        const reply = await post(upload(), 'four', { 'content-length': length });
        expect(reply.statusCode).toBe(status);
      });
    }

    test('something that is no number leaves the limit of the body in force', async () => {
      const app = make({ bodyLimit: 3 });
      app.post('/', () => 'accepted');
      expect((await post(app, 'four', { 'content-length': 'abc' })).statusCode).toBe(413);
    });
  });
}
