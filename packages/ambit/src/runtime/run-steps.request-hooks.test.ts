/** The hooks of a request: their order, styles, `this`, encapsulation, and how they end a request. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ambit,
  type Context,
  type Done,
  listContexts,
  type PayloadDone,
  type Reply,
  type Request,
  type RequestHookName,
  type RouteDetails,
} from 'ambit';
import { describe, expect, test } from 'vitest';
import { type AnyHook, addHook, callbackHook, styleNames, styles } from '../../test/support/hook-styles.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

/** The order of the lifecycle, with the handler. */
const life = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'handler',
  'preSerialization',
  'onSend',
  'onResponse',
] as const;
const phases = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const;
const payloadPhases = ['preSerialization', 'onSend'] as const;
const regularHooks = [...phases, ...payloadPhases, 'onResponse'] as const;

async function postJson(app: Context, url = '/'): Promise<{ statusCode: number; body: string }> {
  const response = await app.inject({ method: 'POST', url, payload: { name: 'ada' } });
  // onResponse hooks in promise style end after the response, one per turn.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  return response;
}

/** Adds every regular hook. Returns the list to which each appends its name when it runs. */
function recordHooks(app: Context, style: (typeof styleNames)[number]): string[] {
  const ran: string[] = [];
  for (const name of regularHooks)
    addHook(
      app,
      name,
      styles[style](name, () => ran.push(name)),
    );
  return ran;
}

describe('order', () => {
  for (const style of styleNames) {
    test(`the hooks of a request run in the order of the lifecycle (${style} style)`, async () => {
      const app = ambit();
      const ran = recordHooks(app, style);
      app.post('/', () => {
        ran.push('handler');
        return { saved: true };
      });
      expect((await postJson(app)).body).toBe('{"saved":true}');
      expect(ran).toEqual(life);
    });

    test(`hooks run from the root inwards, then the route's own (${style} style)`, async () => {
      const app = ambit();
      const ran: string[] = [];
      const hookOf = (name: RequestHookName, where: string) => styles[style](name, () => ran.push(where));
      for (const name of regularHooks) {
        addHook(app, name, hookOf(name, `first ${name}`));
        addHook(app, name, hookOf(name, `second ${name}`));
      }
      app.register(async (child) => {
        const own = Object.fromEntries(regularHooks.map((name) => [name, hookOf(name, `route ${name}`)]));
        child.post('/', own as RouteDetails, () => ({}));
        for (const name of regularHooks) addHook(child, name, hookOf(name, `child ${name}`));
      });
      await postJson(app);
      expect(ran).toEqual(
        regularHooks.flatMap((name) => [`first ${name}`, `second ${name}`, `child ${name}`, `route ${name}`]),
      );
    });

    test(`a route takes an array of hooks, run in its order (${style} style)`, async () => {
      const app = ambit();
      const ran: string[] = [];
      const own = Object.fromEntries(
        regularHooks.map((name) => [
          name,
          ['first', 'second'].map((which) => styles[style](name, () => ran.push(`${which} ${name}`))),
        ]),
      );
      app.post('/', own as RouteDetails, () => ({}));
      await postJson(app);
      expect(ran).toEqual(regularHooks.flatMap((name) => [`first ${name}`, `second ${name}`]));
    });
  }

  test('hooks of both styles run one after the other', async () => {
    const app = ambit();
    const ran: number[] = [];
    app.addHook('onRequest', (_request, _reply, done) => {
      ran.push(1);
      setImmediate(done);
    });
    app.addHook('onRequest', async () => {
      ran.push(2);
    });
    app.addHook('onRequest', (_request, _reply, done) => {
      ran.push(3);
      done();
    });
    app.get('/', () => 'done');
    await app.inject('/');
    expect(ran).toEqual([1, 2, 3]);
  });

  test('thousands of synchronous hooks run in one request, without a deeper stack', async () => {
    const app = ambit();
    let runs = 0;
    const hooks = Array.from({ length: 5000 }, () => (_request: Request, _reply: Reply, done: Done) => {
      runs++;
      done();
    });
    app.get('/', { onRequest: hooks, preHandler: hooks, onResponse: hooks }, () => 'done');
    expect((await app.inject('/')).body).toBe('done');
    expect(runs).toBe(15_000);
  });

  test('a hook that the root adds after a plugin runs after those of the plugin', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.register(async (child) => {
      child.addHook('onRequest', async () => {
        ran.push('child');
      });
      child.get('/', () => 'done');
    });
    app.addHook('onRequest', async () => {
      ran.push('root');
    });
    await app.inject('/');
    expect(ran).toEqual(['child', 'root']);
  });

  test('a hook that is added after a route applies to it, too', async () => {
    const app = ambit();
    app.get('/', () => 'done');
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('x-hook', 'ran');
    });
    expect((await app.inject('/')).headers['x-hook']).toBe('ran');
  });
});

