/** What is recorded of declarations if no tool has called `recordDeclarationSites`. `inspect.test.ts` tests the other case. */
import {
  type Context,
  hoist,
  listContexts,
  listPlugins,
  listRoutes,
  listSteps,
  recordDeclarationSites,
} from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';

afterEach(() => vi.restoreAllMocks());

/** How many stack traces something collects. */
function countTraces(run: () => unknown): number {
  const collected = vi.spyOn(Error, 'captureStackTrace');
  run();
  const { length } = collected.mock.calls;
  collected.mockRestore();
  return length;
}

/** Every kind of declaration whose line is only for tools. */
const declarations: readonly (readonly [what: string, declare: (app: Context) => unknown])[] = [
  ['a decorator', (app) => app.decorate('unit', 1)],
  ['a decorator of requests', (app) => app.decorateRequest('unit', 1)],
  ['a decorator of replies', (app) => app.decorateReply('unit', 1)],
  ['a hook of requests', (app) => app.addHook('onRequest', async () => {})],
  ['a hook of replies', (app) => app.addHook('onSend', async () => {})],
  ['a parser', (app) => app.addContentTypeParser('text/csv', async () => '')],
  ['a removed parser', (app) => app.removeContentTypeParser('text/plain')],
  ['an error handler', (app) => app.setErrorHandler(() => {})],
  ['a not-found handler', (app) => app.setNotFoundHandler(() => '')],
  ['a validator compiler', (app) => app.setValidatorCompiler(() => () => true)],
  ['a serializer compiler', (app) => app.setSerializerCompiler(() => () => '')],
  ['a formatter of errors', (app) => app.setSchemaErrorFormatter(() => new Error())],
  ['a serializer of replies', (app) => app.setReplySerializer(() => '')],
];

describe.each(flavors)('on %s', (_flavor, make) => {
  test.each(declarations)('%s collects no stack trace', async (_what, declare) => {
    const app = make();
    expect(countTraces(() => declare(app))).toBe(0);
    await app.close();
  });

  test('a route collects one stack trace, which its HEAD route shares, a plugin one and a schema one', async () => {
    const app = make();
    expect(countTraces(() => app.get('/x', () => ''))).toBe(1);
    expect(countTraces(() => app.register(async () => {}))).toBe(1);
    expect(countTraces(() => app.addSchema({ $id: 'unit', type: 'object' }))).toBe(1);
    await app.ready();
    const places = listRoutes(app).map(({ method, where }) => [method, where.file]);
    expect(places).toEqual([
      ['GET', expect.stringMatching(/definitions\.test\.ts:\d+:\d+$/)],
      ['HEAD', places[0]![1]],
    ]);
    expect(listPlugins(app)[0]!.file).toMatch(/definitions\.test\.ts:\d+:\d+$/);
  });

  test('boot and requests collect none', async () => {
    const app = make();
    for (const [, declare] of declarations) declare(app);
    app.get('/x', () => 'ok');
    const collected = vi.spyOn(Error, 'captureStackTrace');
    await app.ready();
    await app.inject('/x');
    expect(collected).not.toHaveBeenCalled();
  });

  test('the limit of stack traces that the application has set stays, and does not apply to lines', async () => {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = 1;
    const app = make();
    app.get('/x', () => '');
    const after = Error.stackTraceLimit;
    Error.stackTraceLimit = before;
    expect(after).toBe(1);
    await app.ready();
    expect(listRoutes(app)[0]!.where.file).toMatch(/definitions\.test\.ts:\d+:\d+$/);
  });

  test('what a plugin adds to a route by an onRoute hook has no line and no plugin', async () => {
    const app = make();
    app.register(
      hoist(
        (context: Context) => {
          context.addHook('onRoute', (route) => {
            route.preHandler = async function limit() {};
          });
        },
        { name: 'limiter' },
      ),
    );
    app.register(async (context) => void context.get('/x', () => ''));
    await app.ready();
    const step = listSteps(listRoutes(app)[0]!).find(({ name }) => name === 'preHandler');
    expect(step).toMatchObject({ from: 'onRoute', file: undefined, plugin: undefined });
  });
});

/** Declared before a tool asks for lines. */
const early = flavors.map(([flavor, make]) => {
  const app = make();
  app.decorate('early', 1).addHook('onRequest', async function early() {});
  return [flavor, app] as const;
});

describe.each(early)('an application of %s that a tool looks at late', (_flavor, app) => {
  test('has the lines of what was declared after the tool had asked, and everything else of all', async () => {
    recordDeclarationSites();
    app.decorate('late', 1);
    app.register(async (context) => void context.get('/x', () => ''));
    await app.ready();
    const { definitions } = listContexts(app)[0]!;
    expect(definitions.map(({ kind, name, file }) => [kind, name, file?.replace(/^.*\/|:.*$/g, '')])).toEqual(
      [
        ['decorator', 'early', undefined],
        ['hook', 'onRequest', undefined],
        ['decorator', 'late', 'definitions.test.ts'],
      ],
    );
    const [step] = listSteps(listRoutes(app)[0]!);
    expect(step).toMatchObject({ name: 'onRequest', from: 'context', file: undefined, context: app });
    expect(step!.function!.name).toBe('early');
  });
});
