/** `request.signal` and `request.remainingMs`, on every transport and both flavors: when the signal aborts, why, and when it does not. */
import { once } from 'node:events';
import type { AmbitOptions, Context, Request } from 'ambit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, open, request as requestText } from '../../test/support/raw-client.ts';
import { limitConnection, serve, servePort } from '../../test/support/serve.ts';
import { type RequestSpec, textOf, transports } from '../../test/support/transports.ts';

forbidProcessFaults();

const never = (): Promise<never> => new Promise(() => {});
const gone = { name: 'AbortError', code: 'AMBIT_ERR_CLIENT_GONE', statusCode: 499 };
const post: RequestSpec = { method: 'POST', body: 'body', headers: { 'content-type': 'text/plain' } };

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });
}

/** The first request that reaches the handler, which then waits. */
function waitingRequest(app: Context): Promise<Request> {
  return new Promise((resolve) => {
    app.all('/', (request) => {
      resolve(request);
      return never();
    });
  });
}

const cases = flavors.flatMap(([flavor, make]) =>
  transports.map((transport) => ({ flavor, make, ...transport })),
);

describe.each(cases)('of $flavor over $name', ({ make: makeApp, options: wire, ask }) => {
  const make = (options: AmbitOptions = {}): Context => makeApp({ ...wire, ...options });

  for (const [what, question] of [
    ['a GET', {}],
    ['a POST whose body was read', post],
  ] as const) {
    test(`the signal of ${what} aborts when the client leaves, with an error that has a code`, async () => {
      const app = make();
      const arrived = waitingRequest(app);
      const client = new AbortController();
      ask(app, { ...question, signal: client.signal }).catch(() => {});
      const { signal } = await arrived;
      const reason = aborted(signal);
      expect(signal.aborted).toBe(false);
      client.abort();
      expect(await reason).toMatchObject(gone);
    });
  }

  test('the signal aborts when the client leaves in the middle of the response', async () => {
    const app = make();
    const reason = new Promise((resolve) => {
      app.get('/', ({ signal }, reply) => {
        aborted(signal).then(resolve);
        return reply.send(
          new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('begun')) }),
        );
      });
    });
    const client = new AbortController();
    const { content } = await ask(app, { signal: client.signal });
    content.on('error', () => {});
    await once(content, 'readable');
    client.abort();
    content.destroy();
    expect(await reason).toMatchObject(gone);
  });

  test('the signal aborts with the error of the time limit', async () => {
    const app = make();
    const reason = new Promise((resolve) => {
      app.get('/', { handlerTimeout: 20 }, ({ signal }) => {
        aborted(signal).then(resolve);
        return never();
      });
    });
    const answer = await ask(app);
    expect([answer.status, JSON.parse(await textOf(answer)).code]).toEqual([503, 'FST_ERR_HANDLER_TIMEOUT']);
    expect(await reason).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 });
  });

  test('the signal that is first read after the time limit has aborted already', async () => {
    const app = make();
    const seen = new Promise((resolve) => {
      app.get('/', { handlerTimeout: 20, onError: async ({ signal }) => resolve(signal.reason) }, never);
    });
    await textOf(await ask(app));
    expect(await seen).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' });
  });

  test('the signal that an onRequestAbort hook reads first has aborted already', async () => {
    const app = make();
    const seen = new Promise((resolve) => {
      app.addHook('onRequestAbort', async ({ signal }) => resolve(signal.reason));
    });
    const arrived = waitingRequest(app);
    const client = new AbortController();
    ask(app, { signal: client.signal }).catch(() => {});
    await arrived;
    client.abort();
    expect(await seen).toMatchObject(gone);
  });

  for (const [what, question] of [
    ['a GET', {}],
    ['a POST', post],
  ] as const) {
    test(`the signal of ${what} does not abort after the response, whenever it is read`, async () => {
      const app = make();
      const signals: AbortSignal[] = [];
      const responded = new Promise<void>((resolve) => {
        app.addHook('onResponse', async ({ signal }) => {
          signals.push(signal);
          resolve();
        });
      });
      let request: Request | undefined;
      app.all('/early', async (each) => {
        signals.push(each.signal);
        return 'answered';
      });
      app.all('/late', async (each) => {
        request = each;
        return 'answered';
      });
      expect(await textOf(await ask(app, { ...question, path: '/early' }))).toBe('answered');
      expect(await textOf(await ask(app, { ...question, path: '/late' }))).toBe('answered');
      await responded;
      await app.close();
      signals.push(request!.signal);
      expect(signals.map((signal) => signal.aborted)).toEqual(signals.map(() => false));
    });
  }

  test('a handler that rejects with the reason of the signal fails nothing else', async () => {
    const app = make();
    const failed = new Promise((resolve) => {
      app.addHook('onError', async (_request, _reply, error) => resolve(error));
    });
    const arrived = new Promise<void>((resolve) => {
      app.get('/', async ({ signal }) => {
        resolve();
        throw await aborted(signal);
      });
    });
    const client = new AbortController();
    ask(app, { signal: client.signal }).catch(() => {});
    await arrived;
    client.abort();
    expect(await failed).toMatchObject(gone);
  });

  test('remainingMs counts down to 0 with the time limit, and is Infinity without one', async () => {
    const app = make();
    const read: number[] = [];
    const onError = async (request: Request): Promise<void> => void read.push(request.remainingMs);
    app.get('/limited', { handlerTimeout: 100, onError }, (request) => {
      read.push(request.remainingMs);
      return never();
    });
    app.get('/unlimited', (request) => String(request.remainingMs));
    expect(await textOf(await ask(app, { path: '/unlimited' }))).toBe('Infinity');
    await textOf(await ask(app, { path: '/limited' }));
    const [first, last] = read as [number, number];
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(100);
    expect(last).toBeLessThan(first);
  });
});