describe('encapsulation', () => {
  for (const name of regularHooks) {
    test(`${name} hooks of a sibling and of a child do not run`, async () => {
      const app = ambit();
      const ran: string[] = [];
      const note = (context: Context, whose: string): void =>
        addHook(
          context,
          name,
          callbackHook(name, () => ran.push(whose)),
        );
      app.register(async (sibling) => {
        note(sibling, 'sibling');
        sibling.post('/sibling', () => ({}));
      });
      app.register(async (context) => {
        note(context, 'own');
        context.post('/', () => ({}));
        context.register(async (child) => {
          note(child, 'child');
        });
      });
      await postJson(app);
      expect(ran).toEqual(['own']);
    });

    test(`${name} hooks of one route do not run for another`, async () => {
      const app = ambit();
      const ran: string[] = [];
      app.post('/', { [name]: callbackHook(name, () => ran.push('own')) } as RouteDetails, () => ({}));
      app.post('/other', { [name]: callbackHook(name, () => ran.push('other')) } as RouteDetails, () => ({}));
      await postJson(app);
      expect(ran).toEqual(['own']);
    });

    test(`this in ${name} hooks is the context of the route`, async () => {
      const app = ambit();
      const seen: Context[] = [];
      let child: Context | undefined;
      addHook(
        app,
        name,
        callbackHook(name, (context) => seen.push(context)),
      );
      app.register(async (context) => {
        child = context;
        const own = { [name]: callbackHook(name, (self) => seen.push(self)) };
        context.post('/', own as RouteDetails, () => ({}));
      });
      await postJson(app);
      expect(seen).toHaveLength(2);
      expect(seen.map((context) => context === child)).toEqual([true, true]);
    });
  }
});

