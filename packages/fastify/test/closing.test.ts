/** Closing: what still arrives is answered, what fails is said, and nobody outside can hold it up. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../ambit/test/fixtures/certificate.ts';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { lastRequest, open, request, statuses } from '../../ambit/test/support/raw-client.ts';
import { serve, servePort } from '../../ambit/test/support/serve.ts';
import { openPlain, openTls } from './support/clients.ts';
import { flavors } from './support/flavors.ts';
import { wires } from './support/wires.ts';

forbidProcessFaults();

/** Something to wait for, and what ends the wait. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** An application that has begun to close, and closes on when `open` is called. */
function closingAt(app: Context): { begun: Promise<void>; goOn(): void } {
  const [begun, goOn] = [gate(), gate()];
  app.addHook('preClose', async () => {
    begun.open();
    await goOn.passed;
  });
  return { begun: begun.passed, goOn: goOn.open };
}

for (const [flavor, make] of flavors) {
  const hello = (options?: AmbitOptions): Context => {
    const app = make(options);
    app.get('/', () => 'hello');
    return app;
  };

  describe(`${flavor}: a preClose hook`, () => {
    const failing: Record<string, [hook: (done: (error?: unknown) => void) => unknown, rejection: object]> = {
      'that throws': [
        () => {
          throw new Error('cannot stop');
        },
        { message: 'cannot stop' },
      ],
      'that rejects': [() => Promise.reject(new Error('cannot stop')), { message: 'cannot stop' }],
      'that fails its callback': [(done) => done(new Error('cannot stop')), { message: 'cannot stop' }],
      'that throws undefined': [() => Promise.reject(), { code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR' }],
      'that never calls back': [(_done) => {}, { code: 'FST_ERR_HOOK_TIMEOUT' }],
      'whose promise never settles': [() => new Promise(() => {}), { code: 'FST_ERR_HOOK_TIMEOUT' }],
    };
    for (const [name, [hook, rejection]] of Object.entries(failing)) {
      test(`${name} rejects close, when everything else has closed`, async () => {
        const app = hello({ pluginTimeout: 50 });
        const ran: string[] = [];
        // The number of parameters says which style a hook has.
        app.addHook(
          'preClose',
          (hook.length === 0 ? () => hook(() => {}) : (done: never) => hook(done)) as never,
        );
        app.addHook('preClose', async () => void ran.push('next'));
        app.addHook('onClose', async () => void ran.push('onClose'));
        await app.listen({ port: 0, host: '127.0.0.1' });
        await expect(app.close()).rejects.toMatchObject(rejection);
        expect(ran).toEqual(['next', 'onClose']);
        expect(app.server.listening).toBe(false);
      });
    }

    test('that fails passes its error to the callback of close', async () => {
      const app = hello();
      app.addHook('preClose', async () => Promise.reject(new Error('cannot stop')));
      await app.ready();
      const error = await new Promise((resolve) => app.close(resolve));
      expect(error).toMatchObject({ message: 'cannot stop' });
    });

    test('that fails first rejects close, even if others fail too', async () => {
      const app = hello();
      for (const name of ['first', 'second'])
        app.addHook('preClose', async () => Promise.reject(new Error(name)));
      await app.ready();
      await expect(app.close()).rejects.toThrow('first');
    });

    test('that fails is logged where a signal closes the application, and the process goes on', async () => {
      const lines: string[] = [];
      const app = hello({ logger: { level: 'error', stream: { write: (line) => lines.push(line) } } });
      app.addHook('onClose', async () => Promise.reject(new Error('cannot stop')));
      const aborter = new AbortController();
      await app.listen({ port: 0, host: '127.0.0.1', signal: aborter.signal });
      const closed = once(app.server, 'close');
      aborter.abort();
      await closed;
      await nextTurn();
      expect(lines.join('')).toContain('cannot stop');
    });
  });

  describe(`${flavor}: inject`, () => {
    /** The status of the answer, or the code of what `inject` rejects with. */
    const ask = async (app: Context, url: string): Promise<unknown> => {
      try {
        return (await app.inject(url)).statusCode;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const alreadyClosed = 'FST_ERR_REOPENED_CLOSE_SERVER';
    const starts: Record<string, (app: Context) => Promise<unknown>> = {
      'has listened': (app) => app.listen({ port: 0, host: '127.0.0.1' }),
      'has answered a request': (app) => app.inject('/'),
      'is ready': (app) => app.ready(),
      'is not ready': async () => {},
    };
    for (const [start, boot] of Object.entries(starts)) {
      test(`in the turn of close is answered 503 by an application that ${start}`, async () => {
        const app = hello();
        await boot(app);
        const closed = app.close();
        expect(await Promise.all([ask(app, '/'), ask(app, '/nowhere')])).toEqual([503, 503]);
        await closed;
      });
    }

    for (const [start, answer] of [
      ['has listened', alreadyClosed],
      ['has answered a request', alreadyClosed],
      ['is ready', 503],
      ['is not ready', 503],
    ] as const) {
      test(`while a preClose hook runs gets ${answer} from an application that ${start}`, async () => {
        const app = hello();
        const { begun, goOn } = closingAt(app);
        await starts[start]!(app);
        const closed = app.close();
        await begun;
        const answers = Promise.all([ask(app, '/'), ask(app, '/nowhere')]);
        goOn();
        expect(await answers).toEqual([answer, answer]);
        await closed;
      });
    }

    test('from an onClose hook rejects', async () => {
      const app = hello();
      let answer: unknown;
      app.addHook('onClose', async () => {
        answer = await ask(app, '/');
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      await app.close();
      expect(answer).toBe(alreadyClosed);
    });

    test('in the turn of close is answered as always where return503OnClosing is false', async () => {
      const app = hello({ return503OnClosing: false });
      await app.ready();
      const closed = app.close();
      expect((await app.inject('/')).body).toBe('hello');
      await closed;
    });

    test('fails once everything has closed, also where closing failed', async () => {
      const app = hello();
      app.addHook('preClose', async () => Promise.reject(new Error('cannot stop')));
      await app.ready();
      await expect(app.close()).rejects.toThrow();
      await expect(app.inject('/')).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_CLOSE_SERVER' });
    });
  });

  describe(`${flavor}: a request on a connection that was opened before close`, () => {
    for (const [wire, openSocket] of [
      ['http', openPlain],
      ['https', openTls],
    ] as const) {
      test(`and on which nothing had been sent is answered, over ${wire}`, async () => {
        const app = hello(wires[wire]!.options);
        const socket = await openSocket(await servePort(app));
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk;
        });
        const closed = app.close();
        await wait(20);
        socket.write(lastRequest('GET', '/'));
        await once(socket, 'end');
        socket.destroy();
        expect(statuses(received)).toEqual([503]);
        await closed;
      });
    }

    test.each([
      ['', 0],
      [', however long accepting takes', 20],
    ])('and that the server had not accepted yet is answered%s', async (_name, busyMs) => {
      const app = hello();
      const port = await servePort(app);
      const nobody = new Int32Array(new SharedArrayBuffer(4));
      app.server.on('connection', () => Atomics.wait(nobody, 0, 0, busyMs));
      const connected = new Int32Array(new SharedArrayBuffer(4));
      const client = new Worker(new URL('fixtures/send-request.mjs', import.meta.url), {
        workerData: { port, connections: 10, request: lastRequest('GET', '/'), connected },
      });
      onTestFinished(async () => void (await client.terminate()));
      const answers = once(client, 'message');
      // The system makes the connections, and this thread looks at none of them.
      expect(Atomics.wait(connected, 0, 0, 10_000)).not.toBe('timed-out');
      await app.close();
      const [received] = await answers;
      expect(received.map(statuses)).toEqual(Array.from({ length: 10 }, () => [503]));
    });

    test('as a stream of a session that was opened before is answered', async () => {
      const app = hello({ http2: true });
      const client = connectHttp2(await serve(app));
      await once(client, 'remoteSettings');
      const closed = app.close();
      const stream = client.request({ ':path': '/' });
      const [headers] = await once(stream, 'response');
      expect(headers[':status']).toBe(503);
      stream.resume();
      await closed;
    });
  });

  describe(`${flavor}: a response while the application closes`, () => {
    test('says that its connection ends', async () => {
      const app = hello();
      const released = gate();
      const arrived = gate();
      app.get('/slow', async () => {
        arrived.open();
        await released.passed;
        return 'slow';
      });
      const { begun, goOn } = closingAt(app);
      const { socket, ended } = await open(await servePort(app));
      socket.write(request('GET', '/slow'));
      await arrived.passed;
      const closed = app.close();
      await begun;
      released.open();
      expect((await ended).toLowerCase()).toMatch(/200 ok\r\n.*connection: close/s);
      goOn();
      await closed;
    });
  });

  describe(`${flavor}: close is not held up by`, () => {
    const limits = {
      headersTimeout: 200,
      requestTimeout: 200,
      keepAliveTimeout: 200,
      http2SessionTimeout: 200,
    };

    test('a handler of client errors that does nothing', async () => {
      const app = hello({ ...limits, clientErrorHandler: () => {} });
      const { socket, ended } = await open(await servePort(app));
      socket.write('GET / HT');
      await nextTurn();
      await app.close();
      expect(await ended).toBe('');
    });

    test('a client that takes nothing of its response', async () => {
      const app = make(limits);
      const arrived = new Promise<void>((resolve) => {
        app.get('/', () => {
          resolve();
          return Buffer.alloc(50_000_000);
        });
      });
      const socket = await openPlain(await servePort(app));
      onTestFinished(() => void socket.destroy());
      socket.write(request('GET', '/'));
      await arrived;
      await app.close();
    });

    test('a client that takes nothing of a stream of its session', async () => {
      const app = make({ ...limits, http2: true });
      app.get('/', () => Buffer.alloc(50_000_000));
      const client = connectHttp2(await serve(app));
      onTestFinished(() => client.destroy());
      client.on('error', () => {});
      const stream = client.request({ ':path': '/' }).on('error', () => {});
      await once(stream, 'response');
      stream.pause();
      await app.close();
    });

    test('a connection on which nothing comes, where forceCloseConnections is false', async () => {
      const app = hello({ ...limits, forceCloseConnections: false });
      const { ended } = await open(await servePort(app));
      await app.close();
      expect(await ended).toBe('');
    });

    test('a TLS connection without a handshake, where forceCloseConnections is true and nothing has a limit', async () => {
      const app = hello({ https: { key, cert }, forceCloseConnections: true, headersTimeout: 0 });
      const socket = await openPlain(await servePort(app));
      onTestFinished(() => void socket.destroy());
      await app.close();
    });

    test('half a head on a server of the application', async () => {
      const { createServer } = await import('node:http');
      const serverFactory = (handler: never) => Object.assign(createServer(handler), { headersTimeout: 200 });
      const app = hello({ serverFactory } as never);
      const { socket, ended } = await open(await servePort(app));
      socket.write('GET / HT');
      await nextTurn();
      await app.close();
      expect(statuses(await ended)).toEqual([408]);
    });
  });

  test(`${flavor}: close leaves an upgraded connection to whoever took it`, async () => {
    const app = hello({ headersTimeout: 100, requestTimeout: 100 });
    const taken = gate();
    let upgraded: Duplex | undefined;
    app.server.on('upgrade', (_request, socket: Duplex) => {
      upgraded = socket;
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.on('data', (chunk) => socket.write(chunk));
      taken.open();
    });
    const { socket, until } = await open(await servePort(app));
    socket.write(request('GET', '/', 'Connection: upgrade', 'Upgrade: echo'));
    await taken.passed;
    const closed = app.close();
    await wait(300);
    socket.write('still here');
    await until('still here');
    upgraded!.end();
    await closed;
  });

  test(`${flavor}: limits of time hold for HTTP/1.1 on a server of HTTP/2, too`, () => {
    const https = { key, cert, allowHTTP1: true };
    const { server } = make({
      http2: true,
      https,
      headersTimeout: 1,
      requestTimeout: 2,
      keepAliveTimeout: 3,
    });
    expect(server).toMatchObject({ headersTimeout: 1, requestTimeout: 2, keepAliveTimeout: 3 });
  });
}
