/** Logs: where they go, what a line contains, and what an application can change. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AmbitOptions,
  ambit,
  type Context,
  LogController,
  type Logger,
  type Reply,
  type Request,
} from 'ambit';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';
import { textOf, transports } from '../../test/support/transports.ts';

forbidProcessFaults();

function logged(options: AmbitOptions = {}): { app: Context; lines: LogLines } {
  const lines = new LogLines();
  const { logger, ...rest } = options;
  return { app: ambit({ ...rest, logger: { ...(logger as object), stream: lines } }), lines };
}

/** A logger of another library: plain methods, and children that know their bindings. */
function recorder(): Logger & { lines: unknown[][] } {
  const lines: unknown[][] = [];
  const make = (bindings: object): Logger => {
    const method =
      (level: string) =>
      (...args: unknown[]): void => {
        lines.push([level, bindings, ...args]);
      };
    return {
      fatal: method('fatal'),
      error: method('error'),
      warn: method('warn'),
      info: method('info'),
      debug: method('debug'),
      trace: method('trace'),
      child: (added: object) => make({ ...bindings, ...added }),
    };
  };
  return { ...make({}), lines };
}

describe('where lines go', () => {
  test('without a logger, nothing is written, and app.log can be called all the same', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    const app = ambit();
    app.get('/', (request) => {
      request.log.info('from the handler');
      app.log.child({}).error(new Error('from the root'));
      return 'done';
    });
    await app.inject('/');
    expect(write).not.toHaveBeenCalled();
  });

  test('a stream receives each line as JSON', async () => {
    const { app, lines } = logged();
    app.log.info({ any: 'field' }, 'hello %s', 'world');
    expect(lines.lines).toMatchObject([{ level: 30, any: 'field', msg: 'hello world' }]);
  });

  test('a file receives them too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ambit-log-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'log');
    const app = ambit({ logger: { file } });
    app.log.info('into the file');
    const read = async (): Promise<void> => {
      expect(await readFile(file, 'utf8')).toContain('into the file');
    };
    await vi.waitFor(read);
  });

  test('an instance of pino is used, with the serializers of the framework added for us alone', async () => {
    const lines = new LogLines();
    const instance = pino({}, lines);
    const app = ambit({ loggerInstance: instance as unknown as Logger });
    app.get('/', () => 'done');
    await app.inject('/');
    expect(lines.find('incoming request')?.req).toMatchObject({ method: 'GET', url: '/' });
    instance.info({ req: { as: 'it is' } }, 'outside');
    expect(lines.find('outside')?.req).toEqual({ as: 'it is' });
  });

  test('a logger of another library is used', async () => {
    const instance = recorder();
    const app = ambit({ loggerInstance: instance });
    app.get('/', (request) => {
      request.log.warn('from the handler');
      return 'done';
    });
    await app.inject('/');
    expect(instance.lines.map(([level, , first, text]) => [level, text ?? first])).toEqual([
      ['info', 'incoming request'],
      ['warn', 'from the handler'],
      ['info', 'request completed'],
    ]);
    expect(instance.lines[1]?.[1]).toEqual({ reqId: 'req-1' });
  });

  test('true logs to standard output from the level info on', () => {
    const app = ambit({ logger: true });
    expect(app.log.level).toBe('info');
  });
});

