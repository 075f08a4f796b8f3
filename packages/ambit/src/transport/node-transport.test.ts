/** The lifecycle of the server: closing while requests run, connections that stay open, servers of the application's factory. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hurry } from '../../test/support/hurry.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { portOf, serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

/** An application whose route `/slow` answers when `release` is called. */
function withSlowRoute(options?: AmbitOptions): {
  app: Context;
  arrived: Promise<void>;
  closing: Promise<void>;
  release: () => void;
} {
  const app = ambit(options);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve();
      await released;
      return 'slow';
    });
  });
  const closing = new Promise<void>((resolve) => {
    app.addHook('preClose', async () => resolve());
  });
  app.get('/', () => 'quick');
  return { app, arrived, closing, release };
}

describe('close', () => {
  test('waits for requests that run, and they are answered', async () => {
    const { app, arrived, closing, release } = withSlowRoute();
    const { socket, ended } = await open(await servePort(app));
    socket.write(lastRequest('GET', '/slow'));
    await arrived;
    let isClosed = false;
    const closed = app.close().then(() => {
      isClosed = true;
    });
    await closing;
    expect(isClosed).toBe(false);
    release();
    expect(await ended).toContain('slow');
    await closed;
    expect(isClosed).toBe(true);
  });

  test('ends a kept connection after the response to its last request', async () => {
    const { app, arrived, closing, release } = withSlowRoute();
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    const closed = app.close();
    await closing;
    release();
    expect(statuses(await ended)).toEqual([200]);
    await closed;
    expect(app.server.listening).toBe(false);
  });

  test('ends idle connections at once', async () => {
    const { app } = withSlowRoute();
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    await until('quick');
    await app.close();
    expect(statuses(await ended)).toEqual([200]);
  });

  test('ends connections that never sent a request', async () => {
    const { app } = withSlowRoute();
    const { ended } = await open(await servePort(app));
    hurry();
    await app.close();
    expect(await ended).toBe('');
  });

  /** What a connection receives that asks for `/slow`, and for `/` once the application is closing. */
  async function askWhileClosing(options?: AmbitOptions): Promise<string> {
    // A `request` listener shows when the request has arrived: node then serves the connection.
    const { app, arrived, closing, release } = withSlowRoute({ engine: 'node', ...options });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    const closed = app.close();
    await closing;
    // An idle connection would be ended, so the second request must arrive before the first is answered.
    const second = once(app.server, 'request');
    socket.write(request('GET', '/'));
    await second;
    release();
    const received = await ended;
    await closed;
    return received;
  }

  test('answers 503 to what still arrives on an open connection, and ends it', async () => {
    const received = await askWhileClosing();
    expect(statuses(received)).toEqual([200, 503]);
    const refusal = received.slice(received.indexOf('HTTP/1.1 503')).toLowerCase();
    expect(refusal).toContain('connection: close');
    expect(refusal).toContain(
      '{"error":"service unavailable","message":"service unavailable","statuscode":503}',
    );
  });

  test('with return503OnClosing false, answers what still arrives on an open connection', async () => {
    const received = await askWhileClosing({ return503OnClosing: false });
    expect(statuses(received)).toEqual([200, 200]);
    expect(received.slice(received.lastIndexOf('HTTP/1.1')).toLowerCase()).toContain('connection: close');
  });

  test('refuses new connections', async () => {
    const { app } = withSlowRoute();
    await serve(app);
    const port = portOf(app);
    await app.close();
    const refused = new Promise((resolve) => {
      connect(port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(await refused).toBe('ECONNREFUSED');
  });

  test('with forceCloseConnections true, cuts off requests that run', async () => {
    const { app, arrived } = withSlowRoute({ forceCloseConnections: true });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/slow'));
    await arrived;
    await app.close();
    expect(await ended).toBe('');
  });

  test('calls server.close as it finds it: plugins replace it', async () => {
    const { app } = withSlowRoute();
    let isCalled = false;
    await serve(app);
    const original = app.server.close.bind(app.server);
    app.server.close = (callback) => {
      isCalled = true;
      return original(callback);
    };
    await app.close();
    expect(isCalled).toBe(true);
  });

  test('in callback style', async () => {
    const app = ambit();
    await app.ready();
    const error = await new Promise((resolve) => {
      app.close(resolve);
    });
    expect(error).toBeUndefined();
  });

  test('in callback style, passes on the error of an onClose hook', async () => {
    const app = ambit();
    app.addHook('onClose', async () => Promise.reject(new Error('cannot close')));
    await app.ready();
    const error = await new Promise((resolve) => {
      app.close(resolve);
    });
    expect(error).toMatchObject({ message: 'cannot close' });
  });

  test('while the application boots, waits for the boot', async () => {
    const app = ambit();
    const ran: string[] = [];
    app.register(async (context) => {
      context.addHook('onClose', async () => {
        ran.push('closed');
      });
      await new Promise((resolve) => setImmediate(resolve));
      ran.push('loaded');
    });
    const booting = app.ready();
    await app.close();
    await booting;
    expect(ran).toEqual(['loaded', 'closed']);
  });

  test('may be called from a handler, which still answers', async () => {
    const app = ambit();
    let closed: Promise<void> | undefined;
    app.get('/', () => {
      closed = app.close();
      return 'last words';
    });
    const origin = await serve(app);
    expect(await (await fetch(origin)).text()).toBe('last words');
    await closed;
    expect(app.server.listening).toBe(false);
  });

  test('ends an inject that comes later with an error of the catalogue', async () => {
    const app = ambit();
    await app.ready();
    await app.close();
    await expect(app.inject('/')).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_CLOSE_SERVER' });
  });

  test('Symbol.asyncDispose closes', async () => {
    const app = ambit();
    await app.listen({ port: 0, host: '127.0.0.1' });
    await app[Symbol.asyncDispose]();
    expect(app.server.listening).toBe(false);
  });
});

describe('connections', () => {
  test('are kept: one carries many requests', async () => {
    const app = ambit();
    const sockets = new Set<unknown>();
    app.get('/', (request) => {
      sockets.add(request.socket);
      return 'done';
    });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/') + request('GET', '/') + lastRequest('GET', '/'));
    expect(statuses(await ended)).toEqual([200, 200, 200]);
    expect(sockets.size).toBe(1);
  });

  test('pipelined requests are answered in order, whichever handler ends first', async () => {
    const app = ambit();
    let finishFirst = (): void => {};
    app.get(
      '/first',
      () =>
        new Promise((resolve) => {
          finishFirst = () => resolve('first');
        }),
    );
    app.get('/second', () => {
      setImmediate(finishFirst);
      return 'second';
    });
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/first') + lastRequest('GET', '/second'));
    const received = await ended;
    expect(received.indexOf('first')).toBeLessThan(received.indexOf('second'));
    expect(statuses(received)).toEqual([200, 200]);
  });

  test('a request body that no handler reads does not spoil the next request', async () => {
    const app = ambit();
    app.get('/', () => 'done');
    const { socket, ended } = await open(await servePort(app));
    socket.write(`${request('GET', '/', 'Content-Length: 4')}body${lastRequest('GET', '/')}`);
    expect(statuses(await ended)).toEqual([200, 200]);
  });

  for (const [requests, answered] of [
    [2, [200, 200]],
    [3, [200, 200, 503]],
  ] as const) {
    test(`with maxRequestsPerSocket 2, ${requests} requests are answered ${answered}`, async () => {
      const app = ambit({ maxRequestsPerSocket: 2 });
      app.get('/', () => 'done');
      const { socket, ended } = await open(await servePort(app));
      socket.write(request('GET', '/').repeat(requests - 1) + lastRequest('GET', '/'));
      expect(statuses(await ended)).toEqual(answered);
    });
  }

  test('HTTP/1.0 without keep-alive is answered, and the connection ends', async () => {
    const app = ambit();
    app.get('/', () => 'done');
    const { socket, ended } = await open(await servePort(app));
    socket.write('GET / HTTP/1.0\r\n\r\n');
    const received = await ended;
    expect(received).toContain(' 200 OK');
    expect(received).toContain('done');
  });

  test('an idle connection ends after keepAliveTimeout', async () => {
    hurry(10);
    const app = ambit({ keepAliveTimeout: 20 });
    app.get('/', () => 'done');
    const { socket, ended } = await open(await servePort(app));
    socket.write(request('GET', '/'));
    expect(statuses(await ended)).toEqual([200]);
  });

  test('a silent connection ends after connectionTimeout', async () => {
    const app = ambit({ connectionTimeout: 20 });
    const { ended } = await open(await servePort(app));
    expect(await ended).toBe('');
  });

  test.each<[string, AmbitOptions]>([
    ['our engine', {}],
    ["node's server", { engine: 'node' }],
  ])(
    'a client that neither sends its body nor leaves after an early answer is disconnected (%s)',
    async (_server, options) => {
      const app = ambit({ bodyLimit: 8, ...options });
      app.post('/', () => 'never');
      const closed = new Promise((resolve) => {
        app.server.once('connection', (accepted) => accepted.once('close', resolve));
      });
      const socket = connect({ port: await servePort(app), host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      hurry();
      socket.write(`${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 100')}half`);
      let received = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        received += chunk;
      });
      await once(socket, 'end');
      expect(statuses(received)).toEqual([413]);
      await closed;
    },
  );

  test('the timeouts of the options reach the server', () => {
    const { server } = ambit({ keepAliveTimeout: 1, requestTimeout: 2, connectionTimeout: 3 });
    expect(server).toMatchObject({ keepAliveTimeout: 1, requestTimeout: 2, timeout: 3 });
  });

  test('the safe timeouts are the default', () => {
    const { server } = ambit();
    expect(server).toMatchObject({
      keepAliveTimeout: 72_000,
      requestTimeout: 300_000,
      headersTimeout: 60_000,
    });
  });
});

describe('serverFactory', () => {
  test('makes the server, from the handler and the options', async () => {
    const seen: unknown[] = [];
    const own: Server[] = [];
    const app = ambit({
      bodyLimit: 7,
      serverFactory: (handler, options) => {
        seen.push(options.bodyLimit);
        const server = createServer((request, response) => {
          response.setHeader('x-server', 'own');
          handler(request, response);
        });
        own.push(server);
        return server;
      },
    });
    app.get('/', () => 'done');
    const response = await fetch(await serve(app));
    expect(await response.text()).toBe('done');
    expect(response.headers.get('x-server')).toBe('own');
    expect(seen).toEqual([7]);
    expect(app.server).toBe(own[0]);
  });

  test('a server that the application opened itself is left open by close', async () => {
    let own: Server | undefined;
    const app = ambit({
      serverFactory: (handler) => {
        own = createServer(handler);
        return own;
      },
    });
    app.get('/', () => 'done');
    await app.ready();
    await new Promise<void>((resolve) => {
      own?.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void own?.close());
    expect(await (await fetch(`http://127.0.0.1:${portOf(app)}`)).text()).toBe('done');
    await app.close();
    expect(own?.listening).toBe(true);
  });

  test("forceCloseConnections 'idle' is refused for a server that cannot do it", () => {
    const serverFactory = (): Server =>
      Object.assign(createServer(), { closeIdleConnections: undefined as never });
    expect(() => ambit({ serverFactory, forceCloseConnections: 'idle' })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE' }),
    );
  });

  test('routing serves a pair of node objects that the application received itself', async () => {
    const app = ambit();
    app.get('/', (request) => ({ isRaw: request.raw.url === '/' }));
    await app.ready();
    const outside = createServer((request, response) => app.routing(request, response));
    await new Promise<void>((resolve) => {
      outside.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void outside.close());
    const { port } = outside.address() as { port: number };
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toEqual({ isRaw: true });
  });

  test('routing before ready boots first', async () => {
    const app = ambit();
    app.get('/', () => 'booted');
    const outside = createServer((request, response) => app.routing(request, response));
    await new Promise<void>((resolve) => {
      outside.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void outside.close());
    const { port } = outside.address() as { port: number };
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('booted');
  });
});
