/** The rows of the waterfall, as the page works them out from the model. */
import { setTimeout } from 'node:timers/promises';
import { inspect } from '@ambit/inspector';
import { ambit, type Context, hoist } from 'ambit';
import { expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { bootRows, slowest, tickMs } from '../page/boot-rows.js';
// @ts-expect-error: as above.
import { Model } from '../page/model.js';

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly depth: number;
  readonly waitedFor: string | null;
  readonly queuedMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly idleMs: number;
  readonly loadedMs: number;
}

const rowsOf = async (app: Context): Promise<Row[]> => bootRows(new Model(await inspect(app)));

test('rows are in the order of time, each below the plugin that registered it', async () => {
  const app = ambit();
  app.register(hoist(async () => {}, { name: 'first' }));
  app.register(async function outer(context: Context) {
    context.register(async function inner() {});
    context.after(async function warmUp() {});
  });
  app.register(async function last() {});
  const rows = await rowsOf(app);
  expect(rows.map(({ name, kind, depth, waitedFor }) => [name, kind, depth, waitedFor])).toEqual([
    ['first', 'hoisted', 0, null],
    ['outer', 'plugin', 0, 'first'],
    ['inner', 'plugin', 1, null],
    ['warmUp', 'after', 1, null],
    ['last', 'plugin', 0, 'outer'],
  ]);
});

test('the parts of a row follow each other: its turn, its own code, what it registered', async () => {
  const app = ambit();
  app.register(async function outer(context: Context) {
    context.register(async function inner() {});
  });
  app.register(async function last() {});
  for (const { queuedMs, startMs, endMs, idleMs, loadedMs } of await rowsOf(app)) {
    expect(queuedMs).toBeLessThanOrEqual(startMs);
    expect(startMs).toBeLessThanOrEqual(endMs);
    expect(endMs).toBeLessThanOrEqual(loadedMs);
    expect(idleMs).toBeLessThanOrEqual(endMs - startMs);
  }
});

test('a plugin that waits for something outside is idle, and another one is not', async () => {
  const app = ambit();
  app.register(async function waits() {
    const idle = () => performance.eventLoopUtilization().idle;
    for (const end = idle() + 1; idle() < end; ) await setTimeout(1);
  });
  app.register(async function works() {});
  const [waits, works] = await rowsOf(app);
  expect(waits!.idleMs).toBeGreaterThan(0);
  expect(works!.idleMs).toBe(0);
});

test('the slowest rows are those with the longest code of their own, unless it is a trifle', () => {
  const row = (name: string, startMs: number, endMs: number) => ({ name, startMs, endMs, loadedMs: 1_000 });
  const rows = [row('a', 0, 5), row('none', 5, 5), row('b', 5, 60_000), row('c', 7, 8)];
  const namesOf = (number: number, totalMs: number) =>
    slowest(rows, number, totalMs).map(({ name }: { name: string }) => name);
  expect(namesOf(2, 100)).toEqual(['b', 'a']);
  expect(namesOf(9, 0)).toEqual(['b', 'a', 'c']);
  expect(namesOf(9, 60_000)).toEqual(['b']);
});

test.each([
  [0, 1],
  [0.004, 0.001],
  [6, 1],
  [7, 2],
  [450, 100],
  [60_000, 10_000],
])('a boot of %d ms has a tick every %d ms', (totalMs, step) => {
  expect(tickMs(totalMs, 6)).toBeCloseTo(step, 9);
});
