// The methods of a reply with any arguments, called anywhere: there is one response, and the process continues.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AmbitOptions, ambit, type Context, type Reply } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { type AnyValue, anyValue } from '../../test/support/any-value.ts';
import { ask } from '../../test/support/ask.ts';
import { askHttp2 } from '../../test/support/ask-http2.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

type Use = (reply: Reply, value: never) => unknown;

/** Calls that may throw, as setters do. */
const setters: Record<string, Use> = {
  code: (reply, value) => reply.code(value),
  status: (reply, value) => reply.status(value),
  statusCode: (reply, value) => Reflect.set(reply, 'statusCode', value),
  header: (reply, value) => reply.header('x-a', value),
  'the name of header': (reply, value) => reply.header(value, 'a'),
  headers: (reply, value) => reply.headers(value),
  'headers with a value': (reply, value) => reply.headers({ 'x-a': value }),
  'headers with a type': (reply, value) => reply.headers({ 'content-type': value }),
  type: (reply, value) => reply.type(value),
  'set-cookie': (reply, value) => reply.header('set-cookie', value).header('set-cookie', value),
  // The framework would wait for a function that neither returns a promise nor calls `done`.
  trailer: (reply, value) => reply.trailer('x-t', typeof value === 'function' ? async () => 'a' : value),
  'the name of trailer': (reply, value) => reply.trailer(value, async () => 'a'),
  'the value of trailer': (reply, value) => reply.trailer('x-t', () => value ?? 'a'),
  'the promise of trailer': (reply, value) => reply.trailer('x-t', () => Promise.resolve(value)),
  'the done of trailer': (reply, value) =>
    reply.trailer('x-t', (_reply, _payload, done) => done(null, value)),
  'the error of trailer': (reply, value) =>
    reply.trailer('x-t', (_reply, _payload, done) => done(value ?? new Error(), 'a')),
  serializer: (reply, value) => reply.serializer(value),
  'the result of serializer': (reply, value) => reply.serializer(() => value),
  serialize: (reply, value) => reply.serialize(value),
  serializeInput: (reply, value) => reply.serializeInput(value, 200),
  'the schema of serializeInput': (reply, value) => reply.serializeInput({}, value),
  getHeader: (reply, value) => reply.getHeader(value),
  hasHeader: (reply, value) => reply.hasHeader(value),
  removeHeader: (reply, value) => reply.removeHeader(value),
  getDecorator: (reply, value) => reply.getDecorator(value),
  'raw.setHeader': (reply, value) => reply.raw.setHeader('x-raw', value),
  'a type of raw': (reply, value) => reply.raw.setHeader('content-type', value),
};

/** Calls that end the request, and never throw. */
const endings: Record<string, Use> = {
  send: (reply, value) => reply.send(value),
  redirect: (reply, value) => reply.redirect(value),
  'send twice': (reply, value) => reply.send(value).send(value),
  callNotFound: (reply) => reply.callNotFound(),
};

interface Call {
  readonly name: string;
  readonly use: Use;
  readonly value: AnyValue;
}

function call(uses: Record<string, Use>): fc.Arbitrary<Call> {
  return fc
    .record({ name: fc.constantFrom(...Object.keys(uses)), value: anyValue })
    .map(({ name, value }) => ({ name, value, use: uses[name]!, toString: () => `${name}(${value})` }));
}

const run = ({ use, value }: Call, reply: Reply): unknown => use(reply, value.make() as never);

/** The functions in which the calls are made. Errors that setters throw there are handled like other errors of these functions. */
const places: Record<string, (reply: Reply, sets: readonly Call[], end: Call) => unknown> = {
  'a handler': (reply, sets, end) => {
    for (const set of sets) run(set, reply);
    run(end, reply);
  },
  'an async handler': async (reply, sets, end) => {
    for (const set of sets) run(set, reply);
    await nextTurn();
    run(end, reply);
    return reply;
  },
  'a timer': (reply, sets, end) => {
    setTimeout(() => {
      if (sets.every((set) => isTaken(set, reply))) run(end, reply);
    }, 0);
  },
  'the return value': (reply, sets, { value }) => {
    for (const set of sets) run(set, reply);
    return value.make() ?? null;
  },
  'the resolved value': async (reply, sets, { value }) => {
    for (const set of sets) run(set, reply);
    return value.make();
  },
};

/** An error in a timer must be caught there. It is sent. */
function isTaken(set: Call, reply: Reply): boolean {
  try {
    run(set, reply);
    return true;
  } catch (error) {
    reply.send(error instanceof Error ? error : new Error('thrown'));
    return false;
  }
}

interface Scenario {
  readonly where: string;
  readonly sets: readonly Call[];
  readonly end: Call;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  where: fc.constantFrom(...Object.keys(places)),
  sets: fc.array(call(setters), { maxLength: 2 }),
  end: call(endings),
});