describe('a hook that replied ends the chain', () => {
  /** Adds the hook, and another hook of its phase after it. Returns which other functions ran. */
  async function replyIn(
    phase: (typeof phases)[number],
    hook: AnyHook,
  ): Promise<{ body: string; ran: string[] }> {
    const app = ambit();
    const ran: string[] = [];
    addHook(app, phase, hook);
    for (const name of phases.slice(phases.indexOf(phase))) {
      addHook(
        app,
        name,
        callbackHook(name, () => ran.push(name)),
      );
    }
    app.post('/', () => {
      ran.push('handler');
      return 'handled';
    });
    const { body } = await postJson(app);
    return { body, ran };
  }

  for (const phase of phases) {
    const position = phase === 'preParsing' ? 3 : 2;

    test(`${phase}, in callback style without done`, async () => {
      const hook: AnyHook = (_request, reply) => {
        (reply as Reply).send('replied');
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in callback style with done after the reply`, async () => {
      const hook: AnyHook = (...args) => {
        (args[1] as Reply).send('replied');
        (args[position] as Done)();
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in callback style with an error after the reply`, async () => {
      const hook: AnyHook = (...args) => {
        (args[1] as Reply).send('replied');
        (args[position] as Done)(new Error('too late'));
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in callback style with a late reply`, async () => {
      const hook: AnyHook = (_request, reply) => {
        setImmediate(() => (reply as Reply).send('replied'));
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in promise style that returns the reply`, async () => {
      const hook: AnyHook = async (_request, reply) => (reply as Reply).send('replied');
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in promise style that returns nothing`, async () => {
      const hook: AnyHook = async (_request, reply) => {
        (reply as Reply).send('replied');
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, in promise style that rejects after the reply`, async () => {
      const hook: AnyHook = async (_request, reply) => {
        (reply as Reply).send('replied');
        throw new Error('too late');
      };
      expect(await replyIn(phase, hook)).toEqual({ body: 'replied', ran: [] });
    });

    test(`${phase}, by a redirect`, async () => {
      const hook: AnyHook = async (_request, reply) => (reply as Reply).redirect('/elsewhere');
      expect(await replyIn(phase, hook)).toEqual({ body: '', ran: [] });
    });
  }

  test('the reply of a hook passes preSerialization, onSend and onResponse hooks', async () => {
    const app = ambit();
    const ran: string[] = [];
    for (const name of [...payloadPhases, 'onResponse'] as const) {
      addHook(
        app,
        name,
        callbackHook(name, () => ran.push(name)),
      );
    }
    app.addHook('onRequest', async (_request, reply) => reply.send({ from: 'hook' }));
    app.post('/', () => 'handled');
    expect((await postJson(app)).body).toBe('{"from":"hook"}');
    expect(ran).toEqual(['preSerialization', 'onSend', 'onResponse']);
  });

  test('a hook that hijacks the reply ends the chain', async () => {
    const app = ambit();
    let isHandled = false;
    app.addHook('preHandler', async (_request, reply) => {
      reply.hijack();
      reply.raw.end('hijacked');
    });
    app.get('/', () => {
      isHandled = true;
      return 'handled';
    });
    expect((await app.inject('/')).body).toBe('hijacked');
    expect(isHandled).toBe(false);
  });
});

describe('a hook ends once', () => {
  for (const phase of phases) {
    const position = phase === 'preParsing' ? 3 : 2;

    for (const [what, hook] of [
      [
        'done called twice',
        (...args: unknown[]) => {
          (args[position] as Done)();
          (args[position] as Done)();
        },
      ],
      [
        'done called again in a later turn',
        (...args: unknown[]) => {
          (args[position] as Done)();
          setImmediate(args[position] as Done);
        },
      ],
      [
        'done called late, twice',
        (...args: unknown[]) => {
          setImmediate(args[position] as Done);
          setImmediate(args[position] as Done);
        },
      ],
      [
        'an error after done',
        (...args: unknown[]) => {
          (args[position] as Done)();
          (args[position] as Done)(new Error('too late'));
        },
      ],
      [
        'an exception after done',
        (...args: unknown[]) => {
          (args[position] as Done)();
          throw new Error('too late');
        },
      ],
      [
        'done and a promise',
        (...args: unknown[]) => {
          (args[position] as Done)();
          return Promise.resolve();
        },
      ],
      [
        'done and a promise that rejects',
        (...args: unknown[]) => {
          (args[position] as Done)();
          return Promise.reject(new Error('too late'));
        },
      ],
    ] as const) {
      test(`${what} in ${phase} runs the next steps once`, async () => {
        const app = ambit();
        const ran: string[] = [];
        addHook(app, phase, hook as AnyHook);
        addHook(
          app,
          phase,
          callbackHook(phase, () => ran.push('next hook')),
        );
        app.post('/', () => {
          ran.push('handler');
          return 'handled';
        });
        expect((await postJson(app)).body).toBe('handled');
        expect(ran).toEqual(['next hook', 'handler']);
      });
    }

    test(`the first error of ${phase} counts`, async () => {
      const app = ambit();
      let runs = 0;
      addHook(app, phase, ((...args: unknown[]) => {
        (args[position] as Done)(new Error('first'));
        (args[position] as Done)(new Error('second'));
        (args[position] as Done)();
      }) as AnyHook);
      app.setErrorHandler((error, _request, reply) => {
        runs++;
        reply.send(error.message);
      });
      app.post('/', () => 'handled');
      expect((await postJson(app)).body).toBe('first');
      expect(runs).toBe(1);
    });
  }

  test('an error that is passed to done twice in onSend is answered once', async () => {
    const app = ambit();
    let runs = 0;
    app.get(
      '/',
      {
        onSend: (_request: Request, _reply: Reply, _payload: unknown, done: PayloadDone) => {
          if (++runs > 1) done();
          else {
            done(new Error('first'));
            done(new Error('second'));
          }
        },
      },
      () => 'handled',
    );
    const response = await app.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ message: 'first' });
  });
});

describe('hooks on 404', () => {
  const notFoundLife = life.filter((name) => name !== 'handler');

  for (const style of styleNames) {
    test(`every hook of the root runs for a URL without a route (${style} style)`, async () => {
      const app = ambit();
      const ran = recordHooks(app, style);
      expect((await postJson(app, '/nowhere')).statusCode).toBe(404);
      expect(ran).toEqual(notFoundLife);
    });
  }

  test('hooks of a child without a handler of its own do not run', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.register(
      async (child) => {
        child.addHook('onRequest', async () => {
          ran.push('child');
        });
      },
      { prefix: '/v1' },
    );
    await app.inject('/v1/nowhere');
    expect(ran).toEqual([]);
  });

  test('a handler set in a child runs with the hooks of the child', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('onRequest', async () => {
      ran.push('root');
    });
    app.register(
      async (child) => {
        child.addHook('onRequest', async function () {
          ran.push(this === child ? 'child, bound to it' : 'child');
        });
        child.setNotFoundHandler((_request, reply) => reply.code(404).send('none'));
      },
      { prefix: '/v1' },
    );
    expect((await app.inject('/v1/nowhere')).body).toBe('none');
    expect(ran).toEqual(['root', 'child, bound to it']);
  });

  test('a not-found handler has preValidation and preHandler hooks of its own', async () => {
    const app = ambit();
    const ran: string[] = [];
    const note = (text: string) => async (request: Request) => {
      ran.push(`${text} ${request.is404}`);
    };
    app.addHook('preHandler', note('root preHandler'));
    app.setNotFoundHandler(
      {
        preValidation: note('own preValidation'),
        preHandler: [note('first preHandler'), note('second preHandler')],
      },
      (_request, reply) => reply.code(404).send('none'),
    );
    await app.inject('/nowhere');
    expect(ran).toEqual([
      'own preValidation true',
      'root preHandler true',
      'first preHandler true',
      'second preHandler true',
    ]);
  });

  test('callNotFound continues at preHandler: earlier hooks do not run again', async () => {
    const app = ambit();
    const ran: string[] = [];
    for (const name of regularHooks)
      addHook(
        app,
        name,
        callbackHook(name, () => ran.push(name)),
      );
    app.post('/', (_request, reply) => reply.callNotFound());
    expect((await postJson(app)).statusCode).toBe(404);
    expect(ran).toEqual([
      ...['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preHandler'],
      ...['preSerialization', 'onSend', 'onResponse'],
    ]);
  });

  test('a hook may reply instead of the not-found handler', async () => {
    const app = ambit();
    app.addHook('onRequest', async (request, reply) => {
      if (request.is404) reply.send('found by the hook');
    });
    const response = await app.inject('/nowhere');
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('found by the hook');
  });
});

describe('invalid hooks', () => {
  for (const [what, name, hook, code] of [
    ['a name that is no hook', 'onRequests', async () => {}, 'FST_ERR_HOOK_NOT_SUPPORTED'],
    ['a name that is no string', 1, async () => {}, 'FST_ERR_HOOK_INVALID_TYPE'],
    ['an object in the place of a function', 'onRequest', {}, 'FST_ERR_HOOK_INVALID_HANDLER'],
    ['nothing in the place of a function', 'onRequest', undefined, 'FST_ERR_HOOK_INVALID_HANDLER'],
    ['null in the place of a function', 'onClose', null, 'FST_ERR_HOOK_INVALID_HANDLER'],
    [
      'an async function with done',
      'onRequest',
      async (_request: unknown, _reply: unknown, _done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
    [
      'an async payload hook with done',
      'onSend',
      async (_request: unknown, _reply: unknown, _payload: unknown, _done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
    [
      'an async onReady with done',
      'onReady',
      async (_done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
    [
      'an async preClose with done',
      'preClose',
      async (_done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
    [
      'an async onClose with done',
      'onClose',
      async (_context: unknown, _done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
  ] as const) {
    test(`${what} is refused with ${code}`, () => {
      const app = ambit();
      expect(() => app.addHook(name as never, hook as never)).toThrow(expect.objectContaining({ code }));
    });
  }

  test('an async function with done is refused by the method onClose, too', () => {
    const app = ambit();
    expect(() => app.onClose(async (_context, _done) => {})).toThrow(
      expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_ASYNC_HANDLER' }),
    );
  });

  test('a hook of requests that an onReady hook adds is refused, and not listed', async () => {
    const app = ambit();
    app.addHook('onReady', async () => void app.addHook('onRequest', async () => {}));
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_ROOT_PLG_BOOTED' });
    expect(listContexts(app)[0]!.definitions.map(({ name }) => name)).toEqual(['onReady']);
  });

  for (const [what, hook, code] of [
    ['no function', 'text', 'FST_ERR_HOOK_INVALID_HANDLER'],
    ['an array with something else in it', [async () => {}, 'text'], 'FST_ERR_HOOK_INVALID_HANDLER'],
    [
      'an async function with done',
      async (_request: unknown, _reply: unknown, _done: unknown) => {},
      'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
    ],
  ] as const) {
    test(`a route hook that is ${what} is refused with ${code}`, () => {
      const app = ambit();
      const details = { onRequest: hook } as never;
      expect(() => app.get('/', details, () => 'done')).toThrow(expect.objectContaining({ code }));
    });
  }

  test('a hook added after boot is refused', async () => {
    const app = ambit();
    await app.ready();
    expect(() => app.addHook('onRequest', async () => {})).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
    );
  });
});
