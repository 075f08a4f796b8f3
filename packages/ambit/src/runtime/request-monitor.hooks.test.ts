/** The hooks that run when a request fails: `onError`, `onTimeout`, `onRequestAbort`. */
import { Readable } from 'node:stream';
import { ambit, type Context, type Done, type Reply, type Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { addHook, styleNames, styles } from '../../test/support/hook-styles.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { open, request as requestText } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

describe('onError', () => {
  function failing(): Context {
    const app = ambit();
    app.get('/', () => {
      throw Object.assign(new Error('it broke'), { statusCode: 418 });
    });
    return app;
  }

  for (const style of styleNames) {
    test(`runs before the error handler (${style} style)`, async () => {
      const app = failing();
      const ran: string[] = [];
      addHook(
        app,
        'onError',
        styles[style]('onError', () => ran.push('hook')),
      );
      app.setErrorHandler((_error, _request, reply) => {
        ran.push('handler');
        reply.send('handled');
      });
      expect((await app.inject('/')).body).toBe('handled');
      expect(ran).toEqual(['hook', 'handler']);
    });
  }

  test('passes the error to each hook', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    app.addHook('onError', (_request, _reply, error, done) => {
      seen.push(error.statusCode);
      done();
    });
    await app.inject('/');
    expect(seen).toEqual(['it broke', 418]);
  });

  test('ignores what the hook returns', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', (async () => new Error('another')) as never);
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    expect((await app.inject('/')).json()).toMatchObject({ message: 'it broke' });
    expect(seen).toEqual(['it broke']);
  });

  for (const [style, hook] of [
    [
      'callback',
      (_request: Request, reply: Reply, _error: Error, done: () => void) => {
        reply.send('from the hook');
        done();
      },
    ],
    [
      'promise',
      async (_request: Request, reply: Reply) => {
        reply.send('from the hook');
      },
    ],
  ] as const) {
    test(`cannot reply (${style} style): the error is answered`, async () => {
      const app = failing();
      app.addHook('onError', hook as never);
      const response = await app.inject('/');
      expect(response.statusCode).toBe(418);
      expect(response.json()).toMatchObject({ message: 'it broke' });
    });
  }

  test('send inside it throws an error of the catalogue', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.addHook('onError', async (_request, reply) => {
      try {
        reply.send('from the hook');
      } catch (error) {
        seen.push((error as { code: string }).code);
      }
    });
    await app.inject('/');
    expect(seen).toEqual(['FST_ERR_SEND_INSIDE_ONERR']);
  });

  test('ignores the failure of a hook', async () => {
    const app = failing();
    app.addHook('onError', async () => {
      throw new Error('in the hook');
    });
    expect((await app.inject('/')).json()).toMatchObject({ message: 'it broke' });
  });

  test('runs once, however many error handlers pass the error on', async () => {
    const app = ambit();
    let runs = 0;
    app.addHook('onError', async () => {
      runs++;
    });
    app.setErrorHandler((error) => {
      throw error;
    });
    app.register(async (child) => {
      child.setErrorHandler((error) => {
        throw error;
      });
      child.get('/', () => {
        throw new Error('it broke');
      });
    });
    expect((await app.inject('/')).statusCode).toBe(500);
    expect(runs).toBe(1);
  });

  test('runs for an error that is sent, and for one that fails validation', async () => {
    const app = ambit();
    const seen: string[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      seen.push(error.message);
    });
    app.get('/sent', (_request, reply) => reply.send(new Error('sent')));
    const params = { type: 'object', properties: { id: { type: 'integer' } } };
    app.get('/valid/:id', { schema: { params } }, () => 'valid');
    await app.inject('/sent');
    await app.inject('/valid/x');
    expect(seen).toEqual(['sent', 'params/id should be integer']);
  });

  test('does not run without an error, for a 404, or for an error of a sibling', async () => {
    const app = ambit();
    let runs = 0;
    app.register(async (child) => {
      child.addHook('onError', async () => {
        runs++;
      });
      child.get('/fine', () => 'fine');
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    await app.inject('/fine');
    await app.inject('/nowhere');
    await app.inject('/broken');
    expect(runs).toBe(0);
  });

  test('this is the context of the route', async () => {
    const app = ambit();
    let self: Context | undefined;
    let child: Context | undefined;
    app.addHook('onError', async function () {
      self = this;
    });
    app.register(async (context) => {
      child = context;
      context.get('/', () => {
        throw new Error('it broke');
      });
    });
    await app.inject('/');
    expect(self === child).toBe(true);
  });
});

describe('onTimeout', () => {
  // Long enough for a busy machine to read a request before the socket times out.
  const connectionTimeout = 400;

  for (const style of styleNames) {
    test(`runs when the socket times out before the reply (${style} style)`, async () => {
      const app = ambit({ connectionTimeout });
      let self: Context | undefined;
      addHook(
        app,
        'onTimeout',
        styles[style]('onTimeout', (context) => {
          self = context;
        }),
      );
      app.get('/', () => new Promise(() => {}));
      const origin = await serve(app);
      // A machine that is very busy may close the connection before the request was read.
      do await expect(fetch(origin)).rejects.toThrow();
      while (self === undefined);
      expect(self === app).toBe(true);
    });
  }

  test('runs for the waiting request, not for earlier requests on the same connection', async () => {
    const app = ambit({ connectionTimeout });
    const seen: string[] = [];
    app.addHook('onTimeout', async (request) => {
      seen.push(request.url);
    });
    app.get('/quick', () => 'quick');
    app.get('/slow', () => new Promise(() => {}));
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(requestText('GET', '/quick'));
    await until('quick');
    socket.write(requestText('GET', '/slow'));
    await ended;
    expect(seen).toEqual(['/slow']);
  });
});

