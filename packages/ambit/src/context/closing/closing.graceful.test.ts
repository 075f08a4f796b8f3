/** `close({ graceMs, delayMs })` that is called more than once, or together with `close()`, and what it waits for. */
import type { AmbitOptions, Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { flavors } from '../../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../../test/support/process-faults.ts';
import { type Conversation, open, request, statuses } from '../../../test/support/raw-client.ts';
import { servePort } from '../../../test/support/serve.ts';
import { transports } from '../../../test/support/transports.ts';

forbidProcessFaults();

/** Long enough that it cannot pass during a test. */
const longMs = 2 ** 31 - 1;
const lanes: Record<string, AmbitOptions> = { 'the engine': {}, 'node:http': { engine: 'node' } };

afterEach(() => {
  vi.useRealTimers();
});

/** A route whose handler waits until it is released. */
function waitingRoute(app: Context, url = '/slow') {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    app.get(url, async () => {
      resolve();
      await released;
      return 'slow';
    });
  });
  return { arrived, release };
}

/** Timers wait for `advance` from now on. */
function holdTimers(): (ms: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return (ms) => vi.advanceTimersByTimeAsync(ms);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const cases = flavors.flatMap(([flavor, make]) =>
  Object.entries(lanes).map(([lane, options]) => ({
    name: `${flavor}, ${lane}`,
    make: (more: AmbitOptions = {}) => make({ ...options, ...more }),
  })),
);

describe.each(cases)('$name', ({ make }) => {
  /** A connection that has carried a request, and waits for the next one. */
  const keepIdle = async (app: Context): Promise<Conversation> => {
    app.get('/', () => 'served');
    const client = await open(await servePort(app));
    client.socket.write(request('GET', '/'));
    await client.until('served');
    return client;
  };

  test('from the call on, readiness is 503, and everything else is served', async () => {
    const app = make({ health: true });
    app.get('/', () => 'served');
    const { socket, until, ended } = await open(await servePort(app));
    const ask = async (url: string, part: string): Promise<void> => {
      socket.write(request('GET', url));
      await until(part);
    };
    await ask('/readyz', '"ready"');
    const closed = app.close({ delayMs: longMs, graceMs: longMs });
    await ask('/readyz', '"stopping"');
    await ask('/livez', '{"status":"ok"}');
    await ask('/', 'served');
    await app.close();
    expect(statuses(await ended)).toEqual([200, 503, 200, 200]);
    expect(await closed).toBe(0);
  });

  test('a second call does not make the delay longer, nor the time that idle connections get after it', async () => {
    const app = make();
    const { ended } = await keepIdle(app);
    const advance = holdTimers();
    const closed = app.close({ delayMs: 2_000, graceMs: 60_000 });
    app.close({ delayMs: 20_000, graceMs: 60_000 });
    await advance(2_001);
    await turn();
    // As long as the delay was. The idle connection then ends, and nothing else is waited for.
    await advance(2_001);
    vi.useRealTimers();
    await ended;
    expect(await closed).toBe(0);
  });

  test('a second call does not postpone the deadline', async () => {
    const app = make();
    const { arrived } = waitingRoute(app);
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    const advance = holdTimers();
    const closed = app.close({ graceMs: 2_000 });
    app.close({ graceMs: longMs });
    await advance(2_001);
    vi.useRealTimers();
    expect(await closed).toBe(1);
    await ended;
  });

  test('connections are kept until no new ones are accepted: clients would open others in their place', async () => {
    const app = make();
    const { arrived, release } = waitingRoute(app);
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    // In the turn after this one, the server still accepts connections.
    setImmediate(release);
    const closed = app.close({ graceMs: longMs });
    expect((await until('slow')).toLowerCase()).not.toContain('connection: close');
    while (app.server.listening) await turn();
    socket.write(request('GET', '/slow'));
    expect((await ended).toLowerCase()).toMatch(/200 ok.*200 ok\r\n.*connection: close\r\n.*slow$/s);
    expect(await closed).toBe(0);
  });

  test('an application that refuses requests already has no delay', async () => {
    const app = make();
    const { ended } = await keepIdle(app);
    app.close();
    expect(await app.close({ delayMs: longMs, graceMs: longMs })).toBe(0);
    await ended;
  });

  test('an application that refuses requests already continues to refuse them', async () => {
    const app = make();
    app.get('/', () => 'served');
    const { arrived, release } = waitingRoute(app);
    const refuses = new Promise<void>((resolve) => app.addHook('preClose', async () => resolve()));
    const port = await servePort(app);
    const [slow, late] = [await open(port), await open(port)];
    // A connection that carries a part of a request is left open.
    late.socket.write('GET / HTTP/1.1\r\n');
    slow.socket.write(request('GET', '/slow'));
    await arrived;
    app.close();
    await refuses;
    const closed = app.close({ graceMs: longMs });
    late.socket.write('Host: localhost\r\n\r\n');
    expect(statuses(await late.ended)).toEqual([503]);
    release();
    expect(statuses(await slow.ended)).toEqual([200]);
    expect(await closed).toBe(0);
  });
});

const wires = flavors.flatMap(([flavor, make]) =>
  transports.map((transport) => ({ flavor, make, ...transport })),
);

describe.each(wires)('$flavor over $name', ({ make, options, ask }) => {
  test('close waits for a request that runs', async () => {
    const app = make(options);
    const { arrived, release } = waitingRoute(app, '/');
    const answer = ask(app);
    await arrived;
    const order: string[] = [];
    const closed = app.close({ graceMs: longMs }).then(() => order.push('closed'));
    for (let i = 0; i < 50; i++) await turn();
    order.push('released');
    release();
    (await answer).content.resume();
    await closed;
    expect(order).toEqual(['released', 'closed']);
  });

  test('a request that has not ended at the deadline is cut off', async () => {
    const app = make(options);
    const { arrived } = waitingRoute(app, '/');
    ask(app).catch(() => {});
    await arrived;
    expect(await app.close({ graceMs: 20 })).toBe(1);
  });
});

test('closing adds one listener to the response of a request of inject, however often it looks at the request', async () => {
  for (const [, make] of flavors) {
    const app = make();
    let countListeners = (): number => 0;
    const { arrived, release } = waitingRoute(app);
    app.addHook('onRequest', async (_request, reply) => {
      countListeners = () => reply.raw.listenerCount('close');
    });
    const answer = app.inject('/slow');
    await arrived;
    const before = countListeners();
    const closings = Array.from({ length: 12 }, () => app.close({ graceMs: longMs }));
    await turn();
    expect(countListeners() - before).toBe(1);
    release();
    await answer;
    await Promise.all(closings);
  }
});

test('a call after the end sets no timer that keeps the process alive', async () => {
  const [, make] = flavors[0]!;
  const app = make();
  await app.close({ graceMs: longMs });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await app.close({ graceMs: 1_000, delayMs: 1_000 })).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
