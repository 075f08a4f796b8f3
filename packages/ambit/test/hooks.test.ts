/** The hooks of a request: their order, styles, `this`, encapsulation, and how they end a request. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Readable, Transform } from 'node:stream';
import {
  ambit,
  type BodyStream,
  type Context,
  type Done,
  type PayloadDone,
  type Reply,
  type Request,
  type RequestHookName,
  type RouteDetails,
} from 'ambit';
import { describe, expect, test } from 'vitest';
import { forbidProcessFaults } from './support/process-faults.ts';
import { open, request as requestText } from './support/raw-client.ts';
import { serve, servePort } from './support/serve.ts';

forbidProcessFaults();

/** The order of a request's life, with the handler in its place. */
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

// Hooks of different phases differ in their parameters only: what these make fits each of them.
type AnyHook = (this: Context, ...args: unknown[]) => unknown;

/** Two (request, reply) or three (request, reply, payload) parameters before `done`. */
function callbackHook(name: RequestHookName, run: (context: Context) => void): AnyHook {
  const two = function (this: Context, _request: unknown, _reply: unknown, done: Done) {
    run(this);
    done();
  };
  const three = function (this: Context, _request: unknown, _reply: unknown, _payload: unknown, done: Done) {
    run(this);
    done();
  };
  const takesPayload = ['preParsing', 'preSerialization', 'onSend', 'onError'].includes(name);
  return (takesPayload ? three : two) as AnyHook;
}

function promiseHook(_name: RequestHookName, run: (context: Context) => void): AnyHook {
  return async function (this: Context) {
    await nextTurn();
    run(this);
  };
}

const styles = { callback: callbackHook, promise: promiseHook };

function addHook(context: Context, name: RequestHookName, hook: AnyHook): void {
  context.addHook(name, hook as never);
}

async function postJson(app: Context, url = '/'): Promise<{ statusCode: number; body: string }> {
  const response = await app.inject({ method: 'POST', url, payload: { name: 'ada' } });
  // onResponse hooks of promise style end after the response.
  await nextTurn();
  await nextTurn();
  return response;
}

const styleNames = ['callback', 'promise'] as const;

