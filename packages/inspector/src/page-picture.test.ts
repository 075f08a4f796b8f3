/** The picture of the tree: where its boxes are, for trees of any form, and what they say, for names of any length. */
import { inspect } from '@ambit/inspector';
import { ambit, type Context, hoist } from 'ambit';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { Model } from '../page/model.js';
// @ts-expect-error: as above.
import { contentOf, shorten, shortenStart } from '../page/picture-content.js';
// @ts-expect-error: as above.
import { visibleBoxes } from '../page/picture-detail.js';
// @ts-expect-error: as above.
import { layOut, padding } from '../page/picture-layout.js';

interface Box {
  readonly id: number;
  readonly parent: Box | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly head: number;
  readonly children: readonly Box[];
}

type Children = readonly (readonly number[])[];

const layOutTree = (children: Children, sizeOf: (id: number) => { width: number; height: number }): Box[] =>
  layOut(0, (id: number) => children[id] ?? [], sizeOf);

/** Numbers from 0 to 1 that are the same in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A tree whose contexts each have a random parent among the `reach` contexts before them: 1 is a chain. */
function makeTree(count: number, reach: number, random: () => number): Children {
  const children: number[][] = Array.from({ length: count }, () => []);
  for (let id = 1; id < count; id++) children[Math.max(0, id - 1 - Math.floor(random() * reach))]!.push(id);
  return children;
}

const right = ({ x, width }: Box) => x + width;
const bottom = ({ y, height }: Box) => y + height;
/** Sums of sizes may differ by rounding errors. */
const tolerance = 1e-6;

const isInside = (box: Box, { x, y, ...outer }: Box) =>
  box.x > x &&
  box.y >= y + outer.head - padding - tolerance &&
  right(box) < x + outer.width &&
  bottom(box) < y + outer.height;

const overlap = (a: Box, b: Box) =>
  Math.min(right(a), right(b)) - Math.max(a.x, b.x) > tolerance &&
  Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y) > tolerance;

const pairsOf = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((a, i) => items.slice(i + 1).map((b): [Item, Item] => [a, b]));

const trees: [what: string, count: number, reach: number][] = [
  ['one context', 1, 1],
  ['a chain', 200, 1],
  ['300 siblings', 301, 1_000_000],
  ...Array.from({ length: 60 }, (_, i): [string, number, number] => [
    `tree ${i}`,
    2 + ((i * 37) % 150),
    1 + ((i * i) % 40),
  ]),
];

test.each(trees)('%s: children are inside their parent, below what it says, and never overlap', (...tree) => {
  const [, count, reach] = tree;
  const random = makeRandom(count * 1_000 + reach);
  const children = makeTree(count, reach, random);
  const sizes = children.map(() => ({ width: 40 + random() * 300, height: 20 + random() * 200 }));
  const boxes = layOutTree(children, (id) => sizes[id]!);
  expect(boxes.map(({ id }) => id).sort((a, b) => a - b)).toEqual(children.map((_, id) => id));
  for (const box of boxes) {
    expect(box.children.map(({ id }) => id)).toEqual(children[box.id]);
    expect(box.width).toBeGreaterThanOrEqual(sizes[box.id]!.width);
    expect(box.head).toBeGreaterThanOrEqual(sizes[box.id]!.height);
    expect(box.children.filter((child) => !isInside(child, box))).toEqual([]);
    expect(pairsOf(box.children).filter(([a, b]) => overlap(a, b))).toEqual([]);
  }
});

test('300 siblings fill something like a window, in columns', () => {
  const boxes = layOutTree(
    makeTree(301, 1_000_000, () => 1),
    () => ({ width: 120, height: 60 }),
  );
  const [root] = boxes;
  expect(root!.width / root!.height).toBeGreaterThan(1);
  expect(root!.width / root!.height).toBeLessThan(2.5);
  const columns = new Set(root!.children.map(({ x }) => x));
  expect(columns.size * new Set(root!.children.map(({ y }) => y)).size).toBeLessThan(340);
});

test('small boxes are below each other beside a high one, and end with it', () => {
  const sizes = [10, 80, 300, 90, 20].map((height) => ({ width: 100, height }));
  const [root] = layOutTree([[1, 2, 3, 4]], (id) => sizes[id]!);
  const [second, highest, first, third] = root!.children;
  expect([first!.y, highest!.x < first!.x]).toEqual([highest!.y, true]);
  expect([second!.x, third!.x]).toEqual([first!.x, first!.x]);
  expect(bottom(third!)).toBe(bottom(highest!));
});

test('a tree of 20,000 levels has a picture', () => {
  const chain = Array.from({ length: 20_000 }, (_, id) => (id === 19_999 ? [] : [id + 1]));
  const boxes = layOutTree(chain, () => ({ width: 100, height: 20 }));
  expect(boxes).toHaveLength(20_000);
  expect(boxes[0]!.width).toBeGreaterThan(20_000);
});