describe('the lines of a request', () => {
  test('one when it comes in, one when it is completed, under one id', async () => {
    const { app, lines } = logged();
    app.get('/here', () => 'done');
    await app.inject({ url: '/here?x=1', headers: { host: 'example.org:80' }, remoteAddress: '10.1.2.3' });
    expect(lines.messages).toEqual(['incoming request', 'request completed']);
    const [incoming, completed] = lines.lines;
    expect(incoming).toMatchObject({
      level: 30,
      reqId: 'req-1',
      req: { method: 'GET', url: '/here?x=1', host: 'example.org:80', remoteAddress: '10.1.2.3' },
    });
    expect(completed).toMatchObject({ level: 30, reqId: 'req-1', res: { statusCode: 200 } });
    expect(completed?.responseTime).toBeGreaterThan(0);
  });

  for (const [flavor, make] of flavors) {
    for (const { name, options, ask } of transports) {
      test(`${flavor}, ${name}: a path that is spelled differently is also logged in its canonical form`, async () => {
        const lines = new LogLines();
        const app = make({ ...options, logger: { stream: lines } });
        app.get('/admin/users', () => 'done');
        for (const path of ['/%61dmin/user%73?x=%61', '/admin/users?x=%61', '/admin/users']) {
          await textOf(await ask(app, { path }));
        }
        await lines.until('request completed');
        const requests = lines.lines.flatMap(({ req }) => (req ? [[req.url, req.canonicalPath]] : []));
        expect(requests).toEqual([
          ['/%61dmin/user%73?x=%61', '/admin/users'],
          ['/admin/users?x=%61', undefined],
          ['/admin/users', undefined],
        ]);
      });
    }
  }

  test('over a socket, they contain the port of the client', async () => {
    const { app, lines } = logged();
    app.get('/', () => 'done');
    await fetch(await serve(app));
    const { req } = await lines.until('incoming request');
    expect(req).toMatchObject({ remoteAddress: '127.0.0.1', remotePort: expect.any(Number) });
  });

  test('what the handler logs through request.log and reply.log carries the id', async () => {
    const { app, lines } = logged();
    app.get('/', (request, reply) => {
      request.log.info('through the request');
      reply.log.info('through the reply');
      return 'done';
    });
    await app.inject('/');
    await app.inject('/');
    expect(
      lines.lines.map(({ reqId, msg }) => `${reqId} ${msg}`).filter((text) => text.includes('through')),
    ).toEqual([
      'req-1 through the request',
      'req-1 through the reply',
      'req-2 through the request',
      'req-2 through the reply',
    ]);
  });

  test('a failure of the server is an error line with its stack, a failure of the client an info line', async () => {
    const { app, lines } = logged();
    app.get('/:status', (request) => {
      const { status } = request.params as { status: string };
      throw Object.assign(new Error(`failed with ${status}`), { statusCode: Number(status) });
    });
    await app.inject('/500');
    await app.inject('/499');
    expect(lines.find('failed with 500')).toMatchObject({ level: 50, err: { message: 'failed with 500' } });
    expect(lines.find('failed with 500')?.err?.stack).toContain('loggers.test.ts');
    expect(lines.find('failed with 499')).toMatchObject({ level: 30 });
  });

  test('a request without a route is logged', async () => {
    const { app, lines } = logged();
    await app.inject('/nowhere');
    expect(lines.messages).toEqual(['incoming request', 'Route GET:/nowhere not found', 'request completed']);
  });

  test('the address is logged when the server listens', async () => {
    const { app, lines } = logged();
    const origin = await serve(app);
    expect(lines.messages).toContain(`Server listening at ${origin}`);
  });

  test('listenTextResolver sets the text of this line', async () => {
    const { app, lines } = logged();
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: (address) => `open at ${address}` });
    expect(lines.messages).toEqual([expect.stringMatching(/^open at http:\/\/127\.0\.0\.1:\d+$/)]);
  });
});

