/** Error handlers: nesting, what happens if they fail themselves, and how they may reply. */

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type ErrorHandler } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

function failing(app: Context): Context {
  return app.get('/', () => {
    throw Object.assign(new Error('it broke'), { statusCode: 418 });
  });
}

async function answers(app: Context): Promise<number[]> {
  app.get('/next', () => 'next');
  const port = await servePort(app);
  return statuses(await converse(port, request('GET', '/') + lastRequest('GET', '/next')));
}

/** The ways in which an error handler passes an error to the next outer one. */
const failureWays: Record<string, (make: (error: Error) => Error) => ErrorHandler> = {
  throws: (make) => (error) => {
    throw make(error);
  },
  rejects: (make) => async (error) => {
    await nextTurn();
    throw make(error);
  },
  'sends an error': (make) => (error, _request, reply) => {
    reply.send(make(error));
  },
  'returns an error': (make) => (error) => make(error),
  'resolves with an error': (make) => async (error) => make(error),
};

describe('an error handler that fails', () => {
  for (const [way, handOver] of Object.entries(failureWays)) {
    test(`that ${way} passes the error to the outer handlers, one after the other`, async () => {
      const app = ambit();
      const appended = (text: string) => handOver((error) => new Error(`${error.message}, ${text}`));
      app.setErrorHandler((error, _request, reply) => reply.code(409).send({ passed: error.message }));
      app.register(async (child) => {
        child.setErrorHandler(appended('child'));
        child.register(async (grandchild) => {
          grandchild.setErrorHandler(appended('grandchild'));
          failing(grandchild);
        });
      });
      const response = await app.inject('/');
      expect(response.statusCode).toBe(409);
      expect(response.json()).toEqual({ passed: 'it broke, grandchild, child' });
    });

    test(`that ${way} in the root passes the error to the default handler, which replies once`, async () => {
      const app = ambit();
      app.setErrorHandler(handOver(() => Object.assign(new Error('again'), { statusCode: 503 })));
      failing(app);
      expect(await answers(app)).toEqual([503, 200]);
    });

    test(`that ${way} on a route passes the error to the handler of the context`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => reply.send({ context: error.message }));
      app.get('/', { errorHandler: handOver((error) => new Error(`${error.message}, route`)) }, () => {
        throw new Error('it broke');
      });
      expect((await app.inject('/')).json()).toEqual({ context: 'it broke, route' });
    });
  }

  for (const [what, value] of [
    ['undefined', undefined],
    ['null', null],
    ['a string', 'text'],
  ] as const) {
    test(`that throws ${what} gets one reply`, async () => {
      const app = ambit();
      app.setErrorHandler(() => {
        throw value;
      });
      failing(app);
      expect((await answers(app)).length).toBe(2);
    });

    test(`that rejects with ${what} gets one reply`, async () => {
      const app = ambit();
      app.setErrorHandler(() => Promise.reject(value));
      failing(app);
      expect((await answers(app)).length).toBe(2);
    });
  }

  test('that throws the same error again answers with it', async () => {
    const app = ambit();
    app.setErrorHandler((error) => {
      throw error;
    });
    failing(app);
    const response = await app.inject('/');
    expect(response.statusCode).toBe(418);
    expect(response.json()).toMatchObject({ message: 'it broke' });
  });

  test('that throws after it replied changes nothing', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => {
      reply.code(409).send('handled');
      throw new Error('too late');
    });
    failing(app);
    expect(await answers(app)).toEqual([409, 200]);
  });

  test('that rejects after it replied changes nothing', async () => {
    const app = ambit();
    app.setErrorHandler(async (_error, _request, reply) => {
      reply.code(409).send('handled');
      await nextTurn();
      throw new Error('too late');
    });
    failing(app);
    expect(await answers(app)).toEqual([409, 200]);
  });

  test('whose payload cannot be serialized gets one reply', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => reply.send({ big: 1n }));
    failing(app);
    expect((await answers(app)).length).toBe(2);
  });

  test('does not get the error that it threw itself', async () => {
    const app = ambit();
    let runs = 0;
    app.setErrorHandler(() => {
      runs++;
      throw new Error('again');
    });
    failing(app);
    await app.inject('/');
    expect(runs).toBe(1);
  });
});

