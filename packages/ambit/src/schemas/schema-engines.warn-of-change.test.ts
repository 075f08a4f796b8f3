// The option `reportSerialization`: what serializing changes is logged, once.
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LogLine, LogLines } from '../../test/support/log-lines.ts';

afterEach(() => vi.unstubAllEnvs());

const response = {
  200: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      role: { type: 'string', default: 'guest' },
      pets: { type: 'array', items: { type: 'object', properties: { kind: { type: 'string' } } } },
    },
  },
};
const asDeclared = { name: 'ada', age: 36, role: 'admin', pets: [{ kind: 'cat' }] };

const warning = 40;

/** An application that answers with the current content of `value`, and the warnings that it logs. */
function make(value: { current: unknown }, options: AmbitOptions = { reportSerialization: true }) {
  const stream = new LogLines();
  const app = ambit({ logger: { stream, level: 'warn' }, ...options });
  app.get('/users', { schema: { response }, exposeHeadRoute: false }, () => value.current);
  const ask = async (url = '/users'): Promise<LogLine[]> => {
    const before = stream.lines.length;
    await app.inject(url);
    return stream.lines.slice(before);
  };
  return { app, ask };
}

const places = (lines: readonly LogLine[]) =>
  lines.map(({ kind, path }) => `${kind as string} ${path as string}`);

describe('with the option on', () => {
  test('a property dropped, a value coerced and one missing are warnings with route, status and path', async () => {
    const value = { name: 'ada', age: '36', passwordHash: 'x', pets: [{ kind: 'cat', chip: 5 }] };
    const { ask } = make({ current: value });
    const lines = await ask();
    expect(
      lines.map(({ level, route, status, kind, path, msg }) => [level, route, status, kind, path, msg]),
    ).toEqual([
      [
        warning,
        'GET /users',
        '200',
        'coerced',
        '/age',
        'serialization of GET /users, 200: /age: string "36" was written as 36',
      ],
      [
        warning,
        'GET /users',
        '200',
        'missing',
        '/role',
        'serialization of GET /users, 200: /role: missing, so the default "guest" was written',
      ],
      [
        warning,
        'GET /users',
        '200',
        'dropped',
        '/pets/0/chip',
        'serialization of GET /users, 200: /pets/0/chip: dropped, because the schema does not declare it',
      ],
      [
        warning,
        'GET /users',
        '200',
        'dropped',
        '/passwordHash',
        'serialization of GET /users, 200: /passwordHash: dropped, because the schema does not declare it',
      ],
    ]);
  });

  test('the response is the same as without the option', async () => {
    const value = { ...asDeclared, age: '36', secret: 1 };
    const { app } = make({ current: value });
    expect((await app.inject('/users')).body).toBe(JSON.stringify(asDeclared));
  });

  test('a value that matches its schema is not reported', async () => {
    const { ask } = make({ current: asDeclared });
    expect(await ask()).toEqual([]);
  });

  test('the same change is logged once, however many requests and rows have it', async () => {
    const value = { current: { ...asDeclared, pets: [{ chip: 1 }, { chip: 2 }] } as unknown };
    const { ask } = make(value);
    expect(places(await ask())).toEqual(['dropped /pets/0/chip']);
    value.current = { ...asDeclared, pets: [{}, {}, {}, { chip: 3 }] };
    expect(await ask()).toEqual([]);
    value.current = { ...asDeclared, pets: [{ kind: 7, chip: 3 }], secret: 1 };
    expect(places(await ask())).toEqual(['coerced /pets/0/kind', 'dropped /secret']);
    expect(await ask()).toEqual([]);
  });

  test('each route, status and media type has its own', async () => {
    const stream = new LogLines();
    const app = ambit({ reportSerialization: true, logger: { stream, level: 'warn' } });
    const entry = { type: 'object', properties: {} };
    const content = { 'application/json': { schema: entry }, 'application/x+json': { schema: entry } };
    for (const url of ['/a', '/b']) {
      app.get<{ Querystring: { status: number; type: string } }>(
        url,
        { schema: { response: { '2xx': { content }, 404: entry } }, exposeHeadRoute: false },
        ({ query }, reply) => reply.code(query.status).type(query.type).send({ a: 1 }),
      );
    }
    const questions = [
      '/a?status=200&type=application/json',
      '/a?status=201&type=application/json',
      '/a?status=200&type=application/x%2Bjson',
      '/a?status=404&type=application/json',
      '/b?status=200&type=application/json',
    ];
    for (const url of [...questions, ...questions]) await app.inject(url);
    const [path, why] = ['/a', 'dropped, because the schema does not declare it'];
    expect(stream.lines.map(({ msg }) => msg)).toEqual([
      `serialization of GET /a, 2xx, application/json: ${path}: ${why}`,
      `serialization of GET /a, 2xx, application/x+json: ${path}: ${why}`,
      `serialization of GET /a, 404: ${path}: ${why}`,
      `serialization of GET /b, 2xx, application/json: ${path}: ${why}`,
    ]);
  });

  test('a value coerced as a whole is named so', async () => {
    const { ask, app } = make({ current: asDeclared });
    app.get('/whole', { schema: { response: { 200: { type: 'array' } } } }, (_request, reply) =>
      reply.type('application/json').send(null as never),
    );
    const [line] = await ask('/whole');
    expect(line?.msg).toBe('serialization of GET /whole, 200: the whole value: null was written as an array');
  });

  for (const [count, logged] of [
    [99, 99],
    [100, 100],
    [101, 100],
  ] as const) {
    test(`${count} different changes of one response make ${logged} warnings, and the hundredth is the last`, async () => {
      const { ask } = make({
        current: Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i])),
      });
      const lines = (await ask()).filter(({ kind }) => kind === 'dropped');
      const missing = 1;
      expect(lines).toHaveLength(Math.min(logged, 100 - missing));
      expect(
        lines.filter(({ msg }) => msg!.endsWith('; nothing further is reported for this response schema')),
      ).toHaveLength(count + missing >= 100 ? 1 : 0);
    });
  }

  test('errors that pass through a response schema are not reported for what an error has', async () => {
    const { ask, app } = make({ current: asDeclared });
    const entry = { type: 'object', properties: { message: { type: 'string' } } };
    app.get('/fails', { schema: { response: { 404: entry } } }, () =>
      Promise.reject(Object.assign(new Error('gone'), { statusCode: 404 })),
    );
    expect(await ask('/fails')).toEqual([]);
  });

  test('a value that cannot be written is an error, and nothing else', async () => {
    const { ask } = make({ current: { age: 'old', secret: 1 } });
    expect((await ask()).filter(({ kind }) => kind !== undefined)).toEqual([]);
  });

  test('values serialized by hand are reported on', async () => {
    const { ask, app } = make({ current: asDeclared });
    const schema = { type: 'object', properties: {} };
    app.get('/by-hand', (_request, reply) => reply.send(reply.serializeInput({ a: 1 }, schema)));
    const lines = await ask('/by-hand');
    expect(lines.map(({ msg }) => msg)).toEqual([
      'serialization of GET /by-hand: /a: dropped, because the schema does not declare it',
    ]);
  });
});

