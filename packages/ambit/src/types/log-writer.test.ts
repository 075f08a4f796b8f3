/** Logs that fail: if a serializer, a stream or a controller throws, a line is lost, but no reply, and the process continues. */
import { EventEmitter } from 'node:events';
import type { AmbitOptions, Context } from 'ambit';
import { LogController } from 'ambit';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

const throwing = (): never => {
  throw new Error('the log is broken');
};

/** The warnings of the process, in order. */
const warnings: (Error & { code?: string })[] = [];
const note = (warning: Error): void => {
  warnings.push(warning);
};

beforeEach(() => {
  warnings.length = 0;
  process.on('warning', note);
  return () => process.removeListener('warning', note);
});

class BrokenController extends LogController {
  override isLogDisabled = throwing;
  override incomingRequest = throwing;
  override requestCompleted = throwing;
  override defaultErrorLog = throwing;
  override routeNotFound = throwing;
  override streamError = throwing;
  override serviceUnavailable = throwing;
}

/** Logs that throw in different ways. */
const broken: Record<string, () => AmbitOptions> = {
  'a serializer for res': () => ({
    logger: { level: 'trace', stream: new LogLines(), serializers: { res: throwing } },
  }),
  'a serializer for req': () => ({
    logger: { level: 'trace', stream: new LogLines(), serializers: { req: throwing } },
  }),
  'a serializer for err': () => ({
    logger: { level: 'trace', stream: new LogLines(), serializers: { err: throwing } },
  }),
  'a stream': () => ({ logger: { level: 'trace', stream: { write: throwing } } }),
  'a logger of its own': () => ({
    loggerInstance: {
      ...Object.fromEntries(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((name) => [name, throwing]),
      ),
      child(this: object) {
        return this;
      },
    } as never,
  }),
  'a log controller': () => ({ logger: { stream: new LogLines() }, logController: new BrokenController() }),
  'a predicate for what is logged': () => ({
    logger: { stream: new LogLines() },
    logController: new LogController({ disableRequestLogging: throwing }),
  }),
};

function addRoutes(app: Context): Context {
  app.get('/', () => 'text');
  app.get('/error', () => {
    throw Object.assign(new Error('failed'), { statusCode: 418 });
  });
  app.get('/twice', (_request, reply) => {
    reply.send('first');
    reply.send('second');
  });
  app.get('/late', async (_request, reply) => {
    reply.send('late');
    throw new Error('too late');
  });
  app.get('/callNotFound', (_request, reply) => reply.callNotFound());
  app.get('/header', (_request, reply) => reply.header('x-broken', 'a\nb').send('text'));
  app.get('/trailer', (_request, reply) => reply.trailer('x-digest', throwing).send('text'));
  app.get('/onResponse', { onResponse: async () => throwing() }, () => 'text');
  return app;
}

const answers: [url: string, status: number][] = [
  ['/', 200],
  ['/error', 418],
  ['/twice', 200],
  ['/late', 200],
  ['/callNotFound', 404],
  ['/header', 500],
  ['/trailer', 200],
  ['/onResponse', 200],
  ['/nowhere', 404],
  ['/%zz', 400],
];

