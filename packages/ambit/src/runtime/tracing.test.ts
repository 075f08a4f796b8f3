/** The events that applications publish on the diagnostics channels `ambit.request` and `ambit.request.step`. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type AmbitOptions, ambit, type Context, type RequestTrace, type StepRunner } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeStorage } from '../../test/support/async-storage.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';
import { Traces } from '../../test/support/traces.ts';
import { allTransports, readUntil, textOf, transports } from '../../test/support/transports.ts';

forbidProcessFaults();

const json = { 'content-type': 'application/json' };

/** Calls a function with each request as it starts. */
function onStart(call: (trace: RequestTrace) => void): void {
  const requests = tracingChannel<unknown, RequestTrace>('ambit.request');
  requests.start.subscribe(call as never);
  onTestFinished(() => void requests.start.unsubscribe(call as never));
}

describe.each(flavors)('on %s', (_flavor, make) => {
  describe.each(transports)('over $name', ({ options, ask }) => {
    const create = (more: AmbitOptions = {}): Context => make({ ...options, ...more });

    test('a request is published with each of its steps, one after the other', async () => {
      const app = create();
      app.addHook('onRequest', async () => {});
      app.addHook('preHandler', (_request, _reply, done) => done());
      app.addHook('onSend', async (_request, _reply, payload) => payload as never);
      app.post('/notes/:id', { schema: { body: { type: 'object' } } }, () => ({ ok: true }));
      const traces = new Traces();
      const answer = await ask(app, { method: 'POST', path: '/notes/7?a=1', headers: json, body: '{}' });
      expect(await textOf(answer)).toBe('{"ok":true}');
      await traces.over();
      const [trace] = traces.requests;
      expect(trace).toMatchObject({ route: '/notes/:id', state: 'complete', error: undefined });
      expect(trace!.request.url).toBe('/notes/7?a=1');
      expect(trace!.reply.statusCode).toBe(200);
      expect(trace!.reply.elapsedTime).toBeGreaterThan(0);
      expect(trace!.header('content-type')).toBe('application/json');
      const steps = ['onRequest', 'readBody', 'validate', 'preHandler', 'handler', 'serialize', 'onSend'];
      expect(traces.events.filter((event) => event !== 'end')).toEqual([
        'start',
        ...[...steps, 'write'].flatMap((name) => [`step ${name}`, `over ${name}`]),
        'asyncStart',
        'asyncEnd',
      ]);
      expect(traces.events.filter((event) => event === 'end')).toHaveLength(1);
      expect(traces.steps.every((step) => step.trace === trace)).toBe(true);
    });

    test('an error is published, and the response to it is complete', async () => {
      const app = create();
      app.get('/', async () => {
        throw new Error('it broke');
      });
      const traces = new Traces();
      expect((await ask(app)).status).toBe(500);
      await traces.over();
      expect(traces.errors.map(String)).toEqual(['Error: it broke']);
      expect(traces.requests[0]).toMatchObject({ state: 'complete', route: '/' });
      expect(traces.stepNames).toContain('errorHandler');
    });

    test('a request without a route has none', async () => {
      const traces = new Traces();
      expect((await ask(create(), { path: '/nowhere' })).status).toBe(404);
      await traces.over();
      expect(traces.requests[0]).toMatchObject({ route: undefined, state: 'complete' });
    });

    test('a URL that cannot be decoded is published with its error', async () => {
      const app = create();
      app.get('/:id', () => 'x');
      const traces = new Traces();
      expect((await ask(app, { path: '/%zz' })).status).toBe(400);
      await traces.over();
      expect(traces.requests[0]).toMatchObject({ route: undefined, state: 'complete' });
      expect(traces.errors).toMatchObject([{ statusCode: 400 }]);
    });

    test('the response of a client that left is incomplete', async () => {
      const app = create();
      const leaving = new AbortController();
      app.get('/', () => {
        leaving.abort();
        return new Promise(() => {});
      });
      const traces = new Traces();
      ask(app, { signal: leaving.signal }).catch(() => {});
      await traces.over();
      expect(traces.requests[0]).toMatchObject({ state: 'incomplete', isHeadWritten: false });
      expect(traces.events.filter((event) => event === 'asyncEnd')).toHaveLength(1);
    });

    test('a stream that fails after its first bytes is published with its error', async () => {
      const app = create();
      let fail: () => void;
      app.get('/', () => {
        const stream = new Readable({ read() {} });
        stream.push('first');
        fail = () => void stream.destroy(new Error('the source broke'));
        return stream;
      });
      const traces = new Traces();
      const answer = await ask(app);
      answer.content.on('error', () => {});
      await readUntil(answer, 'first');
      fail!();
      await traces.over();
      expect(traces.errors.map(String)).toEqual(['Error: the source broke']);
      expect(traces.requests[0]).toMatchObject({ state: 'incomplete', isHeadWritten: true });
    });

    test('a request that is refused while the application closes is published', async () => {
      const app = create();
      const traces = new Traces();
      let release: () => void;
      app.get('/', () => 'open');
      app.addHook('preClose', () => new Promise<void>((resolve) => (release = resolve)));
      await app.ready();
      const closing = app.close();
      const response = await app.inject('/');
      expect(response.statusCode).toBe(503);
      await traces.over();
      expect(traces.requests[0]).toMatchObject({ route: '/', state: 'complete' });
      release!();
      await closing;
    });

    const places: string[] = ['onRequest', 'readBody', 'preHandler', 'handler', 'onSend', 'onResponse'];

    test('steps run inside the runner of a subscriber, also after the body has arrived', async () => {
      const app = create();
      const storage = makeStorage<string>();
      const seen: (string | undefined)[] = [];
      const note = async (): Promise<void> => void seen.push(storage.getStore());
      onStart((trace) => trace.runStepsIn((_step, run) => storage.run(trace.route!, run)));
      const over = new Promise<void>((resolve) => {
        app.addHook('onResponse', async () => {
          await note();
          resolve();
        });
      });
      app.addHook('onRequest', note);
      app.addHook('preHandler', note);
      app.addHook('onSend', note);
      app.addContentTypeParser('text/x', { parseAs: 'string' }, async (_request: unknown, body: unknown) => {
        await note();
        return body;
      });
      app.post('/in', async () => {
        await note();
        return 'ok';
      });
      const body = Readable.from([Buffer.from('some'), Buffer.from('body')]);
      await textOf(
        await ask(app, { method: 'POST', path: '/in', headers: { 'content-type': 'text/x' }, body }),
      );
      await over;
      expect(seen).toEqual(places.map(() => '/in'));
    });
  });

  test('a store that is bound to the channel of steps is visible in hooks and handlers', async () => {
    const app = make();
    const storage = makeStorage<string>();
    const { start } = tracingChannel<unknown, { step: { name: string } }>('ambit.request.step');
    start.bindStore(
      storage as never,
      (message) => (message as { step: { name: string } }).step.name as never,
    );
    onTestFinished(() => void start.unbindStore(storage as never));
    const seen: (string | undefined)[] = [];
    app.addHook('preHandler', async () => void seen.push(storage.getStore()));
    app.get('/', () => {
      seen.push(storage.getStore());
      return 'ok';
    });
    expect((await app.inject('/')).body).toBe('ok');
    expect(seen).toEqual(['preHandler', 'handler']);
  });

  test('the runners of two subscribers are nested, the first one outermost', async () => {
    const app = make();
    const calls: string[] = [];
    const runnerOf =
      (name: string): StepRunner =>
      (step, run) => {
        calls.push(`${name} ${step.name}`);
        run();
        calls.push(`/${name} ${step.name}`);
      };
    onStart((trace) => {
      trace.runStepsIn(runnerOf('a'));
      trace.runStepsIn(runnerOf('b'));
    });
    app.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.end('raw');
    });
    expect((await app.inject('/')).body).toBe('raw');
    expect(calls).toEqual(['a handler', 'b handler', '/b handler', '/a handler']);
  });

  const badRunners: Record<string, StepRunner> = {
    'throws before it runs the step': () => {
      throw new Error('broken tool');
    },
    'throws after it has run the step': (_step, run) => {
      run();
      throw new Error('broken tool');
    },
    'does not run the step': () => {},
    'runs the step twice': (_step, run) => {
      run();
      run();
    },
  };

  test.each(Object.entries(badRunners))('a runner that %s changes nothing', async (_name, runner) => {
    const app = make();
    onStart((trace) => {
      trace.runStepsIn(runner);
      trace.runStepsIn(runner);
    });
    let runs = 0;
    app.addHook('preHandler', async () => {});
    app.get('/', () => {
      runs++;
      return 'ok';
    });
    app.get('/fails', () => {
      throw Object.assign(new Error('own'), { statusCode: 418 });
    });
    expect((await app.inject('/')).body).toBe('ok');
    expect(runs).toBe(1);
    expect((await app.inject('/fails')).statusCode).toBe(418);
  });

  test('each error is published once, and also an error that an error handler throws', async () => {
    const app = make();
    app.setErrorHandler((error) => {
      throw new Error('from the handler', { cause: error });
    });
    app.get('/', () => {
      throw new Error('first');
    });
    const traces = new Traces();
    await app.inject('/');
    expect(traces.errors.map(String)).toEqual(['Error: first', 'Error: from the handler']);
  });

  test('callNotFound continues with the steps of the not-found handler', async () => {
    const app = make();
    app.setNotFoundHandler({ preHandler: async () => {} }, (_request, reply) => reply.code(404).send('none'));
    app.get('/', (_request, reply) => {
      reply.callNotFound();
    });
    const traces = new Traces();
    expect((await app.inject('/')).body).toBe('none');
    expect(traces.stepNames).toEqual(['handler', 'preHandler', 'handler', 'write']);
    expect(traces.requests).toMatchObject([{ route: '/', state: 'complete' }]);
  });

  test('an application that has booted publishes from the first subscriber to the last', async () => {
    const app = make();
    app.get('/', () => 'ok');
    await app.inject('/');
    const traces = new Traces();
    await app.inject('/');
    traces.stop();
    await app.inject('/');
    expect(traces.requests).toHaveLength(1);
    expect(channel('tracing:ambit.request:start').hasSubscribers).toBe(false);
  });

  test('a schema that a handler has compiled is cached when requests are traced, too', async () => {
    const app = make();
    const schema = { type: 'string' };
    app.get('/compile', (request) => {
      request.compileValidationSchema(schema);
      return 'compiled';
    });
    app.get('/', (request) => {
      const known = request.getValidationFunction(schema) !== undefined;
      request.compileValidationSchema(schema);
      return { known };
    });
    expect((await app.inject('/')).json()).toEqual({ known: false });
    new Traces();
    expect((await app.inject('/')).json()).toEqual({ known: true });
  });
});