/** Whether changes of a value are searched for: its getter runs once for the answer, and again for the report. */
async function countReads(options: AmbitOptions): Promise<number> {
  let reads = 0;
  const value = {
    get name() {
      reads++;
      return 'ada';
    },
  };
  const app: Context = ambit(options);
  app.get('/', { schema: { response } }, () => value);
  await app.inject('/');
  return reads;
}

describe('whether it is on', () => {
  const logger = { stream: new LogLines(), level: 'warn' };

  for (const [environment, optionValue, isOn] of [
    ['development', undefined, true],
    ['production', undefined, false],
    ['test', undefined, false],
    ['', undefined, false],
    ['development', false, false],
    ['production', true, true],
    ['development', null, true],
  ] as const) {
    test(`NODE_ENV '${environment}' and the option ${optionValue}: ${isOn ? 'on' : 'off'}`, async () => {
      vi.stubEnv('NODE_ENV', environment);
      const option = optionValue === undefined ? {} : { reportSerialization: optionValue as boolean };
      const { ask } = make({ current: { secret: 1 } }, option);
      expect(places(await ask())).toEqual(isOn ? ['missing /role', 'dropped /secret'] : []);
      expect(await countReads({ logger, ...option })).toBe(isOn ? 2 : 1);
    });
  }

  test('without a logger, changes are not searched for', async () => {
    expect(await countReads({ reportSerialization: true })).toBe(1);
  });

  test('off, routes with the same schema share a serializer', async () => {
    const found: unknown[] = [];
    const app = ambit({ logger, reportSerialization: false });
    for (const url of ['/a', '/b']) {
      app.get(url, { schema: { response } }, (_request, reply) => {
        found.push(reply.getSerializationFunction(200));
        return asDeclared;
      });
    }
    for (const url of ['/a', '/b']) await app.inject(url);
    expect(found).toHaveLength(2);
    expect(found[0]).toBe(found[1]);
  });
});