describe('request ids', () => {
  const idOf = (request: Request) => request.id;

  test('count up from req-1 in base 36', async () => {
    const app = ambit();
    app.get('/', idOf);
    const ids: string[] = [];
    for (let i = 0; i < 37; i++) ids.push((await app.inject('/')).body);
    expect([ids[0], ids[8], ids[9], ids[34], ids[35]]).toEqual([
      'req-1',
      'req-9',
      'req-a',
      'req-z',
      'req-10',
    ]);
  });

  test('each application counts for itself', async () => {
    const [one, two] = [ambit(), ambit()];
    one.get('/', idOf);
    two.get('/', idOf);
    await one.inject('/');
    expect((await two.inject('/')).body).toBe('req-1');
  });

  test('genReqId makes them from the raw request', async () => {
    const { app, lines } = logged({ genReqId: (raw) => `id of ${raw.url}` });
    app.get('/here', idOf);
    expect((await app.inject('/here')).body).toBe('id of /here');
    expect(lines.lines[0]?.reqId).toBe('id of /here');
  });

  test('setGenReqId makes them for one context', async () => {
    const app = ambit();
    app.get('/root', idOf);
    app.register(async (child) => {
      child.setGenReqId(() => 'id of the child');
      child.get('/child', idOf);
    });
    expect((await app.inject('/child')).body).toBe('id of the child');
    expect((await app.inject('/root')).body).toBe('req-1');
  });

  for (const [what, requestIdHeader, name] of [
    ['true takes them from request-id', true, 'request-id'],
    ['a name takes them from that header, whatever its case', 'X-Trace-Id', 'x-trace-id'],
  ] as const) {
    test(`requestIdHeader: ${what}`, async () => {
      const app = ambit({ requestIdHeader });
      app.get('/', idOf);
      expect((await app.inject({ url: '/', headers: { [name]: 'from the client' } })).body).toBe(
        'from the client',
      );
    });
  }

  test('without the header, or with an empty one, an id is made', async () => {
    const app = ambit({ requestIdHeader: 'x-trace-id' });
    app.get('/', idOf);
    expect((await app.inject('/')).body).toBe('req-1');
    expect((await app.inject({ url: '/', headers: { 'x-trace-id': '' } })).body).toBe('req-2');
  });

  test('by default, no header of the client sets the id', async () => {
    const app = ambit();
    app.get('/', idOf);
    const headers = { 'request-id': 'forged', 'x-request-id': 'forged' };
    expect((await app.inject({ url: '/', headers })).body).toBe('req-1');
  });

  test('a line break in the header of a client stays inside its JSON line', async () => {
    const { app, lines } = logged({ requestIdHeader: 'x-trace-id' });
    app.get('/', () => 'done');
    await app.inject({ url: '/', headers: { 'x-trace-id': 'one\n{"level":50}' } });
    expect(lines.lines).toHaveLength(2);
    expect(lines.lines[0]?.reqId).toBe('one\n{"level":50}');
  });

  test('the label of the field can be chosen', async () => {
    const { app, lines } = logged({ logController: new LogController({ requestIdLogLabel: 'trace' }) });
    app.get('/', () => 'done');
    await app.inject('/');
    expect(lines.lines[0]).toMatchObject({ trace: 'req-1' });
    expect(lines.lines[0]?.reqId).toBeUndefined();
  });
});

describe('levels', () => {
  test('lines below the level of the logger are left out', async () => {
    const { app, lines } = logged({ logger: { level: 'warn' } });
    app.get('/', (request) => {
      request.log.info('below');
      request.log.warn('at it');
      return 'done';
    });
    await app.inject('/');
    expect(lines.messages).toEqual(['at it']);
  });

  test('a route has a level of its own, and others keep theirs', async () => {
    const { app, lines } = logged();
    const handler = (request: Request): string => {
      request.log.info(`info of ${request.url}`);
      request.log.error(`error of ${request.url}`);
      return 'done';
    };
    app.get('/quiet', { logLevel: 'error' }, handler);
    app.get('/loud', handler);
    await app.inject('/quiet');
    await app.inject('/loud');
    expect(lines.messages).toEqual([
      'error of /quiet',
      'incoming request',
      'info of /loud',
      'error of /loud',
      'request completed',
    ]);
  });

  test('a plugin has a level of its own, and its routes may override it', async () => {
    const { app, lines } = logged();
    app.register(
      async (child) => {
        child.get('/plugin', () => 'done');
        child.get('/route', { logLevel: 'info' }, () => 'done');
        child.register(async (grandchild) => {
          grandchild.get('/inside', () => 'done');
        });
      },
      { logLevel: 'silent' },
    );
    app.get('/sibling', () => 'done');
    for (const url of ['/plugin', '/inside', '/route', '/sibling']) await app.inject(url);
    expect(lines.lines.map(({ req }) => req?.url).filter(Boolean)).toEqual(['/route', '/sibling']);
  });

  test('a level that the logger does not know is refused', () => {
    const { app } = logged();
    expect(() => app.get('/', { logLevel: 'loud' }, () => 'done')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_ROUTE_LOG_LEVEL_INVALID' }),
    );
  });
});