for (const [flavor, make] of flavors) {
  for (const options of [{}, { engine: 'node' as const }]) {
    const where = `${flavor}, ${options.engine ?? 'our'} engine`;

    test(`the signal that is first read after the client has left has aborted already (${where})`, async () => {
      const app = make(options);
      const seen = new Promise((resolve) => {
        app.get('/', async (request, reply) => {
          await once(request.socket, 'close');
          resolve(request.signal.reason);
          return reply.hijack();
        });
      });
      const { socket } = await open(await servePort(app));
      socket.end(requestText('GET', '/'));
      socket.destroySoon();
      expect(await seen).toMatchObject(gone);
    });

    test(`a time limit is passed on: the request that the handler sends aborts with its own (${where})`, async () => {
      const behind = make(options);
      const arrived = waitingRequest(behind);
      const origin = await serve(behind);
      const app = make(options);
      const failed = new Promise((resolve) => {
        app.get('/', { handlerTimeout: 60_000 }, ({ signal, remainingMs }) => {
          const sent = fetch(origin, { signal, headers: { 'x-timeout-ms': String(remainingMs) } });
          sent.catch(resolve);
          return sent;
        });
      });
      const port = await servePort(app);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const answer = converse(port, lastRequest('GET', '/'));
      const request = await arrived;
      expect(Number(request.headers['x-timeout-ms'])).toBeLessThanOrEqual(60_000);
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      expect(await aborted(request.signal)).toMatchObject(gone);
      expect(await failed).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' });
      expect(await answer).toMatch(/^HTTP\/1.1 503 /);
    });

    test(`the signal aborts when connectionTimeout ends the connection (${where})`, async () => {
      const app = make({ ...options, connectionTimeout: 60_000 });
      const arrived = waitingRequest(app);
      const expire = limitConnection(app);
      const { socket } = await open(await servePort(app));
      socket.write(requestText('GET', '/'));
      const { signal } = await arrived;
      expire();
      expect(await aborted(signal)).toMatchObject(gone);
    });

    test(`no AbortController is created for a request whose signal is not read (${where})`, async () => {
      const { AbortController: Original } = globalThis;
      onTestFinished(() => {
        globalThis.AbortController = Original;
      });
      const app = make({ ...options, handlerTimeout: 60_000 });
      app.addHook('onRequestAbort', async () => {});
      app.get('/unread', () => 'answered');
      app.get('/read', (request) => ({ isAborted: request.signal.aborted }));
      const port = await servePort(app);
      let madeCount = 0;
      globalThis.AbortController = class extends Original {
        constructor() {
          super();
          madeCount++;
        }
      };
      await converse(port, lastRequest('GET', '/unread'));
      expect(madeCount).toBe(0);
      await converse(port, lastRequest('GET', '/read'));
      expect(madeCount).toBe(1);
    });
  }
}