test.each([
  [{}, '1.1'],
  [{ engine: 'node' }, '1.1'],
  [{ http2: true }, '2.0'],
  [{}, undefined],
] as const)('the version of HTTP is told where the wire has one (%o: %s)', async (options, version) => {
  const { ask } = allTransports.find(
    ({ name, options: own }) =>
      name !== 'inject' && (version === undefined) === (name === 'fetch') && isDeepStrictEqual(own, options),
  )!;
  const traces = new Traces();
  await ask(ambit(options));
  await traces.over();
  expect(traces.requests[0]!.httpVersion).toBe(version);
});

test('probes are not published, as they are not logged', async () => {
  const app = ambit({ health: true });
  const traces = new Traces();
  expect((await app.inject('/livez')).statusCode).toBe(200);
  expect(traces.events).toEqual([]);
});

test('a connection stays with the HTTP engine while requests are traced', async () => {
  const app = ambit();
  // Each socket that node's server serves has node's parser.
  app.get('/', ({ socket }) => ({ isNodes: (socket as { parser?: unknown }).parser != null }));
  const traces = new Traces();
  expect(await (await fetch(await serve(app))).json()).toEqual({ isNodes: false });
  await traces.over();
  expect(traces.requests[0]!.httpVersion).toBe('1.1');
});