for (const [flavor, make] of flavors) {
  describe(`a log that fails on ${flavor}`, () => {
    for (const [what, options] of Object.entries(broken)) {
      test(`${what} that throws fails no request`, async () => {
        let responses = 0;
        const app = addRoutes(make(options()));
        app.addHook('onResponse', async () => void responses++);
        const origin = await serve(app);
        for (const [url, status] of answers) {
          expect({ url, status: (await ask(origin + url)).status }).toEqual({ url, status });
        }
        // A request with a malformed URL reaches no route and no hook.
        expect(responses).toBe(answers.length - 1);
      });

      test(`${what} that throws does not keep the application from closing`, async () => {
        const app = addRoutes(make(options()));
        app.addHook('preClose', async () => throwing());
        app.addHook('onListen', async () => throwing());
        await app.listen({ port: 0, host: '127.0.0.1' });
        // The failure of the hook itself is reported when everything has closed.
        await expect(app.close()).rejects.toThrow('the log is broken');
        expect(app.server.listening).toBe(false);
      });
    }

    test('is reported in the log itself if that still accepts text', async () => {
      const lines = new LogLines();
      const app = make({ logger: { stream: lines, serializers: { res: throwing } } });
      app.get('/', () => 'text');
      await app.inject('/');
      const line = await lines.until('a log line could not be written: the log is broken');
      expect(line.level).toBe(50);
      expect(line.reqId).toBe('req-1');
    });

    test('is reported by one warning of the process if the log accepts nothing', async () => {
      const app = make({ logger: { stream: { write: throwing } } });
      app.get('/', () => 'text');
      for (let count = 0; count < 3; count++) await app.inject('/');
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([
        expect.objectContaining({ code: 'AMBWRN002', message: expect.stringContaining('the log is broken') }),
      ]);
    });

    test('fails a request whose handler itself logs', async () => {
      const app = make({ logger: { stream: { write: throwing } } });
      app.get('/', (request) => request.log.info('own line'));
      const { status, body } = await ask(await serve(app));
      expect(status).toBe(500);
      expect(body).toContain('the log is broken');
    });

    test('fails one request if its logger cannot be created', async () => {
      const app = make({
        logger: { stream: new LogLines() },
        childLoggerFactory: (logger, bindings, options, { url }) =>
          url === '/' ? throwing() : logger.child(bindings, options),
      });
      app.get('/', () => 'text');
      app.get('/next', () => 'next');
      const origin = await serve(app);
      expect((await ask(`${origin}/`)).status).toBe(500);
      expect((await ask(`${origin}/next`)).status).toBe(200);
    });

    test('that fails with an event of its stream causes a warning', async () => {
      class Stream extends EventEmitter {
        write(): void {
          this.emit('error', new Error('the disk is full'));
        }
      }
      const app = make({ logger: { stream: new Stream() } });
      app.get('/', () => 'text');
      expect((await app.inject('/')).body).toBe('text');
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([
        expect.objectContaining({ code: 'AMBWRN002', message: expect.stringContaining('the disk is full') }),
      ]);
    });

    test('that shares a stream with others adds one listener to it', async () => {
      const stream = Object.assign(new EventEmitter(), { write: () => {} });
      for (let count = 0; count < 20; count++) make({ logger: { stream } });
      expect(stream.listenerCount('error')).toBe(1);
    });
  });

  describe(`a clientErrorHandler on ${flavor}`, () => {
    for (const [how, handler] of [
      ['throws', throwing],
      ['rejects with nothing', () => Promise.reject(undefined)],
      ['rejects', async () => throwing()],
    ] as const) {
      test(`that ${how} ends only its connection, and is reported`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines }, clientErrorHandler: handler as never });
        app.get('/', () => 'text');
        const port = await servePort(app);
        expect(await converse(port, 'hello there\r\n\r\n')).toBe('');
        expect((await lines.until('clientErrorHandler failed')).level).toBe(50);
        expect((await app.inject('/')).body).toBe('text');
      });
    }

    test('that throws while the log throws ends only its connection', async () => {
      const app = make({ logger: { stream: { write: throwing } }, clientErrorHandler: throwing });
      const port = await servePort(app);
      expect(await converse(port, 'hello there\r\n\r\n')).toBe('');
      expect(await converse(port, 'hello there\r\n\r\n')).toBe('');
    });

    test('that is the default one replies even if the log throws', async () => {
      const app = make({ logger: { level: 'trace', stream: { write: throwing } } });
      expect(await converse(await servePort(app), 'hello there\r\n\r\n')).toContain('400 Bad Request');
    });
  });

  describe(`functions that reply by themselves on ${flavor}`, () => {
    for (const [what, url, options] of [
      ['defaultRoute', '/nowhere', { routerOptions: { defaultRoute: async () => throwing() } }],
      ['onBadUrl', '/%zz', { routerOptions: { onBadUrl: async () => throwing() } }],
      [
        'onMaxParamLength',
        '/long/abc',
        { routerOptions: { maxParamLength: 2, onMaxParamLength: async () => throwing() } },
      ],
      ['frameworkErrors', '/%zz', { frameworkErrors: async () => throwing() }],
    ] as const) {
      test(`${what} that rejects is answered 500`, async () => {
        const app = make(options as never);
        app.get('/long/:name', () => 'text');
        expect((await ask((await serve(app)) + url)).status).toBe(500);
      });
    }

    test('a request id, a logger or a constraint that throws behind an asynchronous constraint is answered 500', async () => {
      const constraints = {
        tenant: {
          name: 'tenant',
          storage: () => ({ get: () => null, set: () => {} }),
          deriveConstraint: (
            _request: unknown,
            _context: unknown,
            done?: (error: null, value: string) => void,
          ) => {
            setImmediate(() => done!(null, 'a'));
          },
        },
      };
      const app = make({ routerOptions: { constraints } as never, genReqId: throwing });
      app.get('/', () => 'text');
      app.get('/tenant', { constraints: { tenant: 'a' } }, () => 'tenant');
      const origin = await serve(app);
      expect((await ask(`${origin}/`)).status).toBe(500);
      expect((await ask(`${origin}/tenant`)).status).toBe(500);
    });
  });
}