describe('an error handler answers', () => {
  const ways: Record<string, ErrorHandler> = {
    'by send': (error, _request, reply) => {
      reply.send({ error: error.message });
    },
    'by returning a value': (error) => ({ error: error.message }),
    'by a promise of a value': async (error) => ({ error: error.message }),
    'by a late send': (error, _request, reply) => {
      setImmediate(() => reply.send({ error: error.message }));
    },
    'by awaiting before send': async (error, _request, reply) => {
      await nextTurn();
      return reply.send({ error: error.message });
    },
  };

  for (const [way, handler] of Object.entries(ways)) {
    test(`${way}`, async () => {
      const app = ambit();
      app.setErrorHandler(handler);
      failing(app);
      expect((await app.inject('/')).json()).toEqual({ error: 'it broke' });
      const served = ambit();
      served.setErrorHandler(handler);
      expect((await answers(failing(served))).length).toBe(2);
    });
  }

  test('with a stream', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => reply.code(409).send(Readable.from([error.message])));
    failing(app);
    const response = await app.inject('/');
    expect(response.statusCode).toBe(409);
    expect(response.body).toBe('it broke');
  });

  test('with a stream that fails before its first byte: the next handler answers', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) =>
      reply.send(
        new Readable({
          read() {
            this.destroy(new Error('in the stream'));
          },
        }),
      ),
    );
    failing(app);
    expect((await answers(app)).length).toBe(2);
  });

  test('with nothing, when a promise resolves without a reply', async () => {
    const app = ambit();
    app.setErrorHandler(async (_error, _request, reply) => {
      reply.code(204);
    });
    failing(app);
    const response = await app.inject('/');
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
  });

  test('by itself, after hijack', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => {
      reply.hijack();
      reply.raw.statusCode = 409;
      reply.raw.end('by hand');
    });
    failing(app);
    expect(await answers(app)).toEqual([409, 200]);
  });

  test('with callNotFound', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => reply.callNotFound());
    failing(app);
    expect(await answers(app)).toEqual([404, 200]);
  });

  for (const [flavor, make] of flavors) {
    test(`on ${flavor}, when the not-found handler that callNotFound runs fails, the next error handler outwards gets its error`, async () => {
      const app = make();
      app.setErrorHandler((error: Error) => `context: ${error.message}`);
      app.setNotFoundHandler(() => {
        throw new Error('no such page');
      });
      const ofRoute: ErrorHandler = (_error, _request, reply) => reply.callNotFound();
      app.get('/', { errorHandler: ofRoute }, () => {
        throw new Error('it broke');
      });
      const response = await app.inject('/');
      expect(response.body).toBe('context: no such page');
    });

    test(`on ${flavor}, when no error handler is left, that error gets the default reply`, async () => {
      const app = make();
      app.setErrorHandler((_error, _request, reply) => reply.callNotFound());
      app.setNotFoundHandler(() => {
        throw new Error('no such page');
      });
      failing(app);
      const response = await app.inject('/');
      expect(response.statusCode).toBe(500);
      expect(response.json()).toMatchObject({ message: 'no such page' });
    });
  }

  test('without the content type that was meant for the payload', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => reply.send({ error: error.message }));
    app.get('/', (_request, reply) => {
      reply.type('image/png').header('content-length', 3);
      throw new Error('it broke');
    });
    const response = await app.inject('/');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({ error: 'it broke' });
  });

  test('without the content type of a stream that failed', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => reply.send({ error: error.message }));
    app.get('/', (_request, reply) =>
      reply.type('image/png').send(
        new Readable({
          read() {
            this.destroy(new Error('it broke'));
          },
        }),
      ),
    );
    const response = await app.inject('/');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({ error: 'it broke' });
  });

  test('with this as the context that set it', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    app.setErrorHandler(function () {
      seen.push(this === app);
      return 'handled';
    });
    app.register(async (child) => {
      failing(child);
    });
    await app.inject('/');
    expect(seen).toEqual([true]);
  });
});

