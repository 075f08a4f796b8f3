/** What watchers get to know about requests, and about what serializing changes, over real sockets. */
import {
  type Context,
  listRoutes,
  listSteps,
  type RunningStep,
  type SerializationChange,
  watchRequests,
  watchSerialization,
} from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../../test/support/flavors.ts';
import { serve } from '../../../test/support/serve.ts';

interface Seen {
  readonly steps: RunningStep[];
  /** Resolves when the response of the first request has ended. */
  readonly ended: Promise<void>;
}

function watch(app: Context): Seen {
  const steps: RunningStep[] = [];
  const ended = new Promise<void>((resolve) => {
    watchRequests(app, { onStep: (_request, step) => void steps.push(step), onEnd: () => resolve() });
  });
  return { steps, ended };
}

const describeSteps = (steps: readonly { path: string; index: number; name: string }[]) =>
  steps.map(({ path, index, name }) => `${path} ${index} ${name}`);

describe.each(flavors)('on %s', (_flavor, make) => {
  describe.each([undefined, 'node'] as const)('engine %s', (engine) => {
    const create = (): Context => make(engine === undefined ? {} : { engine });

    test('a request runs the steps that its route lists, in that order', async () => {
      const app = create();
      const { steps, ended } = watch(app);
      app.addHook('onRequest', async () => {});
      app.addHook('preHandler', (_request, _reply, done) => done());
      app.addHook('onSend', async (_request, _reply, payload) => payload as never);
      app.post('/', { schema: { body: { type: 'object' } } }, () => ({ ok: true }));
      const origin = await serve(app);
      const response = await fetch(origin, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect(await response.json()).toEqual({ ok: true });
      await ended;
      const planned = listSteps(listRoutes(app)[0]!);
      expect(describeSteps(steps)).toEqual(
        describeSteps(planned.filter(({ path }) => path === 'request' || path === 'reply')),
      );
      expect(steps.filter(({ name }) => name !== 'handler').map((step) => step.function)).toEqual(
        planned
          .filter(({ path, name }) => (path === 'request' || path === 'reply') && name !== 'handler')
          .map((step) => step.function),
      );
    });

    test('a request that fails goes on with the steps of failure', async () => {
      const app = create();
      const { steps, ended } = watch(app);
      app.get('/', () => Promise.reject(new Error('no')));
      expect((await fetch(await serve(app))).status).toBe(500);
      await ended;
      expect(describeSteps(steps)).toEqual([
        'request 0 handler',
        'failure 0 errorHandler',
        'failure 1 defaultErrorReply',
        'failure 2 write',
      ]);
    });

    test('a request without a route runs the steps of the not-found handler', async () => {
      const app = create();
      const { steps, ended } = watch(app);
      expect((await fetch(await serve(app))).status).toBe(404);
      await ended;
      expect(describeSteps(steps)[0]).toMatch(/^request 0 /);
    });

    test('a client that leaves is reported, and no end', async () => {
      const app = create();
      const reported: string[] = [];
      const aborted = new Promise<void>((resolve) => {
        watchRequests(app, {
          onStep: () => {},
          onEnd: () => void reported.push('end'),
          onAbort: () => {
            reported.push('abort');
            resolve();
          },
        });
      });
      const leaving = new AbortController();
      app.get('/', () => {
        leaving.abort();
        return new Promise(() => {});
      });
      await expect(fetch(await serve(app), { signal: leaving.signal })).rejects.toThrow();
      await aborted;
      expect(reported).toEqual(['abort']);
    });

    test('a watcher that throws changes nothing', async () => {
      const app = create();
      const fail = (): never => {
        throw new Error('broken tool');
      };
      watchRequests(app, { onStep: fail, onEnd: fail });
      app.get('/', () => 'ok');
      expect(await (await fetch(await serve(app))).text()).toBe('ok');
    });
  });

  test('an injected request is watched as well, and observers run after its end', async () => {
    const app = make();
    const { steps } = watch(app);
    const responded = new Promise<void>((resolve) => {
      app.addHook('onResponse', async () => resolve());
    });
    app.get('/', () => 'ok');
    await app.inject('/');
    await responded;
    expect(describeSteps(steps).at(-1)).toBe('onResponse 0 onResponse');
  });

  test('changes by serialization are reported once, with their route', async () => {
    const app = make();
    const changes: SerializationChange[] = [];
    watchSerialization(app, (change) => void changes.push(change));
    const response = { 200: { type: 'object', properties: { id: { type: 'integer' } } } };
    app.get('/', { schema: { response } }, (() => ({ id: '7', secret: 1 })) as never);
    for (let i = 0; i < 2; i++) expect((await app.inject('/')).json()).toEqual({ id: 7 });
    expect(changes.map(({ method, url, status, kind, path }) => [method, url, status, kind, path])).toEqual([
      ['GET', '/', '200', 'coerced', '/id'],
      ['GET', '/', '200', 'dropped', '/secret'],
    ]);
  });

  test('it is too late to watch once the application is ready', async () => {
    const app = make();
    await app.ready();
    const code = 'FST_ERR_INSTANCE_ALREADY_LISTENING';
    expect(() => watchRequests(app, { onStep: () => {} })).toThrow(expect.objectContaining({ code }));
    expect(() => watchSerialization(app, () => {})).toThrow(expect.objectContaining({ code }));
  });
});
