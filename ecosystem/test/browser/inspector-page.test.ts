/** The page of `@ambit/inspector` as a reader sees it: in a browser, with its scripts run and its policy applied. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inspector } from '@ambit/inspector';
import { ambit, type Context } from 'ambit';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { screenshotPath, useBrowser, type Visit, violations } from '../support/browser.ts';
import { makeInspectedApp, makeLargeApp } from '../support/inspected-app.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();

async function open(
  app: FastifyInstance = makeInspectedApp(),
  hash = '',
): Promise<Visit & { origin: string }> {
  const origin = await serve(app);
  await fetch(`${origin}/api/notes/1?token=secret`);
  await fetch(`${origin}/nowhere`);
  const visit = await browser.open(`${origin}/__ambit${hash}`);
  await visit.page.locator('main h1').first().waitFor();
  return { ...visit, origin };
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.locator('main h1').first().waitFor();
}

/** Each view, and what has to be there before one looks at it. */
const views = [
  ['tree', '#/tree', '[role=treeitem]'],
  ['context', '#/context/3/list', '.details .definitions li'],
  ['picture', '#/context/3/picture', '.box.is-selected'],
  ['routes', '#/routes', '.route-row'],
  ['route', '#/route/2', '.schema .schema-tree'],
  ['code', '#/code/2/0', '.code-text'],
  ['requests', '#/requests/1', '.timing li'],
  ['boot', '#/boot', '.boot-row'],
  ['process', '#/process', '.process-line'],
  ['compare', '#/compare/1/3', '.compare-column li'],
] as const;