const throwing = (): never => {
  throw new Error('the log is broken');
};
const log: AmbitOptions['logger'] = { level: 'trace', stream: { write: () => {} } };
const brokenLog: AmbitOptions['logger'] = { ...log, serializers: { res: throwing, err: throwing } };

/** Applications, and functions that send requests to them. */
const applications: Record<
  string,
  { make: () => Context; ask: (url: string) => Promise<{ status: number }> }
> = {
  'ambit without a log': { make: () => ambit({ forceCloseConnections: true }), ask },
  'ambit with a log': { make: () => ambit({ logger: log, forceCloseConnections: true }), ask },
  'ambit with a log that throws': {
    make: () => ambit({ logger: brokenLog, forceCloseConnections: true }),
    ask,
  },
  'ambit over HTTP/2': { make: () => ambit({ http2: true, forceCloseConnections: true }), ask: askHttp2 },
  'the facade': { make: () => fastify({ forceCloseConnections: true }), ask },
};

function failing(): never {
  throw Object.assign(new Error('failed'), { statusCode: 418 });
}

const response = { '2xx': { type: 'object', properties: { a: { type: 'string' } } } };

/** Adds the routes, which run the current scenario. */
class ScenarioApp {
  scenario: Scenario | undefined;
  thrown: (() => unknown) | undefined;
  responses = 0;

  readonly #ask: (url: string) => Promise<{ status: number }>;

  constructor(app: Context, ask: (url: string) => Promise<{ status: number }>) {
    this.#ask = ask;
    app.addHook('onResponse', async () => {
      this.responses++;
    });
    const play = (reply: Reply): unknown => {
      const { where, sets, end } = this.scenario!;
      return places[where]!(reply, sets, end);
    };
    app.get('/', (_request, reply) => play(reply) as never);
    app.get('/schema', { schema: { response } }, (_request, reply) => play(reply) as never);
    app.get('/hook', { preHandler: (_request, reply, _done) => play(reply) as never }, () => 'passed');
    app.get('/errorHandler', { errorHandler: (_error, _request, reply) => play(reply) as never }, failing);
    const onError = (_request: unknown, reply: Reply, _error: Error, done: () => void): void => {
      play(reply);
      done();
    };
    app.get('/onError', { onError }, failing);
    app.get('/throws', () => {
      throw this.thrown!();
    });
    app.get('/rejects', () => Promise.reject(this.thrown!()));
    app.get('/onSend', { onSend: (_request, _reply, _payload, done) => done(null, this.thrown!()) }, () => ({
      a: 1,
    }));
    app.get(
      '/preSerialization',
      { preSerialization: (_request, _reply, _payload, done) => done(null, this.thrown!()) },
      () => ({ a: 1 }),
    );
  }

  /** There is one complete response with a status. A second one would have no connection. */
  async expectAnswer(url: string): Promise<number> {
    this.responses = 0;
    const { status } = await this.#ask(url);
    expect(status).toBeGreaterThanOrEqual(200);
    await nextTurn();
    expect(this.responses).toBe(1);
    return status;
  }
}

const runs = { numRuns: 250, timeout: 20_000 };
const urls = fc.constantFrom('/', '/schema', '/hook', '/errorHandler', '/onError');

for (const [name, { make, ask }] of Object.entries(applications)) {
  test(`any calls on a reply of ${name} leave one response`, async () => {
    const app = make();
    const scenarioApp = new ScenarioApp(app, ask);
    const origin = await serve(app);
    await fc.assert(
      fc.asyncProperty(urls, scenario, async (url, scene) => {
        // A hook does not reply by its result, and `onError` hooks return no promise here.
        const isHook = url === '/hook' || url === '/onError';
        fc.pre(!isHook || !scene.where.endsWith('value'));
        fc.pre(url !== '/onError' || scene.where !== 'an async handler');
        scenarioApp.scenario = scene;
        await scenarioApp.expectAnswer(origin + url);
      }),
      runs,
    );
  });

  test(`anything thrown on ${name} is answered as an error, once`, async () => {
    const app = make();
    const scenarioApp = new ScenarioApp(app, ask);
    const origin = await serve(app);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/throws', '/rejects'), anyValue, async (url, value) => {
        scenarioApp.thrown = value.make;
        expect(await scenarioApp.expectAnswer(origin + url)).toBeGreaterThanOrEqual(400);
      }),
      runs,
    );
  });

  test(`any payload with which a hook replaces another on ${name} leaves one response`, async () => {
    const app = make();
    const scenarioApp = new ScenarioApp(app, ask);
    const origin = await serve(app);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/onSend', '/preSerialization'), anyValue, async (url, value) => {
        scenarioApp.thrown = value.make;
        await scenarioApp.expectAnswer(origin + url);
      }),
      runs,
    );
  });
}
