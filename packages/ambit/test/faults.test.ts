/**
 * Faults at every step in which code of the application runs for a request, on every transport: the client gets one response, or its
 * connection ends; `onResponse` hooks run once for a response; and no timer, descriptor or listener stays behind.
 */
import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileSteps } from '../src/runtime/lifecycle.ts';
import { faces } from './support/faces.ts';
import { type Fault, faults, hook, otherPoints, type Point, stepPoints } from './support/injected-faults.ts';
import { expectNothingLeft } from './support/leftovers.ts';
import { forbidProcessFaults } from './support/process-faults.ts';
import { type Transport, transports } from './support/transports.ts';

forbidProcessFaults();

/** Steps in which no code of the application runs: they change what the framework itself holds. */
const frameworkSteps = [
  'admit',
  'pauseAdmission',
  'resumeAdmission',
  'endAdmission',
  'defaultErrorReply',
  'lastErrorReply',
];
const points: Record<string, Point> = { ...stepPoints, ...otherPoints };

test('each step of the lifecycle has its faults', () => {
  const steps = compileSteps({} as never, { readBody: true, validate: true, admit: true });
  const names = [...steps.request, ...steps.reply, ...steps.failure].map(({ name }) => name);
  expect(new Set([...names, 'onResponse'])).toEqual(new Set([...Object.keys(stepPoints), ...frameworkSteps]));
});

/** A case is the path of its route. */
const pathOf = (point: string, fault: Fault): string => `/${point}-${fault.replaceAll(' ', '-')}`;

interface Served {
  readonly app: Context;
  /** Emits the path of a request when its fault has been reached (`reached …`), and when it is over (`ended …`). */
  readonly events: EventEmitter;
  /** How often the hooks `onResponse` have run, by path. */
  readonly ended: Map<string, number>;
  /** The same for `onRequestAbort`. */
  readonly aborted: Map<string, number>;
}

async function makeApp(make: (options?: AmbitOptions) => Context, options: AmbitOptions): Promise<Served> {
  const events = new EventEmitter().setMaxListeners(0);
  const ended = new Map<string, number>();
  const aborted = new Map<string, number>();
  const app = make(options);
  onTestFinished(() => app.close());
  app.addContentTypeParser('text/fault', { parseAs: 'string' }, async (_request, body) => body);
  app.addHook('onResponse', (request, _reply, done) => {
    ended.set(request.url, (ended.get(request.url) ?? 0) + 1);
    events.emit(`ended ${request.url}`);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    aborted.set(request.url, (aborted.get(request.url) ?? 0) + 1);
    events.emit(`aborted ${request.url}`);
    done();
  });
  for (const [name, point] of Object.entries(points))
    for (const fault of faults) {
      const path = pathOf(name, fault);
      point.add(app, path, fault, () => events.emit(`reached ${path}`));
    }
  await app.ready();
  return { app, events, ended, aborted };
}

const question = (path: string) =>
  ({ method: 'POST', path, headers: { 'content-type': 'text/fault' }, body: 'body' }) as const;

/** The status of a response that is complete, or how it ended. */
async function outcomeOf(
  transport: Transport,
  { app, events }: Served,
  path: string,
): Promise<number | string> {
  const over = once(events, `ended ${path}`);
  const outcome = await askWhole(transport, app, path).catch(() => 'cut off');
  // Where the connection ends without a whole response, these hooks do not run on every transport.
  if (outcome !== 'cut off') await over;
  return outcome;
}

async function askWhole(transport: Transport, app: Context, path: string): Promise<number> {
  const { status, content } = await transport.ask(app, question(path));
  await text(content);
  return status;
}

const names = ['HTTP/1.1', "HTTP/1.1 on node's server", 'HTTP/2', 'inject', 'fetch'];
const lanes = transports.filter(({ name }) => names.includes(name));