for (const [size, width, height] of [
  ['a desk', 1280, 800],
  ['a phone', 390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on ${size}, ${colorScheme}: no view breaks a rule of axe, and none is wider than the window`, async () => {
      const { page, complaints, requests, origin } = await open();
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      for (const [name, hash, shown] of views) {
        await go(page, hash);
        await page.locator(shown).first().waitFor();
        expect([name, await violations(page)]).toEqual([name, []]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
        await page.screenshot({ path: screenshotPath(`inspector ${name}, ${size}, ${colorScheme}`) });
      }
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
    });
  }
}

for (const width of [1440, 390]) {
  test(`nothing moves by itself in a window of ${width} pixels, also while requests arrive`, async () => {
    const { page, origin } = await open(makeInspectedApp(), '#/tree');
    await page.setViewportSize({ width, height: 844 });
    for (const [, hash, shown] of views) {
      await page.goto('about:blank');
      await page.goto(`${origin}/__ambit${hash}`);
      await page.locator(shown).first().waitFor();
      await fetch(`${origin}/api/notes/1`);
      expect([hash, await page.evaluate(layoutShifts)]).toEqual([hash, []]);
    }
    await go(page, '#/requests');
    for (let i = 0; i < 20; i++) await fetch(`${origin}/about?${i}`);
    await page.locator('.request-row').filter({ hasText: '/about?19' }).waitFor();
    expect(await page.evaluate(layoutShifts)).toEqual([]);
  });
}

/** Runs in the page: what has moved without an action of the user, as browsers count it for CLS. */
const layoutShifts = `new Promise((resolve) => {
  const shifts = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      for (const { node, previousRect, currentRect } of entry.sources)
        shifts.push([node?.className, JSON.stringify(previousRect), JSON.stringify(currentRect)]);
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  // What is buffered comes in a task of its own.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts))));
})`;

test.each([
  ['#/tree', '.tree-context', '.edge.is-top', '[aria-selected=true]'],
  ['#/routes', '.route-row', '.row-link', ''],
  ['#/requests/1', '.request-row', '.row-link', ':has(.is-selected)'],
  ['#/boot', '.boot-row', '.boot-link', ''],
])(
  'in %s, the row below the pointer, the one with the focus and the selected one look different',
  async (...list) => {
    const [hash, row, ground, selection] = list;
    const { page } = await open(makeInspectedApp(), hash);
    const looks = (chosen: string) =>
      page.evaluate<string>(`{
      const { backgroundColor, boxShadow, outlineStyle } = getComputedStyle(document.querySelector(${JSON.stringify(chosen)}));
      [backgroundColor, boxShadow, outlineStyle].join(' ');
    }`);
    const other = selection === '' ? row : `${row}:not(${selection})`;
    await page.locator(other).first().waitFor();
    const plain = await looks(`${other} ${ground}`);
    await page.locator(other).first().hover();
    await expect.poll(() => looks(`${other}:hover ${ground}`)).not.toBe(plain);
    const seen = [plain, await looks(`${other}:hover ${ground}`)];
    await page.mouse.move(0, 0);
    if (selection !== '') seen.push(await looks(`${row}${selection} ${ground}`));
    // The focus is visible for whoever uses the keyboard.
    await page.keyboard.press('Tab');
    const focusable = row === '.tree-context' ? '[role=tree]' : `${other} ${ground}`;
    await page.locator(focusable).first().focus();
    await expect
      .poll(() =>
        looks(row === '.tree-context' ? `${row}${selection} ${ground}` : `${other} ${ground}:focus`),
      )
      .toMatch(/ solid$/);
    expect(new Set(seen).size).toBe(seen.length);
  },
);

describe('by keyboard', () => {
  test('the arrow keys walk through the tree, and fold and unfold it', async () => {
    const { page } = await open();
    await page.locator('[role=tree]').focus();
    const selected = () => page.locator('[aria-selected=true] .name').textContent();
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toBe('api');
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toBe('notes');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await selected()).toBe('api');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('[role=treeitem]').filter({ hasText: 'notes' }).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    expect(await selected()).toBe('site');
    expect(await page.locator('.details h2').first().textContent()).toBe('site');
  });

  test('a slash begins a search, and Enter opens what it found', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('sessions');
    await page.locator('[role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.details h2').filter({ hasText: 'users' }).waitFor();
  });
});

test('a route says why each step runs, what its serializer changed, and can be tried', async () => {
  const { page } = await open(makeInspectedApp(), '#/routes');
  await page.locator('.route-row a').filter({ hasText: 'readNote' }).click();
  const steps = page.locator('.step');
  await steps.filter({ hasText: 'checkToken' }).waitFor();
  expect(await steps.filter({ hasText: 'checkToken' }).textContent()).toContain(
    'and this context inherits it',
  );
  expect(await steps.filter({ hasText: 'limitRate' }).textContent()).toContain(
    'by an onRoute hook of rate-limit',
  );
  await page.locator('.changes').filter({ hasText: '/secret' }).waitFor();
  await page.getByLabel(':id').fill('5');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.answer .status').filter({ hasText: '200' }).waitFor();
  expect(await page.locator('.answer pre').first().textContent()).toContain('"id": 5');
});

test('requests appear as they come, without secrets', async () => {
  const { page, origin } = await open(makeInspectedApp(), '#/requests');
  await page.locator('.request-row').filter({ hasText: 'token=[redacted]' }).waitFor();
  await fetch(`${origin}/about`);
  await page.locator('.request-row').filter({ hasText: '/about' }).waitFor();
  expect(await page.locator('body').textContent()).not.toContain('secret');
});

test('requests that came before the view was opened are there, and a pause holds back what comes', async () => {
  const { page, origin } = await open(makeInspectedApp());
  await go(page, '#/requests');
  await page.locator('.request-row').filter({ hasText: '/nowhere' }).waitFor();
  await page.getByLabel('pause').check();
  await fetch(`${origin}/about`);
  await page.locator('.lead').filter({ hasText: '1 more since the pause' }).waitFor();
  expect(await page.locator('.request-row').filter({ hasText: '/about' }).count()).toBe(0);
  await page.getByLabel('pause').uncheck();
  await page.locator('.request-row').filter({ hasText: '/about' }).waitFor();
});

test('an address that leads nowhere shows a view, and breaks nothing', async () => {
  const { page, complaints } = await open();
  for (const hash of [
    '#/context/999',
    '#/context/x',
    '#/compare/999/x',
    '#/compare',
    '#/route/999',
    '#/route/__proto__',
    '#/requests/x',
    '#/constructor',
    '#/__proto__',
    '#/toString/1',
    '#',
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.locator('main h1, main .empty').first().waitFor();
  }
  expect(complaints).toEqual([]);
});

test('an application without anything says so in every view', async () => {
  const app = ambit();
  app.register(inspector);
  const visit = await browser.open(`${await serve(app as unknown as FastifyInstance)}/__ambit`);
  for (const [hash, text] of [
    ['#/routes', 'No routes.'],
    ['#/requests', 'No requests yet.'],
    ['#/boot', 'No plugins.'],
  ] as const) {
    await go(visit.page, hash);
    await visit.page.locator('main .empty').filter({ hasText: text }).waitFor();
    expect(await violations(visit.page)).toEqual([]);
  }
  expect(visit.complaints).toEqual([]);
});

test('the form fills patterns as the router reads them, and never sends to another host', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  app.register(inspector);
  app.get('/orders/:id(^\\d+$)/:part?', async ({ params }) => params as never);
  app.get('//evil.example/x', async () => 'here');
  const { page, requests, origin } = await open(app as unknown as FastifyInstance, '#/route/0');
  await page.getByLabel(':id(^\\d+$)').fill('42');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.answer pre').filter({ hasText: '"id": "42"' }).waitFor();
  await go(page, '#/route/1');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.answer pre').filter({ hasText: 'here' }).waitFor();
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test('a schema that refers to itself has a link to its place', async () => {
  const app = ambit();
  app.register(inspector);
  app.addSchema({ $id: 'node', type: 'object', properties: { next: { $ref: '#' } } });
  app.post(
    '/',
    { schema: { body: { type: 'object', properties: { first: { $ref: 'node#' } } } } },
    async () => 'ok',
  );
  const { page } = await open(app as unknown as FastifyInstance, '#/route/0');
  await page.locator('summary').filter({ hasText: 'as compiled' }).click();
  await page.locator('.schema').filter({ hasText: 'shared schema node' }).waitFor();
  await page.getByRole('button', { name: '#/properties/first' }).click();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('{');
});

describe('the waterfall', () => {
  test('has the listeners of after, and what waited for something outside', async () => {
    const app = makeInspectedApp();
    (app as unknown as Context).register(async function connects() {
      const idle = () => performance.eventLoopUtilization().idle;
      for (const end = idle() + 1; idle() < end; ) await setTimeout(1);
    });
    (app as unknown as Context).after(async function warmUp() {});
    const { page } = await open(app, '#/boot');
    await page.locator('.boot-row').filter({ hasText: 'warmUp' }).locator('.boot-after').waitFor();
    await page.locator('.boot-row').filter({ hasText: 'connects' }).locator('.boot-idle').waitFor();
    expect(await page.locator('.boot-row').filter({ hasText: 'slowest' }).count()).toBe(1);
  });

  test('shows the numbers of a row to the pointer and to the keyboard', async () => {
    const { page } = await open(makeInspectedApp(), '#/boot');
    const tip = page.locator('.boot-tip');
    await page.locator('.boot-row .name', { hasText: 'rate-limit' }).hover();
    await tip.filter({ hasText: 'rate-limit' }).waitFor();
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
    await page.locator('.boot-slowest button').first().click();
    await tip.filter({ hasText: 'its own code' }).waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'hidden' });
  });
});

describe('the picture', () => {
  const openPicture = (app?: FastifyInstance) => open(app, '#/tree/picture');
  const selected = (page: Page) => page.locator('.box.is-selected .box-name').textContent();

  test('is chosen by a switch, which the address keeps', async () => {
    const { page } = await open(makeInspectedApp(), '#/context/2');
    await page.getByRole('link', { name: 'Picture' }).click();
    await page.locator('.box').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#/context/2/picture');
    expect(await selected(page)).toBe('notes');
    await page.reload();
    await page.locator('.box.is-selected').waitFor();
    await page.goBack();
    await page.locator('[role=tree]').waitFor();
    expect(new URL(page.url()).hash).toBe('#/context/2/list');
  });

  test('has a box for each context, inside that of its parent; a click shows the same details as the list', async () => {
    const { page } = await openPicture();
    await page.locator('.box').nth(5).waitFor();
    const names = await page.locator('.box-name').allTextContents();
    expect(names.sort()).toEqual(['admin', 'ambit', 'api', 'notes', 'site', 'users']);
    const boxOf = async (name: string) => {
      const box = page.locator('.box').filter({ has: page.locator('.box-name', { hasText: name }) });
      return (await box.locator('.box-shape').boundingBox())!;
    };
    const [users, admin] = [await boxOf('users'), await boxOf('admin')];
    expect(admin.x > users.x && admin.y > users.y).toBe(true);
    expect(admin.x + admin.width < users.x + users.width).toBe(true);
    await page.mouse.click(admin.x + admin.width - 4, admin.y + admin.height / 2);
    await page.locator('.details h2').filter({ hasText: 'admin' }).waitFor();
    expect(await page.locator('.mark.kind-guard').allTextContents()).toEqual(['checkToken', 'requireAdmin']);
  });

  test('by keyboard, one walks beside, into and out of boxes, folds them, and zooms', async () => {
    const { page } = await openPicture();
    await page.locator('.box').first().waitFor();
    await page.locator('.picture-stage').focus();
    for (const [key, name] of [
      ['Enter', 'api'],
      ['Enter', 'notes'],
      ['ArrowLeft', 'users'],
      ['ArrowRight', 'notes'],
      ['Escape', 'api'],
      ['ArrowDown', 'site'],
      ['ArrowUp', 'api'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator('.box.is-selected .box-name').filter({ hasText: name }).waitFor();
    }
    await page.keyboard.press('Space');
    await page.locator('.mark.kind-inside').filter({ hasText: '3 contexts inside' }).waitFor();
    await page.keyboard.press('Space');
    await page.locator('.box').nth(5).waitFor();
    const scale = () => page.evaluate<number>("document.querySelector('.picture-svg > g').getCTM().a");
    const before = await scale();
    await page.keyboard.press('+');
    await expect.poll(scale).toBeGreaterThan(before);
    await page.keyboard.press('0');
    await expect.poll(scale).toBe(before);
  });

  test('is moved by dragging, and zoomed by the wheel around the pointer', async () => {
    const { page } = await openPicture();
    const shape = page.locator('.box').first().locator('.box-shape');
    const before = (await shape.boundingBox())!;
    await page.mouse.move(before.x + 10, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + 40, before.y + 30, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await shape.boundingBox())!.x).toBeCloseTo(before.x + 30, 0);
    await page.mouse.move(before.x + 30, before.y + 20);
    await page.mouse.wheel(0, -200);
    await expect.poll(async () => (await shape.boundingBox())!.width).toBeGreaterThan(before.width * 1.3);
    // What is below the pointer stays there, but for a rounded pixel: the corner of the root.
    expect((await shape.boundingBox())!.x).toBeCloseTo(before.x + 30, -1);
  });

  test('is zoomed by two fingers, and a tap chooses a context', async () => {
    const { page } = await openPicture();
    const shape = page.locator('.box').first().locator('.box-shape');
    const before = (await shape.boundingBox())!;
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: string, ...points: [x: number, y: number][]) =>
      cdp.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    const [x, y] = [before.x + before.width / 2, before.y + 20];
    await touch('touchStart', [x - 20, y], [x + 20, y]);
    await touch('touchMove', [x - 60, y], [x + 60, y]);
    await touch('touchEnd');
    await expect.poll(async () => (await shape.boundingBox())!.width / before.width).toBeGreaterThan(1.5);
    await page.getByRole('button', { name: 'Fit' }).click();
    const site = page.locator('.box').filter({ has: page.locator('.box-name', { hasText: 'site' }) });
    const { x: left, y: top, height } = (await site.last().boundingBox())!;
    await touch('touchStart', [left + 5, top + height - 5]);
    await touch('touchEnd');
    await page.locator('.details h2').filter({ hasText: 'site' }).waitFor();
  });

  test('of 1,000 contexts, ten levels deep, has few names at first, and more when one zooms', async () => {
    const { page } = await openPicture(makeLargeApp(1_000, 1_000));
    await page.locator('.box-label').first().waitFor();
    expect(await page.locator('.box-label').count()).toBeLessThan(200);
    expect(await page.locator('.box-name').count()).toBe(0);
    const labelled = (await page.locator('.box.is-labelled').first().boundingBox())!;
    await page.mouse.click(labelled.x + labelled.width / 2, labelled.y + labelled.height / 2);
    await page.locator('.box.is-labelled.is-selected').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.picture-stage').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.locator('.box.is-selected .box-name').waitFor();
    expect(await page.locator('.box').count()).toBeLessThan(100);
  });
});

/** A port whose connections go to an application that may be replaced, as one that restarts is. */
async function servePort(
  first: FastifyInstance,
): Promise<{ origin: string; replace(app: FastifyInstance): Promise<void> }> {
  let target = Number(new URL(await serve(first)).port);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    open.add(socket);
    socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async replace(app) {
      target = Number(new URL(await serve(app)).port);
      for (const socket of open) socket.destroy();
    },
  };
}

test('after a restart, the page shows the other application', async () => {
  const port = await servePort(makeInspectedApp());
  const { page } = await browser.open(`${port.origin}/__ambit#/requests`);
  await page.locator('.live.is-open').waitFor();
  await go(page, '#/tree');
  await page.locator('.tree-row .name').filter({ hasText: 'notes' }).waitFor();
  const second = ambit();
  second.register(inspector);
  second.register(async function afterwards() {});
  await port.replace(second as unknown as FastifyInstance);
  await page.locator('.tree-row .name').filter({ hasText: 'afterwards' }).waitFor();
});

test('a tree of a hundred levels stays in the window of a phone', async () => {
  const app = ambit();
  app.register(inspector);
  const deep = (level: number) =>
    async function level_(context: Context): Promise<void> {
      context.decorateRequest(`of${level}`, null);
      if (level < 100) context.register(deep(level + 1));
    };
  app.register(deep(1));
  const { page } = await open(app as unknown as FastifyInstance);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('[role=tree]').focus();
  await page.keyboard.press('End');
  const name = page.locator('[aria-selected=true] .name');
  const box = (await name.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  expect(await name.textContent()).toBe('level_');
});

test('names of the application are never read as markup', async () => {
  const app = makeInspectedApp();
  const attack = '<img src=x onerror="window.attacked = 1">';
  app.decorate(attack, 1);
  app.register(Object.defineProperty(async () => {}, 'name', { value: attack }));
  app.get('/</script><script>window.attacked=1</script>', async () => 'x');
  const { page, complaints } = await open(app);
  for (const hash of [
    '#/tree/picture',
    '#/tree/list',
    '#/routes',
    '#/route/0',
    '#/route/1',
    '#/requests',
    '#/boot',
    '#/compare/0/1',
  ]) {
    await go(page, hash);
  }
  await go(page, '#/tree/picture');
  await page.locator('.box-name').filter({ hasText: '<img src=x' }).waitFor();
  await go(page, '#/tree/list');
  await page.locator('.name').filter({ hasText: attack }).waitFor();
  expect(await page.evaluate('window.attacked')).toBe(undefined);
  expect(await page.locator('img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('1,000 contexts and 10,000 routes need only the elements that can be seen', async () => {
  const { page } = await open(makeLargeApp(1_000, 10_000));
  for (const [hash, row, count, last] of [
    ['#/tree', '.tree-row', 1_000, ''],
    ['#/routes', '.route-row', 10_000, '/module-999/resource-9/'],
    ['#/boot', '.boot-row', 1_000, 'module'],
  ] as const) {
    await go(page, hash);
    await page.locator(row).first().waitFor();
    await page.evaluate("document.querySelector('.virtual').scrollTop = 1e9");
    await page.locator(`${row}:last-child`).filter({ hasText: last }).waitFor();
    expect(await page.locator('.virtual-row').count()).toBeLessThan(count / 5);
  }
});
