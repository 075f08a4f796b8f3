// Names that every object has, wherever a name may stand: a clear error at the call or at boot, or a request that works.
import { hoist } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';

const names = Object.getOwnPropertyNames(Object.prototype);
/** An object with an own property of that name, `__proto__` included. */
const own = (name: string, value: unknown): never => Object.fromEntries([[name, value]]) as never;

type App = ReturnType<(typeof flavors)[number][1]>;
type Use = (app: App, name: string) => unknown;

/** What becomes of an application that has the name somewhere: the status of a request, or the code it is refused with. */
async function outcome(make: () => App, use: Use, name: string): Promise<string> {
  try {
    const app = make();
    app.addSchema({ $id: 'shared', type: 'object' });
    await use(app, name);
    app.get('/other', ({ query }, reply) => reply.send({ names: Object.keys(query as object) }));
    const reply = await app.inject('/other');
    return String(reply.statusCode);
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

const fine = /^(?:200|FST_ERR_\w+|AMBIT_ERR_\w+)$/;

const uses: [what: string, use: Use][] = [
  ['a decorator', (app, name) => app.decorate(name as never, 1 as never)],
  ['a decorator of requests', (app, name) => app.decorateRequest(name as never, 1 as never)],
  ['a method of requests', (app, name) => app.decorateRequest(name as never, (() => 1) as never)],
  ['a decorator of replies', (app, name) => app.decorateReply(name as never, 1 as never)],
  [
    'a hook',
    (app, name) => app.addHook(name as never, (async (_a: unknown, _b: unknown, _c: unknown) => {}) as never),
  ],
  ['a media type', (app, name) => app.addContentTypeParser(name, (async () => 1) as never)],
  [
    'an option of a parser',
    (app, name) => app.addContentTypeParser('a/b', own(name, 1), (async () => 1) as never),
  ],
  ['an option of a route', (app, name) => app.get('/', own(name, 1), (() => 1) as never)],
  ['a part of a schema', (app, name) => app.get('/', { schema: own(name, {}) }, () => 1)],
  [
    'a status of a response',
    (app, name) => app.get('/', { schema: { response: own(name, {}) } }, () => ({}) as never),
  ],
  ['a config', (app, name) => app.get('/', { config: own(name, 1) }, () => 1)],
  ['a constraint', (app, name) => app.get('/', { constraints: own(name, 'a') }, () => 1)],
  ['a method', (app, name) => app.route({ method: name, url: '/', handler: () => 1 })],
  ['a level of a route', (app, name) => app.get('/', { logLevel: name }, () => 1)],
  ['a level of a plugin', (app, name) => void app.register(async () => {}, { logLevel: name } as never)],
  ['an option of a plugin', (app, name) => void app.register(async () => {}, own(name, 1))],
  ['a plugin', (app, name) => void app.register(hoist(async () => {}, { name }))],
  ['a dependency', (app, name) => void app.register(hoist(async () => {}, { dependencies: [name] }))],
  ['a shared schema', (app, name) => app.addSchema({ $id: name })],
  ['an option of inject', (app, name) => app.inject({ url: '/', ...(own(name, 1) as object) } as never)],
  [
    'a question',
    (app, name) => {
      const answers = [app.hasDecorator(name), app.hasRequestDecorator(name), app.hasReplyDecorator(name)];
      const others = [app.hasPlugin(name), app.hasContentTypeParser(name), app.hasConstraintStrategy(name)];
      expect(app.getSchema(name)).toBeUndefined();
      expect(app.hasRoute({ method: name, url: '/' })).toBe(false);
      expect([...answers, ...others].every((answer) => typeof answer === 'boolean')).toBe(true);
    },
  ],
];

describe.each(flavors)('%s', (_flavor, make) => {
  for (const [what, use] of uses) {
    test(`as ${what}`, async () => {
      for (const name of names) expect(await outcome(() => make(), use, name), name).toMatch(fine);
    });
  }

  test('as an option of the factory', async () => {
    for (const name of names) {
      expect(
        await outcome(
          () => make(own(name, 1)),
          () => {},
          name,
        ),
        name,
      ).toMatch(fine);
    }
  });

  test('as the log level of a route is rejected, or requests are served', async () => {
    for (const name of names) {
      const logger = { level: 'info', stream: { write: () => {} } };
      const use: Use = async (app) => {
        app.get('/', { logLevel: name }, () => 'ok');
        expect((await app.inject('/')).statusCode).toBe(200);
      };
      expect(await outcome(() => make({ logger }), use, name), name).toMatch(fine);
    }
  });

  test('as a parameter, a query key and a header of a request', async () => {
    const app = make();
    const valid = names.map((name) => ({ name, url: `/${name}` }));
    for (const { name, url } of valid) app.get(`${url}/:${name}`, () => 'ok');
    for (const { name, url } of valid) {
      const reply = await app.inject({ url: `${url}/1?${name}=1`, headers: own(name, '1') });
      expect([name, reply.body]).toEqual([name, 'ok']);
    }
  });

  test('as the media type of a body', async () => {
    const app = make();
    app.post('/', () => 'ok');
    for (const name of names) {
      const headers = { 'content-type': name };
      expect((await app.inject({ method: 'POST', url: '/', headers, payload: 'x' })).statusCode).toBe(415);
    }
  });

  test('as a declared property of a body and of a reply', async () => {
    for (const name of names.filter((each) => each !== '__proto__')) {
      const app = make();
      const schema = {
        type: 'object',
        properties: own(name, { type: 'integer' }),
        additionalProperties: false,
      };
      app.post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }) => body as never);
      const payload = { ...(own(name, '5') as object), other: 1 };
      const reply = await app.inject({ method: 'POST', url: '/', payload });
      expect([reply.statusCode, reply.body]).toEqual([200, JSON.stringify(own(name, 5))]);
    }
  });

  test('as a header of a reply: one that was not set is not there', async () => {
    const app = make();
    app.get('/:name', (request, reply) => {
      const { name } = request.params as { name: string };
      const before = [reply.hasHeader(name), reply.getHeader(name)];
      reply.header(name, 'set');
      return { before: before.map(String), after: reply.getHeader(name), has: reply.hasHeader(name) };
    });
    for (const name of names) {
      const reply = await app.inject(`/${name}`);
      expect([name, reply.json<object>()]).toEqual([
        name,
        { before: ['false', 'undefined'], after: 'set', has: true },
      ]);
    }
  });
});
