/** Values without a schema that JSON cannot write: what the client gets, and what is logged, over a socket. */
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LogLines } from '../../test/support/log-lines.ts';
import { serve } from '../../test/support/serve.ts';

const circular: { list: unknown[] } = { list: [] };
circular.list.push({ back: circular });

const unwritable: [what: string, value: unknown, path: string, message: string][] = [
  [
    'a bigint',
    { a: { b: [1n] } },
    '/a/b/0',
    'a bigint needs a schema of type integer or number to be written as JSON',
  ],
  ['a cycle', circular, '/list/0/back', 'a value that contains itself cannot be written as JSON'],
  [
    'a getter that throws',
    {
      get name() {
        throw new Error('no name');
      },
    },
    '/name',
    'no name',
  ],
  [
    'a toJSON that throws',
    {
      at: {
        toJSON: () => {
          throw new Error('no text');
        },
      },
    },
    '/at',
    'no text',
  ],
];

describe('a value that cannot be written', () => {
  for (const [what, value, path, message] of unwritable) {
    for (const status of [200, 404]) {
      test(`${what}, sent with ${status}: 500, with its path in the log`, async () => {
        const stream = new LogLines();
        const app = ambit({ logger: { stream } });
        app.get('/', (_request, reply) => reply.code(status).send(value));
        const response = await fetch(await serve(app));
        expect(response.status).toBe(500);
        expect(await response.json()).toMatchObject({ statusCode: 500, message });
        const errors = stream.lines.filter(({ level }) => level === 50);
        expect(errors).toHaveLength(1);
        // Pino appends the message of the cause to that of the error.
        expect(errors[0]!.err).toMatchObject({
          type: 'SerializationError',
          message: expect.stringContaining(message),
          path,
        });
      });
    }
  }

  test('with a response schema of its status, too', async () => {
    const stream = new LogLines();
    const app = ambit({ logger: { stream } });
    const response: object = { 404: { type: 'object', properties: { n: { type: 'integer' } } } };
    app.get('/', { schema: { response } }, (_request, reply) => reply.code(404).send({ n: 'x' }));
    expect((await fetch(await serve(app))).status).toBe(500);
    expect(stream.lines.find(({ level }) => level === 50)?.err).toMatchObject({ path: '/n' });
  });

  test('an error handler is told, and may answer with a status of its own', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => {
      expect(reply.statusCode).toBe(500);
      return reply.code(422).send((error as Error & { path: string }).path);
    });
    app.get('/', (_request, reply) => reply.code(404).send({ a: 1n }));
    const response = await fetch(await serve(app));
    expect([response.status, await response.text()]).toEqual([422, '/a']);
  });

  test('what a Standard Schema lets through', async () => {
    const app = ambit();
    app.get('/', { schema: { response: { 200: z.object({ n: z.bigint() }) } } }, () => ({ n: 1n }));
    const response = await fetch(await serve(app));
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ message: expect.stringContaining('bigint') }),
    ]);
  });

  test('is an error of reply.serialize', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => {
      expect(() => reply.serialize({ a: 1n })).toThrow(expect.objectContaining({ path: '/a' }));
      return 'ok';
    });
    expect(await (await fetch(await serve(app))).text()).toBe('ok');
  });
});
