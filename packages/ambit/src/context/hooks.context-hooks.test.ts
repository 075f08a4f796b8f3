/** The hooks of contexts and applications: `onRoute`, `onRegister`, `onReady`, `onListen`, `preClose`, `onClose`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, type Context, type Done, hoist, type RegisteredRoute } from 'ambit';
import { describe, expect, test } from 'vitest';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

describe('onRoute', () => {
  test('receives the options of each route that follows, with its URL under the prefixes', async () => {
    const app = ambit();
    const seen: object[] = [];
    app.get('/before', () => 'done');
    app.addHook('onRoute', ({ method, url, path, routePath, prefix }) => {
      seen.push({ method, url, path, routePath, prefix });
    });
    app.post('/root', () => 'done');
    app.register(
      async (child) => {
        child.put('/:id', () => 'done');
      },
      { prefix: '/items' },
    );
    await app.ready();
    expect(seen).toEqual([
      { method: 'POST', url: '/root', path: '/root', routePath: '/root', prefix: '' },
      { method: 'PUT', url: '/items/:id', path: '/items/:id', routePath: '/:id', prefix: '/items' },
    ]);
  });

  test('sees the two URLs of `/` under a prefix as one route: what changes later applies to both', async () => {
    const app = ambit();
    const seen: RegisteredRoute[] = [];
    app.addHook('onRoute', (route) => {
      seen.push(route);
    });
    app.register(async (child) => child.post('/', () => 'done').after(), { prefix: '/items' });
    await app.after();
    expect(seen.map(({ url }) => url)).toEqual(['/items/']);
    seen[0]!.preHandler = async (_request, reply) => reply.code(403).send('closed');
    for (const url of ['/items', '/items/']) {
      expect((await app.inject({ method: 'POST', url })).statusCode).toBe(403);
    }
  });

  test('sees the automatic HEAD route of a GET route', async () => {
    const app = ambit();
    const seen: string[] = [];
    app.addHook('onRoute', ({ method, url }) => {
      seen.push(`${method} ${url}`);
    });
    app.get('/', () => 'done');
    await app.ready();
    expect(seen).toEqual(['GET /', 'HEAD /']);
  });

  test('sees a route of several methods once', async () => {
    const app = ambit();
    const seen: unknown[] = [];
    app.addHook('onRoute', ({ method }) => {
      seen.push(method);
    });
    app.route({ method: ['PUT', 'POST'], url: '/', handler: () => 'done' });
    await app.ready();
    expect(seen).toEqual([['PUT', 'POST']]);
  });

  test('of a child sees no route of its parent and of its siblings', async () => {
    const app = ambit();
    const seen: string[] = [];
    app.register(async (child) => {
      child.addHook('onRoute', ({ url }) => {
        seen.push(url);
      });
      child.post('/own', () => 'done');
    });
    app.register(async (sibling) => {
      sibling.post('/sibling', () => 'done');
    });
    app.after(() => {
      app.post('/parent', () => 'done');
    });
    await app.ready();
    expect(seen).toEqual(['/own']);
  });

  test('of a hoisted plugin sees the routes of the context around it', async () => {
    const app = ambit();
    const seen: string[] = [];
    app.register(
      hoist(async (context) => {
        context.addHook('onRoute', ({ url }) => {
          seen.push(url);
        });
      }),
    );
    app.register(async (child) => {
      child.post('/later', () => 'done');
    });
    await app.ready();
    expect(seen).toEqual(['/later']);
  });

  test('this is the context of the route', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    let child: Context | undefined;
    app.addHook('onRoute', function () {
      seen.push(this === child);
    });
    app.register(async (context) => {
      child = context;
      context.post('/', () => 'done');
    });
    await app.ready();
    expect(seen).toEqual([true]);
  });

  function withChange(change: (route: RegisteredRoute & Record<string, unknown>) => void): Context {
    const app = ambit();
    app.addHook('onRoute', (route) => change(route as never));
    app.post('/', (request) => ({ body: request.body, config: request.routeOptions.config }));
    return app;
  }

  test('a handler that it sets answers', async () => {
    const app = withChange((route) => {
      const { handler } = route;
      route.handler = async function (request, reply) {
        return { wrapped: await handler.call(this, request, reply) };
      };
    });
    const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
    expect(response.json()).toMatchObject({ wrapped: { body: { a: 1 } } });
  });

  for (const [what, hooks] of [
    ['one function', 'function'],
    ['an array', 'array'],
  ] as const) {
    test(`hooks that it adds as ${what} run`, async () => {
      const ran: string[] = [];
      const hook = async (): Promise<void> => {
        ran.push('hook');
      };
      const app = withChange((route) => {
        route.preHandler = { function: hook, array: [hook, hook] }[hooks];
      });
      await app.inject({ method: 'POST', url: '/', payload: {} });
      expect(ran).toHaveLength({ function: 1, array: 2 }[hooks]);
    });
  }

  test('config that it adds is visible in request.routeOptions', async () => {
    const app = withChange((route) => {
      route.config = { ...route.config, role: 'admin' };
    });
    const response = await app.inject({ method: 'POST', url: '/', payload: {} });
    expect(response.json()).toMatchObject({ config: { role: 'admin', url: '/' } });
  });

  test('a schema that it adds validates', async () => {
    const app = withChange((route) => {
      route.schema = { body: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } };
    });
    expect((await app.inject({ method: 'POST', url: '/', payload: {} })).statusCode).toBe(400);
    expect((await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })).statusCode).toBe(200);
  });

  test('a body limit, an error handler and attachValidation that it sets apply', async () => {
    const app = withChange((route) => {
      route.bodyLimit = 2;
      route.errorHandler = (error, _request, reply) => {
        reply.send({ code: error.code });
      };
    });
    const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
    expect(response.json()).toEqual({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
  });

  test('unknown options of a route pass through to it', async () => {
    const app = ambit();
    const seen: unknown[] = [];
    app.addHook('onRoute', (route) => {
      seen.push((route as never as { websocket: boolean }).websocket);
    });
    app.post('/', { websocket: true } as never, () => 'done');
    await app.ready();
    expect(seen).toEqual([true]);
  });

  test('may declare further routes', async () => {
    const app = ambit();
    app.addHook('onRoute', function ({ url, method }) {
      if (method === 'POST') this.options(url, () => 'preflight');
    });
    app.post('/', () => 'done');
    expect((await app.inject({ method: 'OPTIONS', url: '/' })).body).toBe('preflight');
  });

  test('one that throws refuses the route', () => {
    const app = ambit();
    app.addHook('onRoute', () => {
      throw new Error('not this route');
    });
    expect(() => app.get('/', () => 'done')).toThrow('not this route');
  });

  test('the route is refused if the hook adds a value that is not a function', () => {
    const app = withNoRoute();
    app.addHook('onRoute', (route) => {
      (route as { preHandler: unknown }).preHandler = 'text';
    });
    expect(() => app.get('/', () => 'done')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_HANDLER' }),
    );
  });

  function withNoRoute(): Context {
    return ambit();
  }
});

describe('onRegister', () => {
  test('receives each new context and the options of its plugin', async () => {
    const app = ambit();
    const seen: unknown[] = [];
    let child: Context | undefined;
    app.addHook('onRegister', (context, options) => {
      seen.push({ context, options });
    });
    app.register(
      async (context, _options: { own: string }) => {
        child = context;
      },
      { prefix: '/v1', own: 'option' },
    );
    await app.ready();
    expect(seen).toHaveLength(1);
    const { context, options } = seen[0] as { context: Context; options: object };
    expect(context === child).toBe(true);
    expect(options).toMatchObject({ prefix: '/v1', own: 'option' });
  });

  test('runs before the plugin does, and for nested ones too', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('onRegister', () => {
      ran.push('hook');
    });
    app.register(async (context) => {
      ran.push('plugin');
      context.register(async () => {
        ran.push('nested');
      });
    });
    await app.ready();
    expect(ran).toEqual(['hook', 'plugin', 'hook', 'nested']);
  });

  test('does not run for a hoisted plugin, which has no context of its own', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onRegister', () => {
      runs++;
    });
    app.register(hoist(async () => {}));
    await app.ready();
    expect(runs).toBe(0);
  });

  test('of a child does not run for plugins of its siblings', async () => {
    const app = ambit();
    let runs = 0;
    app.register(async (child) => {
      child.addHook('onRegister', () => {
        runs++;
      });
    });
    app.register(async () => {});
    await app.ready();
    expect(runs).toBe(0);
  });

  test('one that throws fails the boot', async () => {
    const app = ambit();
    app.addHook('onRegister', () => {
      throw new Error('no more contexts');
    });
    app.register(async () => {});
    await expect(app.ready()).rejects.toThrow('no more contexts');
  });
});

describe('onReady', () => {
  test('runs when every plugin has loaded, the root first, then down the tree, one at a time', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.register(async (child) => {
      child.addHook('onReady', async () => {
        ran.push('child begins');
        await nextTurn();
        ran.push('child ends');
      });
      child.register(async (grandchild) => {
        grandchild.addHook('onReady', (done) => {
          ran.push('grandchild');
          done();
        });
        ran.push('loaded');
      });
    });
    app.register(async (sibling) => {
      sibling.addHook('onReady', () => {
        ran.push('sibling');
      });
    });
    app.addHook('onReady', (done) => {
      ran.push('root');
      setImmediate(done);
    });
    await app.ready();
    expect(ran).toEqual(['loaded', 'root', 'child begins', 'child ends', 'grandchild', 'sibling']);
  });

  test('runs once, and before the first request', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onReady', async () => {
      runs++;
    });
    app.get('/', () => String(runs));
    await app.ready();
    await app.ready();
    expect((await app.inject('/')).body).toBe('1');
  });

  test('this is the context that added it', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    app.register(async (child) => {
      child.addHook('onReady', async function () {
        seen.push(this === child);
      });
    });
    await app.ready();
    expect(seen).toEqual([true]);
  });

  for (const [style, hook] of [
    ['given to done', (done: Done) => done(new Error('not ready'))],
    [
      'thrown',
      () => {
        throw new Error('not ready');
      },
    ],
    ['rejected', async () => Promise.reject(new Error('not ready'))],
  ] as const) {
    test(`an error ${style} fails the boot, and later hooks do not run`, async () => {
      const app = ambit();
      let runs = 0;
      app.addHook('onReady', hook as never);
      app.addHook('onReady', async () => {
        runs++;
      });
      await expect(app.ready()).rejects.toThrow('not ready');
      expect(runs).toBe(0);
    });
  }

  test('an error reaches listen and inject as well', async () => {
    const app = ambit();
    app.addHook('onReady', async () => Promise.reject(new Error('not ready')));
    await expect(app.inject('/')).rejects.toThrow('not ready');
    await expect(app.listen({ port: 0 })).rejects.toThrow('not ready');
  });

  test('each has pluginTimeout for itself, and may still change its context, however long all take', async () => {
    const app = ambit({ pluginTimeout: 400 });
    const decorated: string[] = [];
    for (const name of ['first', 'second', 'third'])
      app.addHook('onReady', async function () {
        await new Promise((resolve) => setTimeout(resolve, 150));
        this.decorate(name, true);
        decorated.push(name);
      });
    await app.ready();
    expect(decorated).toEqual(['first', 'second', 'third']);
  });

  test('one that never ends fails the boot after pluginTimeout, and is named', async () => {
    const app = ambit({ pluginTimeout: 20 });
    app.addHook('onReady', function waitsForEver(_done) {});
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_HOOK_TIMEOUT',
      message: expect.stringContaining('waitsForEver'),
    });
  });
});

describe('onListen', () => {
  test('runs when the server listens, the root first, then down the tree', async () => {
    const app = ambit();
    const ran: string[] = [];
    const last = new Promise<void>((resolve) => {
      app.register(async (child) => {
        child.addHook('onListen', async () => {
          ran.push(`child, ${app.addresses().length > 0}`);
          resolve();
        });
      });
    });
    app.addHook('onListen', (done) => {
      ran.push('root');
      done();
    });
    await serve(app);
    await last;
    expect(ran).toEqual(['root', 'child, true']);
  });

  test('does not run for inject and ready', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onListen', async () => {
      runs++;
    });
    app.get('/', () => 'done');
    await app.ready();
    await app.inject('/');
    expect(runs).toBe(0);
  });

  test('one that fails is logged; the others run, and the server serves', async () => {
    const lines = new LogLines();
    const app = ambit({ logger: { stream: lines } });
    app.get('/', () => 'served');
    app.addHook('onListen', async () => Promise.reject(new Error('in the hook')));
    const second = new Promise<void>((resolve) => {
      app.addHook('onListen', async () => resolve());
    });
    const origin = await serve(app);
    await second;
    expect(await (await fetch(origin)).text()).toBe('served');
    expect(lines.lines.some(({ err }) => err?.message === 'in the hook')).toBe(true);
  });
});

describe('preClose and onClose', () => {
  test('preClose runs while the server still listens, onClose when it does not', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('onClose', async (context) => {
      ran.push(`onClose of ${context.pluginName}, listening: ${app.server.listening}`);
    });
    app.addHook('preClose', async () => {
      ran.push(`preClose, listening: ${app.server.listening}`);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    await app.close();
    expect(ran).toEqual(['preClose, listening: true', 'onClose of ambit, listening: false']);
  });

  test('onClose hooks run last in, first out: descendants before their ancestors', async () => {
    const app = ambit();
    const ran: string[] = [];
    const note = (text: string) => async () => {
      ran.push(text);
    };
    app.addHook('onClose', note('root, first'));
    app.addHook('onClose', note('root, second'));
    app.register(async (child) => {
      child.addHook('onClose', note('child'));
      child.register(async (grandchild) => {
        grandchild.addHook('onClose', note('grandchild'));
      });
    });
    await app.ready();
    await app.close();
    expect(ran).toEqual(['grandchild', 'child', 'root, second', 'root, first']);
  });

  test('onClose receives the context that added it, as an argument and as this', async () => {
    const app = ambit();
    const seen: boolean[] = [];
    app.register(async (child) => {
      child.addHook('onClose', async function (context) {
        seen.push(this === child, context === child);
      });
    });
    await app.ready();
    await app.close();
    expect(seen).toEqual([true, true]);
  });

  test('onClose in callback style is waited for', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('onClose', (_context, done) => {
      setImmediate(() => {
        ran.push('hook');
        done();
      });
    });
    await app.ready();
    await app.close();
    ran.push('closed');
    expect(ran).toEqual(['hook', 'closed']);
  });

  test('each runs once, however often close is called', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('preClose', async () => {
      ran.push('preClose');
    });
    app.addHook('onClose', async () => {
      ran.push('onClose');
    });
    await app.ready();
    await Promise.all([app.close(), app.close()]);
    await app.close();
    expect(ran).toEqual(['preClose', 'onClose']);
  });

  test('close before ready boots nothing more than it must, and runs onClose', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onClose', async () => {
      runs++;
    });
    await app.close();
    expect(runs).toBe(1);
  });

  for (const [style, hook] of [
    ['given to done', (_context: Context, done: Done) => done(new Error('cannot close'))],
    ['rejected', async () => Promise.reject(new Error('cannot close'))],
    [
      'thrown',
      () => {
        throw new Error('cannot close');
      },
    ],
  ] as const) {
    test(`an onClose error ${style} rejects close; the other hooks run all the same`, async () => {
      const app = ambit();
      let runs = 0;
      app.addHook('onClose', async () => {
        runs++;
      });
      app.addHook('onClose', hook as never);
      await app.ready();
      await expect(app.close()).rejects.toThrow('cannot close');
      expect(runs).toBe(1);
    });
  }

  test('a preClose error is logged, the server closes, and close rejects with it', async () => {
    const lines = new LogLines();
    const app = ambit({ logger: { stream: lines } });
    app.addHook('preClose', async () => Promise.reject(new Error('in the hook')));
    await app.listen({ port: 0, host: '127.0.0.1' });
    await expect(app.close()).rejects.toThrow('in the hook');
    expect(app.server.listening).toBe(false);
    expect(lines.lines.some(({ err }) => err?.message === 'in the hook')).toBe(true);
  });

  test('a preClose hook that never ends does not hold up close for ever', async () => {
    const app = ambit({ pluginTimeout: 20 });
    app.addHook('preClose', (_done) => {});
    await app.listen({ port: 0, host: '127.0.0.1' });
    await expect(app.close()).rejects.toMatchObject({ code: 'FST_ERR_HOOK_TIMEOUT' });
    expect(app.server.listening).toBe(false);
  });

  test('a disposable resource is disposed of', async () => {
    const app = ambit();
    const disposed: string[] = [];
    app.addHook('onClose', { [Symbol.asyncDispose]: async () => void disposed.push('async') } as never);
    app.addHook('onClose', { [Symbol.dispose]: () => void disposed.push('sync') } as never);
    await app.ready();
    await app.close();
    expect(disposed.sort()).toEqual(['async', 'sync']);
  });

  test('a resource that cannot be disposed of is refused', () => {
    const app = ambit();
    expect(() => app.addHook('onClose', {} as never)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_HANDLER' }),
    );
  });
});