for (const [flavor, make] of flavors) {
  describe(`on ${flavor}, an error handler that is async and sends nothing`, () => {
    for (const [what, handler] of [
      ['ends at once', async () => {}],
      ['ends later', async () => void (await nextTurn())],
      ['returns a promise of nothing', () => Promise.resolve()],
    ] as const) {
      test(`and ${what} leaves the error to the default one`, async () => {
        const app = make();
        app.setErrorHandler(handler as never);
        failing(app);
        const response = await app.inject('/');
        expect(response.statusCode).toBe(418);
        expect(response.json()).toEqual({ statusCode: 418, error: "I'm a Teapot", message: 'it broke' });
        const served = make();
        served.setErrorHandler(handler as never);
        expect(await answers(failing(served))).toEqual([418, 200]);
      });
    }

    test('leaves the error to the one of the parent', async () => {
      const app = make();
      app.setErrorHandler((error: Error, _request, reply) =>
        reply.code(409).send(`parent: ${error.message}`),
      );
      app.register(async (child) => {
        child.setErrorHandler(async () => {});
        failing(child);
      });
      const response = await app.inject('/');
      expect([response.statusCode, response.body]).toEqual([409, 'parent: it broke']);
    });

    test('leaves the error of a route to the one of its context', async () => {
      const app = make();
      app.setErrorHandler((error: Error, _request, reply) => reply.code(409).send(error.message));
      app.get('/', { errorHandler: async () => {} }, () => {
        throw new Error('it broke');
      });
      const response = await app.inject('/');
      expect([response.statusCode, response.body]).toEqual([409, 'it broke']);
    });

    test('leaves the error of a hook and of a stream to the default one', async () => {
      const app = make();
      app.setErrorHandler(async () => {});
      app.addHook('onSend', async (request) => {
        if (request.url === '/hook') throw Object.assign(new Error('in the hook'), { statusCode: 409 });
      });
      app.get('/hook', () => 'text');
      app.get(
        '/stream',
        () =>
          new Readable({
            read() {
              this.destroy(new Error('in the stream'));
            },
          }),
      );
      expect((await app.inject('/hook')).json()).toMatchObject({ statusCode: 409, message: 'in the hook' });
      expect((await app.inject('/stream')).json()).toMatchObject({
        statusCode: 500,
        message: 'in the stream',
      });
    });

    test('answers with the status that it has set, and no content', async () => {
      const app = make();
      app.setErrorHandler(async (_error, _request, reply) => void reply.code(204));
      failing(app);
      expect((await app.inject('/')).statusCode).toBe(204);
    });
  });

  describe(`on ${flavor}, what an error handler returns has the status`, () => {
    async function statusOf(handler: ErrorHandler, error: unknown, before = 200): Promise<number> {
      const app = make();
      app.setErrorHandler(handler);
      app.get('/', (_request, reply) => {
        reply.code(before);
        throw error;
      });
      const { statusCode } = await app.inject('/');
      const served = make();
      served.setErrorHandler(handler);
      served.get('/', (_request, reply) => {
        reply.code(before);
        throw error;
      });
      expect((await answers(served))[0]).toBe(statusCode);
      return statusCode;
    }
    const teapot = Object.assign(new Error('it broke'), { statusCode: 418 });

    for (const [what, handler] of [
      ['an object', () => ({ a: 1 })],
      ['a text', () => 'text'],
      ['null', () => null],
      ['a promise of an object', async () => ({ a: 1 })],
      ['a promise that takes turns', () => nextTurn({ a: 1 })],
      ['a stream', () => Readable.from(['text'])],
    ] as const) {
      test(`of the error: ${what}`, async () => {
        expect(await statusOf(handler as never, teapot)).toBe(418);
      });
    }

    test('of the error in `status`, or 500 if it has none', async () => {
      expect(await statusOf(() => 'text', { status: 409 })).toBe(409);
      expect(await statusOf(() => 'text', new Error('it broke'))).toBe(500);
      expect(await statusOf(() => 'text', Object.assign(new Error('it broke'), { statusCode: 200 }))).toBe(
        500,
      );
    });

    test('that the handler of the route set, if that is one of an error', async () => {
      expect(await statusOf(() => 'text', new Error('it broke'), 409)).toBe(409);
      expect(await statusOf(() => 'text', new Error('it broke'), 201)).toBe(500);
    });

    test('that it sets itself, also 200', async () => {
      const setting =
        (status: number): ErrorHandler =>
        (_error, _request, reply) => {
          reply.code(status);
          return { a: 1 };
        };
      expect(await statusOf(setting(409), teapot)).toBe(409);
      expect(await statusOf(setting(200), teapot)).toBe(200);
      const onRaw: ErrorHandler = async (_error, _request, reply) => {
        reply.raw.statusCode = 409;
        return 'text';
      };
      expect(await statusOf(onRaw, teapot)).toBe(409);
      const response: ErrorHandler = () => new Response('text', { status: 409 });
      expect(await statusOf(response, teapot)).toBe(409);
    });
  });

  describe(`on ${flavor}, frameworkErrors`, () => {
    test('that sends nothing leaves the error to the default response', async () => {
      const app = make({ frameworkErrors: (async () => {}) as never });
      app.get('/:id', () => 'text');
      const response = await app.inject('/%E0%A4%A');
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'FST_ERR_BAD_URL' });
    });

    test('answers with the status of the error what it returns', async () => {
      const app = make({ frameworkErrors: ((error: Error) => ({ was: error.name })) as never });
      app.get('/:id', () => 'text');
      expect((await app.inject('/%E0%A4%A')).statusCode).toBe(400);
    });
  });

  test(`on ${flavor}, a not-found handler that is async and sends nothing leaves the reply to the default one`, async () => {
    const app = make();
    app.setNotFoundHandler(async () => {});
    app.get('/', (_request, reply) => reply.callNotFound());
    for (const url of ['/', '/nowhere']) {
      const response = await app.inject(url);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ message: `Route GET:${url} not found` });
    }
  });

  test(`on ${flavor}, what a not-found handler returns has the status that it sets, or 200`, async () => {
    const app = make();
    app.setNotFoundHandler((request, reply) => {
      if (request.url === '/api') reply.code(404);
      return 'page';
    });
    expect((await app.inject('/api')).statusCode).toBe(404);
    expect((await app.inject('/page')).statusCode).toBe(200);
  });
}

