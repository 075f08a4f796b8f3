/** When validators become code, seen from outside: errors of schemas fail boot with every value of the option. */
import { Ajv } from 'ajv';
import { ambit } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serve } from '../../test/support/serve.ts';

const times = ['boot', 'first-use', 'background'] as const;

afterEach(() => void vi.restoreAllMocks());

/** Counts what the engine compiles. */
function countCompilations(): () => number {
  const compile = vi.spyOn(Ajv.prototype, 'compile');
  return () => compile.mock.calls.length;
}

const body = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 2 } } };

function makeApp(compile?: (typeof times)[number]): ReturnType<typeof ambit> {
  const app = ambit(compile === undefined ? {} : { compile });
  app.post('/', { schema: { body } }, (request) => request.body);
  return app;
}

describe('the option `compile`', () => {
  for (const time of times) {
    test(`${time}: requests are validated all the same`, async () => {
      const origin = await serve(makeApp(time));
      const post = async (payload: unknown): Promise<unknown> => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(origin, { method: 'POST', headers, body: JSON.stringify(payload) });
        return [response.status, await response.json()];
      };
      expect(await post({ name: 'ada' })).toEqual([200, { name: 'ada' }]);
      expect(await post({ name: 'a' })).toEqual([
        400,
        expect.objectContaining({ message: 'body/name should NOT have fewer than 2 characters' }),
      ]);
      expect(await post('text')).toEqual([
        400,
        expect.objectContaining({ message: 'body should be object' }),
      ]);
      expect(await post({ name: 7, more: 1 })).toEqual([400, expect.anything()]);
      expect(await post({ name: 12, more: 1 })).toEqual([200, { name: '12', more: 1 }]);
    });

    for (const [what, schema, problem] of [
      ['an unknown keyword', { type: 'object', propertys: {} }, /propertys/],
      ['a type that there is not', { type: 'text' }, /type/],
      ['a reference to nothing', { $ref: 'none#' }, /none/],
      [
        'a pattern that is none',
        { type: 'object', properties: { a: { type: 'string', pattern: '[' } } },
        /Invalid regular expression/,
      ],
      ['a default that is ignored', { type: 'object', default: {} }, /default/],
    ] as const) {
      test(`${time}: ${what} fails the boot`, async () => {
        const app = ambit({ compile: time });
        app.post('/wrong', { schema: { body: schema } }, () => 'never');
        await expect(app.ready()).rejects.toMatchObject({
          code: 'FST_ERR_SCH_VALIDATION_BUILD',
          message: expect.stringMatching(problem),
          where: { route: 'POST /wrong', file: expect.stringContaining('default-compilers.test.ts') },
        });
      });
    }

    test(`${time}: schemas nested too deeply for the engine fail the boot`, async () => {
      const app = ambit({ compile: time });
      let nested: object = { type: 'string' };
      for (let i = 0; i < 600; i++) nested = { type: 'object', properties: { a: nested } };
      app.post('/wrong', { schema: { body: nested } }, () => 'never');
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_VALIDATION_BUILD',
        where: { route: 'POST /wrong' },
      });
    });

    for (const [what, last] of [
      ['a chain', {}],
      ['a circle', { properties: { next: { $ref: 'link0#' } } }],
    ] as const) {
      test(`${time}: ${what} of references too long for the engine fails the boot`, async () => {
        const app = ambit({ compile: time });
        const count = 500;
        for (let i = 0; i < count; i++) {
          const next = { properties: { next: { $ref: `link${i + 1}#` } } };
          app.addSchema({ $id: `link${i}`, type: 'object', ...(i < count - 1 ? next : last) });
        }
        const linked = { type: 'object', properties: { first: { $ref: 'link0#' } } };
        app.post('/wrong', { schema: { body: linked } }, () => 'never');
        await expect(app.ready()).rejects.toMatchObject({
          code: 'FST_ERR_SCH_VALIDATION_BUILD',
          where: { route: 'POST /wrong' },
        });
      });
    }

    test(`${time}: a shared schema that is wrong fails the boot`, async () => {
      const app = ambit({ compile: time });
      app.addSchema({ $id: 'broken', type: 'text' });
      app.post('/', { schema: { body } }, () => 'never');
      await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
    });
  }

  test('boot compiles before the application is ready', async () => {
    const count = countCompilations();
    await makeApp('boot').ready();
    expect(count()).toBe(1);
  });

  test('first-use, the default, compiles once, with the first request', async () => {
    const count = countCompilations();
    const app = makeApp();
    await app.ready();
    expect(count()).toBe(0);
    const post = () => app.inject({ method: 'POST', url: '/', payload: { name: 'ada' } });
    expect((await post()).statusCode).toBe(200);
    expect((await post()).statusCode).toBe(200);
    expect(count()).toBe(1);
  });

  test('background compiles once the server listens, without a request', async () => {
    const count = countCompilations();
    const app = makeApp('background');
    await app.ready();
    expect(count()).toBe(0);
    await serve(app);
    await vi.waitFor(() => expect(count()).toBe(1));
  });

  test('background compiles all schemas of an idle server, without any event to wake it', async () => {
    const count = countCompilations();
    const app = ambit({ compile: 'background' });
    for (let i = 0; i < 200; i++) {
      const properties = { [`name${i}`]: { type: 'string' } };
      app.post(`/${i}`, { schema: { body: { type: 'object', properties } } }, () => 'never');
    }
    await serve(app);
    await vi.waitFor(() => expect(count()).toBe(200), { interval: 500, timeout: 5_000 });
  });

  test('background: what cannot be compiled is logged, the server goes on, and the rest is compiled', async () => {
    const lines: { level: number; msg: string; err: { message: string } }[] = [];
    const app = ambit({
      compile: 'background',
      logger: { stream: { write: (line) => lines.push(JSON.parse(line)) } },
    });
    const { compile } = Ajv.prototype;
    const attempts = vi.spyOn(Ajv.prototype, 'compile').mockImplementation(function (
      this: Ajv,
      schema: object,
    ) {
      if ('required' in schema) throw new RangeError('too deep');
      return compile.call(this, schema);
    } as never);
    app.post('/', { schema: { body } }, () => 'never');
    app.post(
      '/other',
      { schema: { body: { type: 'object', properties: { a: { type: 'integer' } } } } },
      () => 'ok',
    );
    const origin = await serve(app);
    await vi.waitFor(() => expect(attempts).toHaveBeenCalledTimes(2));
    const post = (path: string): Promise<Response> =>
      fetch(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"ada"}',
      });
    expect((await post('/')).status).toBe(500);
    expect((await post('/other')).status).toBe(200);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'a schema could not be compiled in the background',
        err: expect.objectContaining({ message: 'too deep' }),
      }),
    );
  });

  test('changes of a schema after boot have no effect', async () => {
    const schema = structuredClone(body);
    const app = ambit();
    app.post('/', { schema: { body: schema } }, () => 'accepted');
    await app.ready();
    schema.required.push('other');
    const answer = await app.inject({ method: 'POST', url: '/', payload: { name: 'ada' } });
    expect(answer.statusCode).toBe(200);
  });

  test('a validator asked for by hand is the one of the route', async () => {
    const app = ambit();
    app.post('/', { schema: { body } }, (request) => {
      const validate = request.getValidationFunction('body')!;
      return [
        validate({ name: 'a' }),
        validate.errors?.[0]?.keyword,
        validate({ name: 'ada' }),
        validate.errors,
      ];
    });
    const answer = await app.inject({ method: 'POST', url: '/', payload: { name: 'ada' } });
    expect(answer.json()).toEqual([false, 'minLength', true, null]);
  });

  test('an unknown value of the option is refused', () => {
    expect(() => ambit({ compile: 'later' as never })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INIT_OPTS_INVALID' }),
    );
  });
});