describe('order', () => {
  for (const style of styleNames) {
    test(`the hooks of a request run in the order of its life (${style} style)`, async () => {
      const app = ambit();
      const ran: string[] = [];
      for (const name of regularHooks) addHook(app, name, styles[style](name, () => ran.push(name)));
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
      app.register(async (child) => {
        for (const name of regularHooks) addHook(child, name, hookOf(name, `child ${name}`));
        const own = Object.fromEntries(regularHooks.map((name) => [name, hookOf(name, `route ${name}`)]));
        child.post('/', own as RouteDetails, () => ({}));
      });
      for (const name of regularHooks) {
        addHook(app, name, hookOf(name, `first ${name}`));
        addHook(app, name, hookOf(name, `second ${name}`));
      }
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

  test('hooks of both styles follow one another', async () => {
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

  test('ten thousand synchronous hooks need no deeper stack than one', async () => {
    const app = ambit();
    let runs = 0;
    const hooks = Array.from({ length: 10_000 }, () => (_request: Request, _reply: Reply, done: Done) => {
      runs++;
      done();
    });
    app.get('/', { onRequest: hooks, preHandler: hooks }, () => 'done');
    expect((await app.inject('/')).body).toBe('done');
    expect(runs).toBe(20_000);
  });

  test('a hook added after a route applies to it all the same', async () => {
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
      app.register(async (sibling) => {
        addHook(sibling, name, callbackHook(name, () => ran.push('sibling')));
        sibling.post('/sibling', () => ({}));
      });
      app.register(async (context) => {
        addHook(context, name, callbackHook(name, () => ran.push('own')));
        context.post('/', () => ({}));
        context.register(async (child) => {
          addHook(child, name, callbackHook(name, () => ran.push('child')));
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
      addHook(app, name, callbackHook(name, (context) => seen.push(context)));
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
  /** Adds the hook, and another of its phase after it; tells what ran besides. */
  async function replyIn(phase: (typeof phases)[number], hook: AnyHook): Promise<{ body: string; ran: string[] }> {
    const app = ambit();
    const ran: string[] = [];
    addHook(app, phase, hook);
    for (const name of phases.slice(phases.indexOf(phase))) {
      addHook(app, name, callbackHook(name, () => ran.push(name)));
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
      addHook(app, name, callbackHook(name, () => ran.push(name)));
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
      ['done called twice', (...args: unknown[]) => {
        (args[position] as Done)();
        (args[position] as Done)();
      }],
      ['done called again in a later turn', (...args: unknown[]) => {
        (args[position] as Done)();
        setImmediate(args[position] as Done);
      }],
      ['done called late, twice', (...args: unknown[]) => {
        setImmediate(args[position] as Done);
        setImmediate(args[position] as Done);
      }],
      ['an error after done', (...args: unknown[]) => {
        (args[position] as Done)();
        (args[position] as Done)(new Error('too late'));
      }],
      ['an exception after done', (...args: unknown[]) => {
        (args[position] as Done)();
        throw new Error('too late');
      }],
      ['done and a promise', (...args: unknown[]) => {
        (args[position] as Done)();
        return Promise.resolve();
      }],
      ['done and a promise that rejects', (...args: unknown[]) => {
        (args[position] as Done)();
        return Promise.reject(new Error('too late'));
      }],
    ] as const) {
      test(`${what} in ${phase} runs what follows once`, async () => {
        const app = ambit();
        const ran: string[] = [];
        addHook(app, phase, hook as AnyHook);
        addHook(app, phase, callbackHook(phase, () => ran.push('next hook')));
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

  test('an error given to done twice in onSend is answered once', async () => {
    const app = ambit();
    let runs = 0;
    app.get('/', {
      onSend: (_request: Request, _reply: Reply, _payload: unknown, done: PayloadDone) => {
        if (++runs > 1) done();
        else {
          done(new Error('first'));
          done(new Error('second'));
        }
      },
    }, () => 'handled');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ message: 'first' });
  });
});

describe('preParsing', () => {
  const upperCased = (payload: BodyStream): BodyStream =>
    payload.pipe(
      new Transform({
        transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()),
      }),
    );

  for (const [style, hook] of [
    ['callback', (_request: Request, _reply: Reply, payload: BodyStream, done: PayloadDone<BodyStream>) =>
      done(null, upperCased(payload))],
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

  test('hands each hook the stream of the one before', async () => {
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

  test('a stream that fails answers with the status of its error', async () => {
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
    app.addHook('preSerialization', async (_request, _reply, payload) => ({ ...(payload as object), page: 1 }));
    app.get('/', () => [1, 2]);
    expect((await app.inject('/')).json()).toEqual({ data: [1, 2], page: 1 });
  });

  test('leaves the value when it gives none', async () => {
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

  test('may put a stream in the place of text', async () => {
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
  test('runs when the response is out, with its status', async () => {
    const app = ambit();
    const seen = new Promise((resolve) => {
      app.addHook('onResponse', async (request, reply) => {
        resolve({ url: request.url, status: reply.statusCode, sent: reply.sent, isTimed: reply.elapsedTime > 0 });
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

  test('cannot answer again', async () => {
    const app = ambit();
    app.addHook('onResponse', (_request, reply, done) => {
      reply.send('again');
      done();
    });
    app.get('/', () => 'once');
    expect((await app.inject('/')).body).toBe('once');
  });
});

describe('onError', () => {
  function failing(): Context {
    const app = ambit();
    app.get('/', () => {
      throw Object.assign(new Error('it broke'), { statusCode: 418 });
    });
    return app;
  }

  for (const style of styleNames) {
    test(`runs before the error handler (${style} style)`, async () => {
      const app = failing();
      const ran: string[] = [];
      addHook(app, 'onError', styles[style]('onError', () => ran.push('hook')));
      app.setErrorHandler((_error, _request, reply) => {
        ran.push('handler');
        reply.send('handled');
      });
      expect((await app.inject('/')).body).toBe('handled');
      expect(ran).toEqual(['hook', 'handler']);
    });
  }

  test('sees the error, hook after hook', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    app.addHook('onError', (_request, _reply, error, done) => {
      seen.push(error.statusCode);
      done();
    });
    await app.inject('/');
    expect(seen).toEqual(['it broke', 418]);
  });

  test('what it returns takes the place of nothing', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', (async () => new Error('another')) as never);
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    expect((await app.inject('/')).json()).toMatchObject({ message: 'it broke' });
    expect(seen).toEqual(['it broke']);
  });

  for (const [style, hook] of [
    ['callback', (_request: Request, reply: Reply, _error: Error, done: () => void) => {
      reply.send('from the hook');
      done();
    }],
    ['promise', async (_request: Request, reply: Reply) => {
      reply.send('from the hook');
    }],
  ] as const) {
    test(`cannot reply (${style} style): the error is answered`, async () => {
      const app = failing();
      app.addHook('onError', hook as never);
      const response = await app.inject('/');
      expect(response.statusCode).toBe(418);
      expect(response.json()).toMatchObject({ message: 'it broke' });
    });
  }

  test('send inside it throws an error of the catalogue', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', async (_request, reply) => {
      try {
        reply.send('from the hook');
      } catch (error) {
        seen.push((error as { code: string }).code);
      }
    });
    await app.inject('/');
    expect(seen).toEqual(['FST_ERR_SEND_INSIDE_ONERR']);
  });

  test('one that fails changes nothing', async () => {
    const app = failing();
    app.addHook('onError', async () => {
      throw new Error('in the hook');
    });
    expect((await app.inject('/')).json()).toMatchObject({ message: 'it broke' });
  });

  test('runs once, however many error handlers pass the error on', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onError', async () => {
      runs++;
    });
    app.setErrorHandler((error) => {
      throw error;
    });
    app.register(async (child) => {
      child.setErrorHandler((error) => {
        throw error;
      });
      child.get('/', () => {
        throw new Error('it broke');
      });
    });
    expect((await app.inject('/')).statusCode).toBe(500);
    expect(runs).toBe(1);
  });

  test('runs for an error that is sent, and for one that fails validation', async () => {
    const app = ambit();
    const seen: string[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    app.get('/sent', (_request, reply) => reply.send(new Error('sent')));
    const params = { type: 'object', properties: { id: { type: 'integer' } } };
    app.get('/valid/:id', { schema: { params } }, () => 'valid');
    await app.inject('/sent');
    await app.inject('/valid/x');
    expect(seen).toEqual(['sent', 'params/id should be integer']);
  });

  test('does not run without an error, for a 404, or for an error of a sibling', async () => {
    const app = ambit();
    let runs = 0;
    app.register(async (child) => {
      child.addHook('onError', async () => {
        runs++;
      });
      child.get('/fine', () => 'fine');
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    await app.inject('/fine');
    await app.inject('/nowhere');
    await app.inject('/broken');
    expect(runs).toBe(0);
  });

  test('this is the context of the route', async () => {
    const app = ambit();
    let self: Context | undefined;
    let child: Context | undefined;
    app.addHook('onError', async function () {
      self = this;
    });
    app.register(async (context) => {
      child = context;
      context.get('/', () => {
        throw new Error('it broke');
      });
    });
    await app.inject('/');
    expect(self === child).toBe(true);
  });
});

describe('onTimeout', () => {
  for (const style of styleNames) {
    test(`runs when the socket times out before the reply (${style} style)`, async () => {
      const app = ambit({ connectionTimeout: 50 });
      let self: Context | undefined;
      const ran = new Promise<void>((resolve) => {
        addHook(app, 'onTimeout', styles[style]('onTimeout', (context) => {
          self = context;
          resolve();
        }));
      });
      app.get('/', () => new Promise(() => {}));
      const origin = await serve(app);
      await expect(fetch(origin)).rejects.toThrow();
      await ran;
      expect(self === app).toBe(true);
    });
  }

  test('runs for the request that waits, not for those answered on the same connection before', async () => {
    const app = ambit({ connectionTimeout: 50 });
    const seen: string[] = [];
    app.addHook('onTimeout', async (request) => {
      seen.push(request.url);
    });
    app.get('/quick', () => 'quick');
    app.get('/slow', () => new Promise(() => {}));
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(requestText('GET', '/quick'));
    await until('quick');
    socket.write(requestText('GET', '/slow'));
    await ended;
    expect(seen).toEqual(['/slow']);
  });
});

describe('onRequestAbort', () => {
  for (const style of styleNames) {
    test(`runs when the client leaves before the reply (${style} style)`, async () => {
      const app = ambit();
      const run = (name: RequestHookName, note: () => void): AnyHook =>
        style === 'promise'
          ? promiseHook(name, note)
          : (((_request: unknown, done: Done) => {
              note();
              done();
            }) as AnyHook);
      const arrived = Promise.withResolvers ? undefined : undefined;
      expect(arrived).toBeUndefined();
      const order: string[] = [];
      const aborted = new Promise<void>((resolve) => {
        addHook(app, 'onRequestAbort', run('onRequestAbort', () => order.push('first')));
        addHook(app, 'onRequestAbort', run('onRequestAbort', () => {
          order.push('second');
          resolve();
        }));
      });
      let arrive = (): void => {};
      const hasArrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      app.get('/', () => {
        arrive();
        return new Promise(() => {});
      });
      const { socket } = await open(await servePort(app));
      socket.write(requestText('GET', '/'));
      await hasArrived;
      socket.destroy();
      await aborted;
      expect(order).toEqual(['first', 'second']);
    });
  }
});