describe('serializers and redaction', () => {
  test('redact is passed through to pino', async () => {
    const { app, lines } = logged({ logger: { redact: ['req.url', 'token'] } });
    app.get('/', (request) => {
      request.log.info({ token: 'secret', other: 'open' }, 'from the handler');
      return 'done';
    });
    await app.inject('/?key=secret');
    expect(lines.find('from the handler')).toMatchObject({ token: '[Redacted]', other: 'open' });
    expect(lines.lines[0]?.req).toMatchObject({ url: '[Redacted]', method: 'GET' });
  });

  test('redact with options is passed through as well', async () => {
    const { app, lines } = logged({ logger: { redact: { paths: ['token'], censor: '***' } } });
    app.log.info({ token: 'secret' }, 'line');
    expect(lines.find('line')?.token).toBe('***');
  });

  test('serializers of the options replace ours, and the others stay', async () => {
    const { app, lines } = logged({
      logger: { serializers: { req: (request: Request) => ({ only: request.method }) } },
    });
    app.get('/', () => 'done');
    await app.inject('/');
    expect(lines.lines[0]?.req).toEqual({ only: 'GET' });
    expect(lines.lines[1]?.res).toEqual({ statusCode: 200 });
  });

  test('a plugin and a route add serializers of their own', async () => {
    const { app, lines } = logged();
    app.register(
      async (child) => {
        const logSerializers = { two: (value: string) => `${value} of the route` };
        child.get('/', { logSerializers }, (request) => {
          request.log.info({ one: 'one', two: 'two' }, 'inside');
          return 'done';
        });
      },
      { logSerializers: { one: (value: string) => `${value} of the plugin`, two: () => 'overridden' } },
    );
    app.get('/sibling', (request) => {
      request.log.info({ one: 'one' }, 'outside');
      return 'done';
    });
    await app.inject('/');
    await app.inject('/sibling');
    expect(lines.find('inside')).toMatchObject({ one: 'one of the plugin', two: 'two of the route' });
    expect(lines.find('outside')).toMatchObject({ one: 'one' });
  });

  test('the body and the headers of a request are not logged', async () => {
    const { app, lines } = logged();
    app.post('/', () => 'done');
    const headers = { authorization: 'Bearer secret' };
    await app.inject({ method: 'POST', url: '/', headers, payload: { password: 'secret' } });
    expect(JSON.stringify(lines.lines)).not.toContain('secret');
  });
});

describe('childLoggerFactory', () => {
  test('makes the logger of each request, with this as the context of the route', async () => {
    const lines = new LogLines();
    const seen: unknown[] = [];
    const app = ambit({
      logger: { stream: lines },
      childLoggerFactory(logger, bindings, options, rawRequest) {
        seen.push({ isRoot: this === app, url: rawRequest.url });
        return logger.child({ ...bindings, added: 'by the factory' }, options);
      },
    });
    app.get('/here', () => 'done');
    await app.inject('/here');
    expect(seen).toEqual([{ isRoot: true, url: '/here' }]);
    expect(lines.lines[0]).toMatchObject({ reqId: 'req-1', added: 'by the factory' });
  });

  test('setChildLoggerFactory applies to one context and below', async () => {
    const { app, lines } = logged();
    app.register(async (child) => {
      child.setChildLoggerFactory((logger, bindings, options) =>
        logger.child({ ...bindings, where: 'child' }, options),
      );
      child.get('/child', () => 'done');
      child.register(async (grandchild) => {
        grandchild.get('/grandchild', () => 'done');
      });
    });
    app.get('/sibling', () => 'done');
    for (const url of ['/child', '/grandchild', '/sibling']) await app.inject(url);
    const incoming = lines.lines.filter(({ msg }) => msg === 'incoming request');
    expect(incoming.map(({ where }) => where)).toEqual(['child', 'child', undefined]);
  });

  test('a route has a factory of its own', async () => {
    const { app, lines } = logged();
    const details = {
      childLoggerFactory: (logger: Logger, bindings: object) => logger.child({ ...bindings, where: 'route' }),
    };
    app.get('/', details, () => 'done');
    await app.inject('/');
    expect(lines.lines[0]?.where).toBe('route');
  });

  test('runs without a logger too, so that it may bring one', async () => {
    const instance = recorder();
    const app = ambit({ childLoggerFactory: () => instance });
    app.get('/', (request) => {
      request.log.info('brought');
      return 'done';
    });
    await app.inject('/');
    expect(instance.lines.some(([, , text]) => text === 'brought')).toBe(true);
  });
});