describe('onRequestAbort', () => {
  /** An application whose handler never replies; `arrived` resolves when it runs. */
  function waiting(): { app: Context; arrived: Promise<void> } {
    const app = ambit();
    const arrived = new Promise<void>((resolve) => {
      app.all('/', () => {
        resolve();
        return new Promise(() => {});
      });
    });
    return { app, arrived };
  }

  for (const [style, hookThat] of [
    [
      'callback',
      (note: () => void) => (_request: Request, done: Done) => {
        note();
        done();
      },
    ],
    ['promise', (note: () => void) => async () => note()],
  ] as const) {
    test(`runs when the client leaves before the reply (${style} style)`, async () => {
      const { app, arrived } = waiting();
      const ran: string[] = [];
      app.addHook(
        'onRequestAbort',
        hookThat(() => ran.push('first')),
      );
      const last = new Promise<void>((resolve) => {
        app.addHook('onRequestAbort', hookThat(resolve));
      });
      const { socket } = await open(await servePort(app));
      socket.write(requestText('GET', '/'));
      await arrived;
      socket.destroy();
      await last;
      expect(ran).toEqual(['first']);
    });
  }

  test('runs when the client leaves after its body was read', async () => {
    const { app, arrived } = waiting();
    const seen = new Promise((resolve) => {
      app.addHook('onRequestAbort', async (request) => resolve(request.body));
    });
    const { socket } = await open(await servePort(app));
    socket.write(`${requestText('POST', '/', 'Content-Type: text/plain', 'Content-Length: 4')}body`);
    await arrived;
    socket.destroy();
    expect(await seen).toBe('body');
  });

  test('runs after the signal of the request has aborted', async () => {
    const app = ambit();
    const seen = new Promise((resolve) => {
      app.addHook('onRequestAbort', async (request) => resolve(request.signal.aborted));
    });
    const arrived = new Promise<void>((resolve) => {
      app.get('/', (request) => {
        request.signal.addEventListener('abort', () => {});
        resolve();
        return new Promise(() => {});
      });
    });
    const { socket } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    await arrived;
    socket.destroy();
    expect(await seen).toBe(true);
  });

  test('runs when the client leaves in the middle of its body, and the handler does not', async () => {
    const app = ambit();
    let isHandled = false;
    app.post('/', () => {
      isHandled = true;
      return 'handled';
    });
    const parsing = new Promise<void>((resolve) => {
      app.addHook('preParsing', async () => resolve());
    });
    const aborted = new Promise<void>((resolve) => {
      app.addHook('onRequestAbort', async () => resolve());
    });
    const { socket } = await open(await servePort(app));
    socket.write(`${requestText('POST', '/', 'Content-Type: text/plain', 'Content-Length: 100')}half`);
    await parsing;
    socket.destroy();
    await aborted;
    expect(isHandled).toBe(false);
  });

  test('runs when the client leaves in the middle of the reply', async () => {
    const app = ambit();
    const aborted = new Promise<void>((resolve) => {
      app.addHook('onRequestAbort', async () => resolve());
    });
    const endless = new Readable({ read() {} });
    app.get('/', (_request, reply) => {
      endless.push('begun');
      return reply.send(endless);
    });
    const { socket, until } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    await until('begun');
    socket.destroy();
    await aborted;
    expect(endless.destroyed).toBe(true);
  });

  for (const [method, payload] of [
    ['GET', undefined],
    ['POST', 'body'],
  ] as const) {
    test(`does not run for a ${method} that was answered, even when the connection ends then`, async () => {
      const app = ambit();
      let runs = 0;
      app.addHook('onRequestAbort', async () => {
        runs++;
      });
      app.all('/', () => 'answered');
      const origin = await serve(app);
      const response = await fetch(origin, {
        method,
        body: payload ?? null,
        headers: { connection: 'close' },
      });
      expect(await response.text()).toBe('answered');
      await app.close();
      expect(runs).toBe(0);
    });
  }

  test('logs the failure of a hook, which has no other effect', async () => {
    const lines = new LogLines();
    const app = ambit({ logger: { stream: lines } });
    const arrived = new Promise<void>((resolve) => {
      app.get('/', { onRequestAbort: async () => Promise.reject(new Error('in the hook')) }, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    const { socket } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    await arrived;
    socket.destroy();
    const line = await lines.until('onRequestAborted hook failed');
    expect(line.err?.message).toBe('in the hook');
  });

  test('this is the context of the route', async () => {
    const app = ambit();
    let child: Context | undefined;
    const self = new Promise((resolve) => {
      app.addHook('onRequestAbort', async function () {
        // Resolving with a context would wait for its boot.
        resolve({ context: this });
      });
    });
    const arrived = new Promise<void>((resolve) => {
      app.register(async (context) => {
        child = context;
        context.get('/', () => {
          resolve();
          return new Promise(() => {});
        });
      });
    });
    const { socket } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    await arrived;
    socket.destroy();
    expect(((await self) as { context: Context }).context === child).toBe(true);
  });
});
