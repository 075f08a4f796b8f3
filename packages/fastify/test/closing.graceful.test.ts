/** `close({ graceMs, delayMs })`: what is served until when, what is cut off, and who is told. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AmbitOptions, type Context, isStopping } from 'ambit';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LogLines } from '../../ambit/test/support/log-lines.ts';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { open, request, statuses } from '../../ambit/test/support/raw-client.ts';
import { serve, servePort } from '../../ambit/test/support/serve.ts';
import { transports } from '../../ambit/test/support/transports.ts';
import { flavors } from './support/flavors.ts';

forbidProcessFaults();

const lanes: Record<string, AmbitOptions> = { 'the engine': {}, 'node:http': { engine: 'node' } };
/** Long enough that it cannot pass during a test. */
const longMs = 2 ** 31 - 1;
const cutOffText = 'a request was cut off: it had not ended at the deadline of close';

/** Imported by a name that the compiler does not know: its types would add members to every context of these tests. */
const websocketName: string = '@fastify/websocket';
const { default: websocket } = await import(websocketName);
const event = { type: 'object', properties: { data: { type: 'integer' } } };

/** Resolves with the reason when the signal aborts. */
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

/** A route whose handler waits until it is released. */
function waitingRoute(app: Context, url = '/slow') {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<AbortSignal>((resolve) => {
    app.get(url, async ({ signal }) => {
      resolve(signal);
      await released;
      return 'slow';
    });
  });
  return { arrived, release };
}

/** Resolves when no connection is accepted any more. */
async function refused(port: number): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    const socket = connect(port, '127.0.0.1');
    isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function stoppedListening({ server }: Context): Promise<void> {
  while (server.listening) await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => {
  vi.useRealTimers();
});

const cases = flavors.flatMap(([flavor, make]) =>
  Object.entries(lanes).map(([lane, options]) => ({
    name: `${flavor}, ${lane}`,
    make: (more: AmbitOptions = {}) => make({ ...options, ...more }),
  })),
);