describe('at any scale', () => {
  const screen = { width: 900, height: 600 };
  const boxes = layOutTree(makeTree(1_000, 30, makeRandom(11)), () => ({ width: 150, height: 80 }));
  const [root] = boxes;
  const whole = Math.min(screen.width / root!.width, screen.height / root!.height);
  const look = (scale: number, at: Box = root!): { box: Box; detail: string }[] =>
    visibleBoxes(root, { scale, x: -at.x * scale, y: -at.y * scale }, screen);
  const scales = Array.from({ length: 12 }, (_, i) => whole * 1.6 ** i);

  test.each(scales)('(%d) a name in the middle of a box covers only shapes that have no name', (scale) => {
    const details = new Map(look(scale).map(({ box, detail }) => [box, detail]));
    for (const [{ parent }, detail] of details) {
      const isCovered = ['labelled', 'plain'].includes(details.get(parent!) ?? '');
      expect(isCovered && detail !== 'plain').toBe(false);
    }
  });

  test('from afar there are names, but few; close by, boxes say all, and few of them are drawn', () => {
    const named = look(whole).filter(({ detail }) => detail === 'named' || detail === 'labelled');
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThan(100);
    const close = look(1, boxes.at(-1));
    expect(new Set(close.map(({ detail }) => detail))).toEqual(new Set(['full']));
    expect(close.length).toBeLessThan(100);
  });

  test('what is outside the window is not drawn', () => {
    expect(visibleBoxes(root, { scale: 1, x: screen.width, y: 0 }, screen)).toEqual([]);
    expect(visibleBoxes(root, { scale: 1, x: 0, y: -root!.height }, screen)).toEqual([]);
  });
});

describe('a box', () => {
  interface Content {
    readonly width: number;
    readonly height: number;
    readonly texts: readonly {
      readonly text: string;
      readonly kind: string;
      readonly x: number;
      readonly y: number;
    }[];
    readonly marks: readonly {
      readonly text: string;
      readonly kind: string;
      readonly x: number;
      readonly width: number;
    }[];
  }
  const measure = (text: string) => text.length * 7;
  const describeRoot = async (app: Context, inside = 0): Promise<Content> =>
    contentOf(new Model(await inspect(app)), 0, inside, 0, measure);
  const textsOf = ({ texts, marks }: Content) => [
    ...texts.map(({ kind, text }) => `${kind}: ${text}`),
    ...marks.map(({ kind, text }) => `${kind}: ${text}`),
  ];

  test('has its prefix, its hoisted plugins with what they add, its guards, and the number of everything else', async () => {
    const app = ambit();
    app.register(hoist(async (context: Context) => void context.decorate('db', 1), { name: 'database' }));
    app.decorateRequest('user', null);
    app.addHook('onRequest', async function checkToken() {});
    app.addHook('onSend', async function addHeader() {});
    app.get('/', () => 'x');
    expect(textsOf(await describeRoot(app, 3))).toEqual([
      'name: ambit',
      'plugin: ↥ database',
      'adds: db',
      'guard: checkToken',
      'requestDecorator: 1 request decorator',
      'hook: 1 hook',
      'route: 1 route',
      'inside: 3 contexts inside',
    ]);
  });

  test('stays small with 3,000 definitions, 100 plugins, and names of 500 characters', async () => {
    const app = ambit();
    const long = 'x'.repeat(500);
    for (let i = 0; i < 3_000; i++) app.decorate(`${long}${i}`, 1);
    for (let i = 0; i < 100; i++) app.register(hoist(async () => {}, { name: `${long}${i}` }));
    for (let i = 0; i < 100; i++)
      app.addHook(
        'onRequest',
        Object.defineProperty(async () => {}, 'name', { value: `${long}${i}` }),
      );
    const content = await describeRoot(app);
    expect(content.width).toBeLessThan(300);
    expect(content.height).toBeLessThan(320);
    for (const { x, text } of content.texts) expect(x + measure(text)).toBeLessThanOrEqual(content.width);
    for (const { x, width } of content.marks) expect(x + width).toBeLessThanOrEqual(content.width);
    expect(textsOf(content).filter((text) => / more/.test(text))).toEqual([
      'more: and 95 more hoisted plugins',
      'guard: 96 more',
    ]);
  });

  test.each([
    ['fits', 200, 'fits'],
    ['a long name', 40, 'a lo…'],
    ['👩‍🚀👩‍🚀👩‍🚀', 28, '👩‍…'],
    ['nothing', 6, ''],
    ['', 100, ''],
  ])('shortens %j for a width of %d to %j', (text, width, shortened) => {
    expect(shorten(text, width, measure)).toBe(shortened);
  });

  test('shortens a prefix at its start, because its end is its own', () => {
    expect(shortenStart('/api/users/admin', 56, measure)).toBe('…s/admin');
    expect(shortenStart('/api', 56, measure)).toBe('/api');
  });
});
