/** What a context sees, as the page works it out from the model. */
import { inspect } from '@ambit/inspector';
import { ambit, type Context, hoist } from 'ambit';
import { expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { Model } from '../page/model.js';

interface Seen {
  readonly definition: { readonly kind: string; readonly name: string };
  readonly context: { readonly name: string };
  readonly isOwn: boolean;
  readonly replacedBy: { readonly name: string } | null;
}

interface PageModel {
  visible(id: number): Seen[];
  compare(a: number, b: number): Record<'onlyA' | 'both' | 'onlyB', Seen[]>;
}

/** A root with `outer`, which has `inner`, and `other`. */
async function make(): Promise<PageModel> {
  const app = ambit();
  app
    .decorateRequest('ofRoot', 1)
    .addContentTypeParser('text/csv', (_request, _body, done) => done(null, ''));
  app.setErrorHandler(() => {});
  app.register(async function outer(context: Context) {
    context.decorateRequest('ofOuter', 1);
    context.register(async function inner(deeper) {
      deeper.setErrorHandler(() => {});
      deeper.removeContentTypeParser('text/csv');
    });
  });
  app.register(async function other(context) {
    context.decorateRequest('ofOther', 1);
  });
  return new Model(await inspect(app)) as PageModel;
}

const names = (seen: readonly Seen[]) => seen.map(({ definition }) => definition.name);

test('a context sees the definitions of its ancestors, with the defining context', async () => {
  const seen = (await make()).visible(1);
  expect(seen.map(({ definition, context, isOwn }) => [definition.name, context.name, isOwn])).toEqual([
    ['ofRoot', 'ambit', false],
    ['text/csv', 'ambit', false],
    ['errorHandler', 'ambit', false],
    ['ofOuter', 'outer', true],
  ]);
});

test('a definition that a context replaces or removes is marked', async () => {
  const hidden = (await make()).visible(2).filter(({ replacedBy }) => replacedBy !== null);
  expect(hidden.map(({ definition, replacedBy }) => [definition.name, replacedBy!.name])).toEqual([
    ['text/csv', 'inner'],
    ['errorHandler', 'inner'],
  ]);
});

test('a comparison of two contexts has the definitions that only one sees', async () => {
  const { onlyA, both, onlyB } = (await make()).compare(1, 3);
  expect([names(onlyA), names(both), names(onlyB)]).toEqual([
    ['ofOuter'],
    ['ofRoot', 'text/csv', 'errorHandler'],
    ['ofOther'],
  ]);
});

test('lists leave out what belongs to the framework and its tools, unless the switch shows it', async () => {
  const app = ambit({ health: true });
  app.register(hoist(async (context: Context) => void context.decorate('ofTool', 1), '@ambit/tool'));
  app.decorate('mine', 1).get('/mine', () => 'mine');
  const data = await inspect(app);
  for (const [showsOwn, urls, definitions, children] of [
    [false, ['/mine'], ['mine'], []],
    [true, ['/mine', '/mine', '/livez', '/livez', '/readyz', '/readyz'], ['mine', 'ofTool'], [1]],
  ] as const) {
    const model = new Model(data, showsOwn);
    expect(model.hasOwn).toBe(true);
    expect(model.listed(model.routes).map(({ url }: { url: string }) => url)).toEqual(urls);
    const found = model.definitionsOf(0).map(({ name }: { name: string }) => name);
    expect(found.filter((name: string) => /mine|ofTool/.test(name)).sort()).toEqual(definitions);
    expect(model.children[0]).toEqual(children);
    expect(model.pluginsIn(0).hoisted).toHaveLength(showsOwn ? 1 : 0);
  }
});