describe.each(cases)('$name', ({ make }) => {
  test('during the delay everything is served, also over new connections, and a shorter delay ends it', async () => {
    const app = make();
    app.get('/', () => ({ isStopping: isStopping(app) }));
    const port = await servePort(app);
    const kept = await open(port);
    kept.socket.write(request('GET', '/'));
    await kept.until('{"isStopping":false}');
    const closed = app.close({ delayMs: longMs, graceMs: longMs });
    kept.socket.write(request('GET', '/'));
    expect((await kept.until('{"isStopping":true}')).toLowerCase()).not.toContain('connection: close');
    const late = await open(port);
    late.socket.write(request('GET', '/'));
    expect(statuses(await late.until('{"isStopping":true}'))).toEqual([200]);
    const sooner = app.close({ delayMs: 0, graceMs: longMs });
    await stoppedListening(app);
    for (const { socket } of [kept, late]) socket.write(request('GET', '/'));
    for (const { ended } of [kept, late])
      expect((await ended).toLowerCase()).toMatch(
        /http\/1.1 200 ok\r\n[^{]*connection: close\r\n[^{]*\{[^{]*$/,
      );
    expect(await Promise.all([closed, sooner])).toEqual([0, 0]);
  });

  test('in the second half of the delay, connections that were kept end with their response, and new ones stay', async () => {
    const app = make();
    app.get('/', () => 'served');
    const port = await servePort(app);
    const kept = await open(port);
    kept.socket.write(request('GET', '/'));
    await kept.until('served');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const closed = app.close({ delayMs: 10_000, graceMs: 10_000 });
    await vi.advanceTimersByTimeAsync(5_001);
    const fresh = await open(port);
    fresh.socket.write(request('GET', '/'));
    expect((await fresh.until('served')).toLowerCase()).not.toContain('connection: close');
    kept.socket.write(request('GET', '/'));
    expect((await kept.ended).toLowerCase()).toMatch(/200 ok.*200 ok\r\n.*connection: close\r\n.*served$/s);
    await vi.advanceTimersByTimeAsync(5_001);
    await stoppedListening(app);
    fresh.socket.write(request('GET', '/'));
    expect((await fresh.ended).toLowerCase()).toMatch(/200 ok.*200 ok\r\n.*connection: close\r\n.*served$/s);
    vi.useRealTimers();
    expect(await closed).toBe(0);
  });

  test('after the delay, new connections are refused while a request still runs, and close waits for it', async () => {
    const app = make();
    const { arrived, release } = waitingRoute(app);
    const port = await servePort(app);
    const { socket, ended } = await open(port);
    socket.write(request('GET', '/slow'));
    const signal = await arrived;
    const closed = app.close({ graceMs: longMs });
    await refused(port);
    release();
    expect((await ended).toLowerCase()).toMatch(/200 ok\r\n.*connection: close\r\n.*slow$/s);
    expect(await closed).toBe(0);
    expect(signal.aborted).toBe(false);
    expect(app.addresses()).toEqual([]);
  });

  test('at the deadline, a request is cut off: its signal aborts, and the log names route, age and context', async () => {
    const logged = new LogLines();
    const app = make({ logger: { level: 'warn', stream: logged } });
    let seen: Promise<unknown> = Promise.resolve();
    const arrived = new Promise<void>((resolve) => {
      app.register(
        async function reports(child) {
          child.get('/:id', ({ signal }) => {
            seen = aborted(signal);
            resolve();
            return new Promise(() => {});
          });
        },
        { prefix: '/reports' },
      );
    });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/reports/1'));
    await arrived;
    expect(await app.close({ graceMs: 20 })).toBe(1);
    expect(await ended).toBe('');
    expect(await seen).toMatchObject({ code: 'AMBIT_ERR_CLOSED_AT_DEADLINE', name: 'AbortError' });
    expect(logged.find(cutOffText)).toMatchObject({
      level: 40,
      reqId: expect.any(String),
      route: 'GET /reports/:id',
      ageMs: expect.any(Number),
      context: expect.stringContaining('reports'),
    });
  });

  test('a handler that fails with the reason of its signal still replies, and counts as cut off', async () => {
    const app = make();
    const arrived = new Promise<void>((resolve) => {
      app.get('/', async ({ signal }) => {
        resolve();
        throw await aborted(signal);
      });
    });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await arrived;
    expect(await app.close({ graceMs: 0 })).toBe(1);
    expect(statuses(await ended)).toEqual([503]);
  });

  test('every request that is cut off is counted: with a missing body, with a streaming handler, and requests that wait behind it', async () => {
    const app = make();
    let missing = 3;
    const arrived = new Promise<void>((resolve) => {
      app.addHook('onRequest', async () => {
        missing--;
        if (missing === 0) resolve();
      });
    });
    app.post('/', () => 'never');
    app.get('/stream', () => new ReadableStream({ start: (sink) => sink.enqueue(Buffer.from('begun')) }));
    app.get('/', () => new Promise(() => {}));
    const port = await servePort(app);
    const clients = await Promise.all([open(port), open(port), open(port), open(port)]);
    clients[0]!.socket.write(
      `${request('POST', '/', 'Content-Length: 5', 'Content-Type: text/plain').trimEnd()}\r\n\r\nab`,
    );
    clients[1]!.socket.write(request('GET', '/stream'));
    clients[2]!.socket.write(request('GET', '/'));
    // Half a head is no request.
    clients[3]!.socket.write('GET / HT');
    await clients[1]!.until('begun');
    await arrived;
    expect(await app.close({ graceMs: 0 })).toBe(3);
    await Promise.all(clients.map(({ ended }) => ended));
  });

  test('a stream of items gets notice when the delay is over, and ends by itself', async () => {
    const app = make();
    let reason: unknown;
    app.get('/events', {
      schema: { response: { 200: { content: { 'text/event-stream': { itemSchema: event } } } } },
      handler: async function* ({ signal }: { signal: AbortSignal }) {
        yield { data: 1 };
        reason = await aborted(signal);
        yield { data: 2 };
      },
    } as never);
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/events'));
    await until('data: 1');
    expect(await app.close({ graceMs: longMs })).toBe(0);
    expect(await ended).toContain('data: 2');
    expect(reason).toMatchObject({ code: 'AMBIT_ERR_STREAM_CLOSING' });
  });

  test('a stream of items that goes on is cut off at the deadline', async () => {
    const app = make();
    app.get('/events', {
      stream: { closeMs: longMs },
      schema: { response: { 200: { content: { 'text/event-stream': { itemSchema: event } } } } },
      handler: async function* () {
        yield { data: 1 };
        await new Promise(() => {});
      },
    } as never);
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/events'));
    await until('data: 1');
    expect(await app.close({ graceMs: 20 })).toBe(1);
    await ended;
  });

  const withSockets = async (app: Context): Promise<WebSocket> => {
    app.register(websocket);
    app.register(async function sockets(child) {
      child.get(
        '/socket',
        { websocket: true } as never,
        ((socket: WebSocket) => {
          socket.on('message', (data) => socket.send(String(data)));
        }) as never,
      );
    });
    const client = new WebSocket(`ws://127.0.0.1:${await servePort(app)}/socket`);
    await once(client, 'open');
    client.send('hello');
    await once(client, 'message');
    return client;
  };

  test('WebSockets are closed with a close frame', async () => {
    const app = make();
    const client = await withSockets(app);
    const left = once(client, 'close');
    expect(await app.close({ graceMs: longMs })).toBe(0);
    const [code] = await left;
    expect(code).toBe(1005);
  });

  test('a WebSocket that its client does not end is cut off, and the log names it', async () => {
    const logged = new LogLines();
    const app = make({ logger: { level: 'warn', stream: logged } });
    const client = await withSockets(app);
    // It reads nothing any more, so it never answers the close frame.
    client.pause();
    onTestFinished(() => client.terminate());
    expect(await app.close({ graceMs: 50 })).toBe(1);
    expect(logged.find(cutOffText)).toMatchObject({
      route: 'GET /socket',
      context: expect.stringContaining('sockets'),
    });
  });

  test('a connection that was upgraded without a route is cut off and counted at the deadline', async () => {
    const logged = new LogLines();
    const app = make({ logger: { level: 'warn', stream: logged } });
    const upgraded = once(app.server, 'upgrade');
    app.server.on('upgrade', (_request, socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
    });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/', 'Connection: upgrade', 'Upgrade: echo'));
    await upgraded;
    expect(await app.close({ graceMs: 0 })).toBe(1);
    await ended;
    expect(logged.find('a connection was cut off: it had not ended at the deadline of close')).toMatchObject({
      ageMs: expect.any(Number),
    });
  });

  test('a deadline that a second call brings forward cuts off what runs', async () => {
    const app = make();
    const { arrived } = waitingRoute(app);
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    const closed = app.close({ delayMs: longMs });
    expect(await app.close({ graceMs: 0 })).toBe(1);
    expect(await closed).toBe(1);
    expect(await ended).toBe('');
  });

  test('a close without options that has begun gets a deadline by one with options', async () => {
    const app = make();
    const { arrived } = waitingRoute(app);
    const { socket } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    const closed = app.close();
    expect(await app.close({ graceMs: 0 })).toBe(1);
    await closed;
  });

  test('a close without options ends the delay of one with options', async () => {
    const app = make();
    await serve(app);
    const closed = app.close({ delayMs: longMs, graceMs: longMs });
    await app.close();
    expect(await closed).toBe(0);
  });

  test('onClose hooks run when everything is cut off', async () => {
    const app = make();
    const { arrived } = waitingRoute(app);
    const seen: unknown[] = [];
    app.addHook('onClose', async () => void seen.push(app.server.listening));
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    await app.close({ graceMs: 0 });
    await ended;
    expect(seen).toEqual([false]);
  });
});

const wires = flavors.flatMap(([flavor, make]) =>
  transports.map((transport) => ({ flavor, make, ...transport })),
);
describe.each(wires)('$flavor over $name', ({ make, options, ask }) => {
  test('the signal of a request aborts at the deadline of close, and not before', async () => {
    const app = make(options);
    const { arrived } = waitingRoute(app, '/');
    const answer = ask(app).then(
      () => 'answered',
      () => 'cut off',
    );
    const signal = await arrived;
    const reason = aborted(signal);
    const closed = app.close({ delayMs: longMs });
    expect(signal.aborted).toBe(false);
    app.close({ graceMs: 0 });
    expect(await reason).toMatchObject({ code: 'AMBIT_ERR_CLOSED_AT_DEADLINE', name: 'AbortError' });
    expect(await closed).toBe(1);
    void answer;
  });

  test('a request that ends before the deadline gets its response, and its signal does not abort', async () => {
    const app = make(options);
    const { arrived, release } = waitingRoute(app, '/');
    const answer = ask(app);
    const signal = await arrived;
    const closed = app.close({ graceMs: longMs });
    release();
    const { status, content } = await answer;
    content.resume();
    expect(status).toBe(200);
    expect(await closed).toBe(0);
    expect(signal.aborted).toBe(false);
  });
});

test.each(flavors)(
  '%s: an HTTP/2 session gets GOAWAY in the second half of the delay, and its requests are still served',
  async (_flavor, make) => {
    const app = make({ http2: true });
    const { arrived, release } = waitingRoute(app);
    const client = connectHttp2(await serve(app));
    await once(client, 'remoteSettings');
    const stream = client.request({ ':path': '/slow' });
    await arrived;
    const goaway = once(client, 'goaway');
    const closed = app.close({ delayMs: 2, graceMs: longMs });
    expect((await goaway)[0]).toBe(0);
    release();
    expect(await text(stream)).toBe('slow');
    expect(await closed).toBe(0);
  },
);
