/** `responses: 'declared'`, and what happens without it to a response that the schemas of its route do not declare. */
import { Readable } from 'node:stream';
import { type AmbitOptions, ambit, type Context, type Handler, type RouteSchema } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { recordWarnings } from '../../test/support/emitted-warnings.ts';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { textOf, transports } from '../../test/support/transports.ts';

const warnings = recordWarnings();

const user = { type: 'object', properties: { name: { type: 'string' } } };
const byStatus: RouteSchema = { response: { 200: user } };
const byType: RouteSchema = { response: { 200: { content: { 'application/json': { schema: user } } } } };
const leak = { name: 'Ada', password: 'hunter2' };

const undeclared: Record<string, [schema: RouteSchema, handler: Handler]> = {
  'an object with another status': [byStatus, (_request, reply) => reply.code(201).send(leak)],
  'a returned object with another status': [
    byStatus,
    (_request, reply) => {
      reply.code(201);
      return leak;
    },
  ],
  'an object that a serializer of the reply writes': [
    byStatus,
    (_request, reply) => reply.code(201).serializer(JSON.stringify).send(leak),
  ],
  'an object of another media type': [
    byType,
    (_request, reply) => reply.type('application/vnd.api+json').send(leak),
  ],
  'a text with another status': [byStatus, (_request, reply) => reply.code(201).send('hunter2')],
  'a text of another media type': [byType, () => 'hunter2'],
  'bytes of another media type': [byType, () => Buffer.from('hunter2')],
  'a stream of another media type': [byType, () => Readable.from(['hunter2'])],
  'a web stream of another media type': [byType, () => new Blob(['hunter2']).stream()],
  'a Response with another status': [byStatus, () => Response.json(leak, { status: 201 })],
  'a Response of another media type': [byType, () => new Response('hunter2')],
};

const declared: Record<string, [schema: RouteSchema, handler: Handler, status: number]> = {
  'an object': [byStatus, () => leak, 200],
  'an object by its media type': [byType, () => leak, 200],
  'a text, if the schema is for all media types': [
    { response: { 200: { type: 'string' } } },
    () => 'text',
    200,
  ],
  'a status of a class': [
    { response: { '2xx': user } },
    (_request, reply) => reply.code(201).send(leak),
    201,
  ],
  'a status by default': [
    { response: { default: user } },
    (_request, reply) => reply.code(418).send(leak),
    418,
  ],
  'any media type': [{ response: { 200: { content: { '*/*': { schema: user } } } } }, () => leak, 200],
  'a reply without content': [byStatus, (_request, reply) => reply.code(202).send(), 202],
  'a redirect': [byStatus, (_request, reply) => reply.redirect('/elsewhere'), 302],
  '204': [byStatus, (_request, reply) => reply.code(204).send(), 204],
  '304': [byStatus, (_request, reply) => reply.code(304).send(), 304],
  'a Response without content': [byStatus, () => new Response(null, { status: 202 }), 202],
  'a route without a response schema': [{}, (_request, reply) => reply.code(201).send(leak), 201],
  'an error of the framework': [
    { ...byStatus, querystring: { type: 'object', required: ['page'] } },
    () => leak,
    400,
  ],
  'an error that is thrown': [
    byStatus,
    () => Promise.reject(Object.assign(new Error('no'), { statusCode: 409 })),
    409,
  ],
  callNotFound: [byStatus, (_request, reply) => reply.callNotFound(), 404],
};

