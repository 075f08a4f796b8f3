// `null` where an object or a function is expected: as in Fastify, or a clear error at the call or at boot, never a broken request.
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';
import { factoryOptions, routeOptions, words } from './support/option-names.ts';

type App = ReturnType<(typeof flavors)[number][1]>;
const nothing = null as never;

async function outcome(make: () => App, use: (app: App) => unknown = () => {}): Promise<string> {
  try {
    const app = make();
    await use(app);
    app.route({ method: ['GET', 'POST'], url: '/other', handler: ({ body }) => ({ body }) });
    const replies = [await app.inject('/other')];
    replies.push(await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } }));
    return replies.map(({ statusCode }) => statusCode).join();
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

const fine = /^(?:200,200|FST_ERR_\w+|AMBIT_ERR_\w+)$/;

const options = [...factoryOptions, ...words('headersTimeout reportSerialization compile compiled')];
const calls: [what: string, use: (app: App) => unknown][] = [
  ['register', (app) => void app.register(nothing)],
  ['the options of register', (app) => void app.register(async () => {}, nothing)],
  [
    'the prefix of register',
    (app) => void app.register(async () => {}, { prefix: nothing, logLevel: nothing }),
  ],
  ['route', (app) => app.route(nothing)],
  ['the options of a shortcut', (app) => app.get('/', nothing, () => 1)],
  ['the handler of a shortcut', (app) => app.get('/', nothing)],
  ['the name of a hook', (app) => app.addHook(nothing, nothing)],
  ['a hook', (app) => app.addHook('onRequest', nothing)],
  ['the onClose hook', (app) => app.addHook('onClose', nothing as never)],
  ['a decorator', (app) => app.decorate('a' as never, nothing)],
  ['a decorator of requests', (app) => app.decorateRequest('a' as never, nothing)],
  ['a decorator of replies', (app) => app.decorateReply('a' as never, nothing)],
  ['the dependencies of a decorator', (app) => app.decorate('a' as never, 1 as never, nothing)],
  ['addSchema', (app) => app.addSchema(nothing)],
  ['a parser', (app) => app.addContentTypeParser('a/b', nothing)],
  ['the options of a parser', (app) => app.addContentTypeParser('a/b', nothing, (async () => 1) as never)],
  ['the media type of a parser', (app) => app.addContentTypeParser(nothing, (async () => 1) as never)],
  ['setErrorHandler', (app) => app.setErrorHandler(nothing)],
  ['setNotFoundHandler', (app) => app.setNotFoundHandler(nothing)],
  ['the options of setNotFoundHandler', (app) => app.setNotFoundHandler(nothing, () => 1)],
  ['setValidatorCompiler', (app) => app.setValidatorCompiler(nothing)],
  ['setSerializerCompiler', (app) => app.setSerializerCompiler(nothing)],
  ['setSchemaErrorFormatter', (app) => app.setSchemaErrorFormatter(nothing)],
  ['setSchemaController', (app) => app.setSchemaController(nothing)],
  ['setReplySerializer', (app) => app.setReplySerializer(nothing)],
  ['setChildLoggerFactory', (app) => app.setChildLoggerFactory(nothing)],
  ['setGenReqId', (app) => app.setGenReqId(nothing)],
  ['addConstraintStrategy', (app) => app.addConstraintStrategy(nothing)],
  ['addHttpMethod', (app) => app.addHttpMethod(nothing)],
  ['the options of addHttpMethod', (app) => app.addHttpMethod('COPY', nothing)],
  ['hasRoute', (app) => app.hasRoute(nothing)],
  ['findRoute', (app) => app.findRoute(nothing)],
  ['printRoutes', (app) => app.printRoutes(nothing)],
  ['after', (app) => void app.after(nothing)],
  ['ready', (app) => app.ready(nothing)],
];

describe.each(flavors)('%s takes null, or refuses it by a code, in the place of', (_flavor, make) => {
  test('all options', async () => {
    expect(await outcome(() => make(nothing))).toMatch(fine);
  });

  for (const name of options) {
    test(`the option ${name}`, async () => {
      expect(await outcome(() => make({ [name]: nothing }))).toMatch(fine);
    });
  }

  for (const name of [...routeOptions, 'url', 'method']) {
    test(`the option ${name} of a route`, async () => {
      const route = { method: 'GET', url: '/', handler: () => 'ok', [name]: nothing };
      const use = async (app: App): Promise<void> => {
        app.route(route as never);
        expect((await app.inject('/')).statusCode).toBe(200);
      };
      // The router takes a route declared later only before boot: the request above is what counts.
      expect(await outcome(() => make(), use)).toMatch(
        /^FST_ERR_INSTANCE_ALREADY_LISTENING$|^200,200$|^FST_ERR_|^AMBIT_ERR_/,
      );
    });
  }

  for (const [what, use] of calls) {
    test(what, async () => {
      expect(await outcome(() => make(), use)).toMatch(fine);
    });
  }

  for (const request of [null, { url: null }, { url: '/', headers: null }, { url: '/', query: null }]) {
    test(`a part of a request to inject, ${JSON.stringify(request)}, and it rejects as in Fastify or is served`, async () => {
      const answered = make().inject(request as never);
      const settled = await Promise.resolve(answered).then(
        ({ statusCode }) => statusCode,
        (error: unknown) => error instanceof Error,
      );
      expect([true, 404]).toContain(settled);
    });
  }

  test('the options of listen', async () => {
    const app = make();
    await expect((async () => app.listen(nothing))()).rejects.toMatchObject({
      code: 'FST_ERR_LISTEN_OPTIONS_INVALID',
    });
    await app.close();
  });
});