describe('LogController', () => {
  test('disableRequestLogging leaves out the lines of requests, and no others', async () => {
    const { app, lines } = logged({ logController: new LogController({ disableRequestLogging: true }) });
    app.get('/', (request) => {
      request.log.info('from the handler');
      return 'done';
    });
    await app.inject('/');
    await app.inject('/nowhere');
    expect(lines.messages).toEqual(['from the handler']);
  });

  test('disableRequestLogging decides by the request', async () => {
    const logController = new LogController({ disableRequestLogging: ({ url }) => url === '/health' });
    const { app, lines } = logged({ logController });
    app.get('/health', () => 'fine');
    app.get('/', () => 'done');
    await app.inject('/health');
    await app.inject('/');
    expect(lines.messages).toEqual(['incoming request', 'request completed']);
    expect(lines.lines[0]?.req?.url).toBe('/');
  });

  test('disableRequestLogging may be an option of the factory', async () => {
    const warnings: (string | undefined)[] = [];
    const note = ({ code }: Error & { code?: string }): void => void warnings.push(code);
    process.on('warning', note);
    onTestFinished(() => void process.removeListener('warning', note));
    const { app, lines } = logged({ disableRequestLogging: true });
    app.get('/', () => 'done');
    await app.inject('/');
    expect(lines.messages).toEqual([]);
    await vi.waitFor(() => expect(warnings).toContain('FSTDEP023'));
  });

  test('a subclass changes single lines', async () => {
    class Mine extends LogController {
      override incomingRequest(request: Request): void {
        request.log.info(`> ${request.method}`);
      }

      override requestCompleted(_error: Error | null | undefined, _request: Request, reply: Reply): void {
        reply.log.info(`< ${reply.statusCode}`);
      }

      override routeNotFound(): void {}
    }
    const { app, lines } = logged({ logController: new Mine() });
    await app.inject('/nowhere');
    expect(lines.messages).toEqual(['> GET', '< 404']);
  });

  test('a subclass sees errors, and may keep them silent', async () => {
    const seen: string[] = [];
    class Silent extends LogController {
      override defaultErrorLog(error: Error): void {
        seen.push(error.message);
      }
    }
    const { app, lines } = logged({ logController: new Silent({ requestIdLogLabel: 'id' }) });
    app.get('/', () => {
      throw new Error('it broke');
    });
    await app.inject('/');
    expect(seen).toEqual(['it broke']);
    expect(lines.messages).toEqual(['incoming request', 'request completed']);
  });

  test('anything else in its place is refused', () => {
    expect(() => ambit({ logController: {} as never })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_LOG_INVALID_LOG_CONTROLLER' }),
    );
  });
});

describe('what is refused', () => {
  const incomplete = { info: () => {}, error: () => {} };

  for (const [what, options, code] of [
    [
      'a logger and a logger instance',
      { logger: true, loggerInstance: recorder() },
      'FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED',
    ],
    ['a logger instance given as logger', { logger: recorder() }, 'FST_ERR_LOG_INVALID_LOGGER_CONFIG'],
    [
      'options given as loggerInstance',
      { loggerInstance: { level: 'info' } },
      'FST_ERR_LOG_INVALID_LOGGER_INSTANCE',
    ],
    ['a logger that lacks methods', { loggerInstance: incomplete }, 'FST_ERR_LOG_INVALID_LOGGER'],
    [
      'a stream and a file',
      { logger: { stream: new LogLines(), file: '/tmp/log' } },
      'FST_ERR_LOG_INVALID_DESTINATION',
    ],
    ['text in the place of options', { logger: 'info' }, 'FST_ERR_LOG_INVALID_LOGGER_CONFIG'],
  ] as const) {
    test(`${what} is refused with ${code}`, () => {
      expect(() => ambit(options as never)).toThrow(expect.objectContaining({ code }));
    });
  }

  test('the error for an incomplete logger names the missing methods', () => {
    expect(() => ambit({ loggerInstance: incomplete as never })).toThrow(/'debug,fatal,warn,trace,child'/);
  });
});