/** What the client gets when code that never settles meets the time limit of the route. */
const limited: Record<string, number | string> = {
  ...Object.fromEntries(
    [
      'onRequest',
      'preParsing',
      'readBody',
      'streamParser',
      'replacedBody',
      'preValidation',
      'validate',
      'preHandler',
      'handler',
      'preSerialization',
    ].map((name) => [name, 503]),
  ),
  // The head has been sent.
  write: 'cut off',
  webStream: 'cut off',
  trailer: 'cut off',
};
/** A response of `fetch` has no trailers, so nobody waits for them. */
const ignored: Record<string, Record<string, number>> = { fetch: { trailer: 200 } };

describe.each(faces)('%s', (_face, make) => {
  describe.each(lanes.map((lane) => [lane.name, lane] as const))('on %s', (_name, lane) => {
    for (const fault of ['throws', 'rejects', 'settles twice'] as const) {
      test(`code that ${fault} leaves one response, and onResponse hooks run once`, async () => {
        expectNothingLeft();
        const served = await makeApp(make, lane.options);
        const outcomes: Record<string, unknown> = {};
        const expected: Record<string, unknown> = {};
        for (const [name, { failed, rejected = failed, twice = 200 }] of Object.entries(points)) {
          outcomes[name] = await outcomeOf(lane, served, pathOf(name, fault));
          expected[name] = { throws: failed, rejects: rejected, 'settles twice': twice }[fault];
        }
        expect(outcomes).toEqual(expected);
        expect(new Set(served.ended.values())).toEqual(new Set([1]));
      });
    }

    test('a client that leaves while code never settles is noticed once, and nothing is left', async () => {
      expectNothingLeft();
      const served = await makeApp(make, lane.options);
      // What hangs after the response has been written does not keep the client.
      const hanging = Object.keys(points).filter(
        (name) => !['onResponse', 'serialize', ...Object.keys(ignored[lane.name] ?? {})].includes(name),
      );
      for (const name of hanging) await leave(lane, served, pathOf(name, 'never settles'));
      expect([...served.aborted.values()]).toEqual(hanging.map(() => 1));
    });

    for (const fault of faults) {
      test(`an onRequestAbort hook that ${fault} runs once, and the server goes on`, async () => {
        expectNothingLeft();
        const events = new EventEmitter();
        let runs = 0;
        const app = make(lane.options);
        onTestFinished(() => app.close());
        const onRequestAbort = hook(2, fault, () => {
          runs++;
          events.emit('aborted /');
        });
        app.addContentTypeParser('text/fault', { parseAs: 'string' }, async () => {
          events.emit('reached /');
          return new Promise(() => {});
        });
        app.post('/', { onRequestAbort }, () => 'not reached');
        app.get('/', () => 'served');
        await leave(lane, { app, events }, '/');
        const { status, content } = await lane.ask(app);
        expect([status, await text(content), runs]).toEqual([200, 'served', 1]);
      });
    }

    test('a time limit ends code that never settles, and leaves nothing behind', async () => {
      expectNothingLeft();
      const served = await makeApp(make, { ...lane.options, handlerTimeout: 20 });
      const outcomes: Record<string, unknown> = {};
      for (const name of Object.keys(limited)) {
        const path = pathOf(name, 'never settles');
        outcomes[name] = await askWhole(lane, served.app, path).catch(() => 'cut off');
      }
      expect(outcomes).toEqual({ ...limited, ...ignored[lane.name] });
    });
  });
});

/** Sends a request, leaves when its fault is reached, and waits until the application has noticed. */
async function leave(
  transport: Transport,
  { app, events }: Pick<Served, 'app' | 'events'>,
  path: string,
): Promise<void> {
  const leaving = new AbortController();
  const [reached, over] = [once(events, `reached ${path}`), once(events, `aborted ${path}`)];
  // It fails, or never settles, or the content of its response fails.
  transport.ask(app, { ...question(path), signal: leaving.signal }).then(
    ({ content }) => content.on('error', () => {}),
    () => {},
  );
  await reached;
  leaving.abort();
  await over;
}