describe('which error handler', () => {
  test('the nearest one answers: a child overrides its parent, a sibling does not', async () => {
    const app = ambit();
    app.setErrorHandler(() => 'root');
    app.register(
      async (child) => {
        child.setErrorHandler(() => 'child');
        failing(child);
      },
      { prefix: '/child' },
    );
    app.register(
      async (sibling) => {
        failing(sibling);
      },
      { prefix: '/sibling' },
    );
    expect((await app.inject('/child')).body).toBe('child');
    expect((await app.inject('/sibling')).body).toBe('root');
  });

  test('it answers for routes declared before it too', async () => {
    const app = ambit();
    failing(app);
    app.setErrorHandler(() => 'handled');
    expect((await app.inject('/')).body).toBe('handled');
  });

  test('errors of the not-found handler reach it', async () => {
    const app = ambit();
    app.setErrorHandler((error) => `handled: ${error.message}`);
    app.setNotFoundHandler(() => {
      throw new Error('not found either');
    });
    expect((await app.inject('/nowhere')).body).toBe('handled: not found either');
  });

  test('the getter returns the handler that applies', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    const handler: ErrorHandler = () => 'handled';
    app.register(async (child) => {
      const before = child.errorHandler;
      child.setErrorHandler(handler);
      seen.push(typeof before === 'function', child.errorHandler !== before);
    });
    await app.ready();
    expect(seen).toEqual([true, true]);
  });

  test('a second one in the same context is rejected if overriding is not allowed', () => {
    const app = ambit({ allowErrorHandlerOverride: false });
    app.setErrorHandler(() => 'one');
    expect(() => app.setErrorHandler(() => 'two')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_ERROR_HANDLER_ALREADY_SET' }),
    );
  });

  for (const value of [undefined, null, 'text', {}]) {
    test(`${String(value)} is rejected as an error handler`, () => {
      expect(() => ambit().setErrorHandler(value as never)).toThrow(
        expect.objectContaining({ code: 'FST_ERR_ERROR_HANDLER_NOT_FN' }),
      );
    });
  }

  test('one that is set after boot is refused', async () => {
    const app = ambit();
    await app.ready();
    expect(() => app.setErrorHandler(() => 'late')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
    );
  });
});