for (const [flavor, make] of flavors) {
  describe(`on ${flavor}, with responses: 'declared'`, () => {
    for (const [what, [schema, handler]] of Object.entries(undeclared)) {
      test(`${what} is refused with 500, and the log names the route`, async () => {
        const lines = new LogLines();
        const app = make({ responses: 'declared', logger: { stream: lines } } as AmbitOptions);
        app.get('/users/:id', { schema }, handler);
        const response = await app.inject('/users/1');
        expect([response.statusCode, response.json()]).toMatchObject([
          500,
          { code: 'AMBIT_ERR_RESPONSE_UNDECLARED' },
        ]);
        expect(response.body).not.toContain('hunter2');
        expect(lines.lines).toContainEqual(
          expect.objectContaining({
            level: 50,
            msg: expect.stringContaining('GET /users/:id replied with status'),
          }),
        );
        expect((await app.inject({ method: 'HEAD', url: '/users/1' })).statusCode).toBe(500);
      });
    }

    for (const [what, [schema, handler, status]] of Object.entries(declared)) {
      test(`${what} is sent`, async () => {
        const app = make({ responses: 'declared' } as AmbitOptions);
        app.get('/', { schema }, handler);
        expect((await app.inject('/')).statusCode).toBe(status);
      });
    }

    test('what an error handler sends must be declared, too', async () => {
      const app = make({ responses: 'declared' } as AmbitOptions);
      app.setErrorHandler((_error, _request, reply) => reply.code(409).send(leak));
      app.get('/', { schema: byStatus }, () => Promise.reject(new Error('no')));
      app.get('/declared', { schema: { response: { 409: user } } }, () => Promise.reject(new Error('no')));
      const refused = await app.inject('/');
      expect([refused.statusCode, refused.body.includes('hunter2')]).toEqual([500, false]);
      expect((await app.inject('/declared')).json()).toEqual({ name: 'Ada' });
    });

    test('a stream that is refused is closed', async () => {
      const app = make({ responses: 'declared' } as AmbitOptions);
      const stream = Readable.from(['hunter2']);
      app.get('/', { schema: byType }, () => stream);
      await app.inject('/');
      expect(stream.destroyed).toBe(true);
    });
  });
}

for (const { name, options, ask } of transports) {
  test(`it is refused over ${name}`, async () => {
    const app = ambit({ ...options, responses: 'declared' } as AmbitOptions);
    app.get('/', { schema: byStatus }, (_request, reply) => reply.code(201).send(leak));
    const answer = await ask(app);
    expect([answer.status, (await textOf(answer)).includes('hunter2')]).toEqual([500, false]);
    await app.close();
  });
}

describe('setResponses', () => {
  const add = (context: Context, path: string): void =>
    void context.get(path, { schema: byStatus }, (_request, reply) => reply.code(201).send(leak));

  test('applies to its context and below, and not to siblings', async () => {
    const app = ambit();
    app.register(async (strict) => {
      strict.setResponses('declared');
      add(strict, '/strict');
      strict.register(async (child) => add(child, '/child'));
      strict.register(async (open) => {
        open.setResponses('any');
        add(open, '/open');
      });
    });
    app.register(async (sibling) => add(sibling, '/sibling'));
    const statuses = ['/strict', '/child', '/open', '/sibling'].map(
      async (url) => (await app.inject(url)).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([500, 500, 201, 201]);
  });

  test.each([undefined, null, 'all', true])('%s is rejected', (value) => {
    expect(() => ambit().setResponses(value as never)).toThrow(
      expect.objectContaining({ code: 'AMBIT_ERR_OPTION_INVALID' }),
    );
  });

  test('as an option, another value is rejected', () => {
    expect(() => ambit({ responses: 'all' as never })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INIT_OPTS_INVALID' }),
    );
  });
});

describe('without the option', () => {
  for (const [what, [schema, handler]] of Object.entries(undeclared)) {
    test(`${what} is sent, and in development a warning names the route, once for each status`, async () => {
      const app = ambit();
      app.get('/users/:id', { schema }, handler);
      expect((await app.inject('/users/1')).body).toContain('hunter2');
      await app.inject('/users/1');
      expect(warnings).toEqual([
        expect.stringMatching(/^AMBWRN013 GET \/users\/:id replied with status 20[01] .* 'declared'/),
      ]);
    });
  }

  for (const [what, [schema, handler]] of Object.entries(declared)) {
    test(`${what} causes no warning`, async () => {
      const app = ambit();
      app.get('/', { schema }, handler);
      await app.inject('/');
      expect(warnings).toEqual([]);
    });
  }

  test('in production there is no warning', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const app = ambit();
    app.get('/', { schema: byType }, () => 'hunter2');
    expect((await app.inject('/')).body).toBe('hunter2');
    expect(warnings).toEqual([]);
  });
});
