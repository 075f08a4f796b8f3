/**
 * Faults at every step in which code of the application runs for a request, on every transport: the client gets one response, or its
 * connection ends; `onResponse` hooks run once for a response, and `onRequestAbort` hooks for one that was cut off; and no timer,
 * descriptor or listener stays behind.
 */
import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileSteps } from '../src/runtime/lifecycle.ts';
import {
  type EndHook,
  makeFaultyApp,
  pathOf,
  points,
  questionFor,
  type Served,
} from './support/faulty-app.ts';
import { flavors } from './support/flavors.ts';
import { faults, hook, stepPoints } from './support/injected-faults.ts';
import { expectNothingLeft } from './support/leftovers.ts';
import { forbidProcessFaults } from './support/process-faults.ts';
import { allTransports, type Transport, transportsFor } from './support/transports.ts';

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

test('each step of the lifecycle has its faults', () => {
  const app = Object.fromEntries(Object.keys(stepPoints).map((name) => [name, [{ name }]]));
  const steps = compileSteps(app as never, { readBody: true, validate: true, admit: true });
  const names = [...steps.request, ...steps.reply, ...steps.failure].map(({ name }) => name);
  expect(new Set([...names, 'onResponse'])).toEqual(new Set([...Object.keys(stepPoints), ...frameworkSteps]));
});

/** The status of a response that is complete, or how it ended. Waits until the application knows, too. */
async function outcomeOf(
  transport: Transport,
  { app, events }: Served,
  path: string,
): Promise<number | string> {
  const over = Promise.race([once(events, `onResponse ${path}`), once(events, `onRequestAbort ${path}`)]);
  const outcome = await askWhole(transport, app, path).catch(() => 'cut off');
  await over;
  return outcome;
}

async function askWhole(transport: Transport, app: Context, path: string): Promise<number> {
  const { status, content } = await transport.ask(app, questionFor(path));
  await text(content);
  return status;
}

/** Sends a request for each path, all at once. */
async function findOutcomes(
  lane: Transport,
  served: Served,
  cases: readonly (readonly [path: string, ...unknown[]])[],
): Promise<unknown[]> {
  const outcomes = await Promise.all(cases.map(([path]) => outcomeOf(lane, served, path)));
  return cases.map(([path], i) => [path, outcomes[i], endsOf(served, path)]);
}

const names = ['HTTP/1.1', "HTTP/1.1 on node's server", 'HTTP/2', 'inject', 'fetch'];
const lanes = allTransports.filter(({ name }) => names.includes(name));

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
      'notFoundHandler',
      'preSerialization',
      'errorHandler',
      // They also get the reply to the time limit, and do not settle then.
      'onSend',
      'onError',
    ].map((name) => [name, 503]),
  ),
  // The head has been sent.
  write: 'cut off',
  webStream: 'cut off',
  trailer: 'cut off',
};
/** A response of `fetch` has no trailers, so nobody waits for them. */
const ignored: Record<string, Record<string, number>> = { fetch: { trailer: 200 } };

/** The hook that runs for a whole response; those that run for one that is not sent as a whole: one, or both. */
const whole: readonly EndHook[] = ['onResponse'];
const one: readonly EndHook[] = ['onRequestAbort'];
const both: readonly EndHook[] = ['onRequestAbort', 'onResponse'];
/** When its source has failed. */
const afterCut: Record<string, readonly EndHook[]> = { 'HTTP/2': both };
/** When the client has left, or the time limit was over. */
const afterLeaving: Record<string, readonly EndHook[]> = { 'HTTP/2': both, inject: both };

describe.each(flavors)('%s', (flavor, make) => {
  describe.each(transportsFor(flavor, lanes).map((lane) => [lane.name, lane] as const))(
    'on %s',
    (_name, lane) => {
      for (const fault of ['throws', 'rejects', 'settles twice'] as const) {
        test(`code that ${fault} leaves one response, and its end is told once`, async () => {
          expectNothingLeft();
          const served = await makeFaultyApp(make, { ...lane.options, handlerTimeout: 60_000 });
          const cut = afterCut[lane.name] ?? one;
          const expected = Object.entries(points).map(
            ([name, { failed, rejected = failed, twice = 200 }]) => {
              const outcome = { throws: failed, rejects: rejected, 'settles twice': twice }[fault];
              return [pathOf(name, fault), outcome, outcome === 'cut off' ? cut : whole] as const;
            },
          );
          expect(await findOutcomes(lane, served, expected)).toEqual(expected);
        });
      }

      test('a client that leaves while code never settles is noticed once, and nothing is left', async () => {
        expectNothingLeft();
        const served = await makeFaultyApp(make, { ...lane.options, handlerTimeout: 60_000 });
        // What hangs after the response has been written does not keep the client.
        const hanging = Object.keys(points).filter(
          (name) => !['onResponse', 'serialize', ...Object.keys(ignored[lane.name] ?? {})].includes(name),
        );
        const paths = hanging.map((name) => pathOf(name, 'never settles'));
        const ends = afterLeaving[lane.name] ?? one;
        await Promise.all(paths.map((path) => leave(lane, served, path, ends)));
        expect(paths.map((path) => endsOf(served, path))).toEqual(paths.map(() => ends));
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
            events.emit('onRequestAbort /');
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
        const served = await makeFaultyApp(make, { ...lane.options, handlerTimeout: 100 });
        const cut = afterLeaving[lane.name] ?? one;
        const expected = Object.entries({ ...limited, ...ignored[lane.name] }).map(
          ([name, outcome]) =>
            [pathOf(name, 'never settles'), outcome, outcome === 'cut off' ? cut : whole] as const,
        );
        expect(await findOutcomes(lane, served, expected)).toEqual(expected);
      });
    },
  );
});

/** The hooks that have run at the end of a request, without their order. */
function endsOf({ ends }: Served, path: string): readonly EndHook[] {
  return (ends.get(path) ?? []).toSorted();
}

/** Sends a request, leaves when its fault is reached, and waits until the application has noticed. */
async function leave(
  transport: Transport,
  { app, events }: Pick<Served, 'app' | 'events'>,
  path: string,
  hooks: readonly EndHook[] = one,
): Promise<void> {
  const leaving = new AbortController();
  const reached = once(events, `reached ${path}`);
  const over = Promise.all(hooks.map((hook) => once(events, `${hook} ${path}`)));
  // It fails, or never settles, or the content of its response fails.
  transport.ask(app, { ...questionFor(path), signal: leaving.signal }).then(
    ({ content }) => content.on('error', () => {}),
    () => {},
  );
  await reached;
  leaving.abort();
  await over;
}
