/** From when on declarations have a line, which only the inspector shows: its import, or in production its use. */
import { ambit, type Context } from 'ambit';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** The module as a program gets it by its first import; `ambit` is new, too. */
async function importAnew() {
  vi.resetModules();
  return { ...(await import('ambit')), ...(await import('@ambit/inspector')) };
}

const filesOf = (definitions: readonly { readonly name: string; readonly file: string | null }[]) =>
  Object.fromEntries(
    definitions.map(({ name, file }) => [name, file?.replace(/^.*\/|:\d+:\d+$/g, '') ?? null]),
  );

test('a declaration before the import of the inspector has no line', async () => {
  const app = ambit();
  app.decorate('early', 1);
  const { inspect } = await import('@ambit/inspector');
  app.decorate('late', 1);
  const { contexts } = await inspect(app);
  expect(filesOf(contexts[0]!.definitions)).toEqual({ early: null, late: 'declaration-lines.test.ts' });
});

test('in production, the import records nothing, and a model has lines only after the first call of `inspect`', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const { ambit: make, inspect } = await importAnew();
  const app = make();
  app.decorate('early', 1);
  app.register(async (context) => void context.decorate('ofPlugin', 1));
  const { contexts } = await inspect(app);
  expect(filesOf(contexts.flatMap(({ definitions }) => definitions))).toEqual({
    early: null,
    ofPlugin: 'declaration-lines.test.ts',
  });
});

for (const [what, options, file] of [
  ['without a guard records nothing', {}, null],
  ['with a guard records what is declared after it', { guard: () => true }, 'declaration-lines.test.ts'],
] as const) {
  test(`in production, an inspector that is registered ${what}`, async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { ambit: make, inspector, listContexts } = await importAnew();
    const app = make();
    app.register(inspector, options);
    app.register(async (context: Context) => void context.decorate('later', 1));
    await app.ready();
    const found = listContexts(app)
      .flatMap(({ definitions }) => definitions)
      .find(({ name }) => name === 'later');
    expect(found!.file?.replace(/^.*\/|:\d+:\d+$/g, '') ?? null).toBe(file);
  });
}
