/** The requests of the inspector as a reader sees them in a browser: live, filtered, copied and sent again. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { inspector } from '@ambit/inspector';
import { ambit, type Context } from 'ambit';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { screenshotPath, useBrowser, type Visit } from '../support/browser.ts';
import { fakeEvents, madeUpRequest } from '../support/made-up-requests.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Received {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** An application that fails, waits, streams and logs. */
function makeApp(): { app: FastifyInstance; received: Received[]; release: () => void } {
  const received: Received[] = [];
  let release = (): void => {};
  const app = ambit({
    logger: { level: 'trace', stream: new Writable({ write: (_line, _encoding, done) => done() }) },
  });
  app.register(inspector);
  app.register(async function notes(context: Context) {
    context.addHook('preHandler', async function noteRequest({ method, url, headers, body }) {
      received.push({ method, url, authorization: headers.authorization, body });
    });
    context.get('/notes/:id', async function readNote(request) {
      request.log.warn({ note: 42 }, 'the cache has no such note');
      const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      throw new Error('The note could not be read', { cause });
    });
    context.post('/notes', async function addNote() {
      return 'added';
    });
    context.get('/about', async () => 'about');
    context.get('/slow', async function waitForRelease() {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return 'at last';
    });
    const events = { 200: { content: { 'text/event-stream': { itemSchema: { type: 'object' } } } } };
    context.get('/events', { schema: { response: events } as never }, async function* sendEvents() {
      yield { data: 'one' };
      await new Promise(() => {});
    } as never);
  });
  return { app: app as unknown as FastifyInstance, received, release: () => release() };
}

type App = Visit & ReturnType<typeof makeApp> & { origin: string };

async function open(hash = '#/requests'): Promise<App> {
  const made = makeApp();
  const origin = await serve(made.app);
  const visit = await browser.open(`${origin}/__ambit${hash}`);
  await visit.page.locator('.live.is-open').waitFor();
  return { ...visit, ...made, origin };
}

/** A page whose requests the test makes up. */
async function openMadeUp(): Promise<{ page: Page; emit: Awaited<ReturnType<typeof fakeEvents>> }> {
  const { app } = makeApp();
  const origin = await serve(app);
  const { page } = await browser.open('about:blank');
  const emit = await fakeEvents(page);
  await page.goto(`${origin}/__ambit#/requests`);
  await page.locator('.live.is-open').waitFor();
  return { page, emit };
}

const row = (page: Page, text: string) => page.locator('.request-row').filter({ hasText: text });

async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))',
  );
}

describe('an error', () => {
  test('has a card with its message, the line that threw it, its cause, and the log lines of the request', async () => {
    const { page, origin } = await open();
    await fetch(`${origin}/notes/42`);
    expect(await row(page, '/notes/42').locator('.request-note.is-error').textContent()).toContain(
      'could not be read',
    );
    await row(page, '/notes/42').locator('a').click();
    const card = page.locator('.error-card');
    expect(await card.locator('.error-title').first().textContent()).toBe('The note could not be read');
    const marked = card.locator('.frame-line.is-marked').first();
    expect(await marked.textContent()).toContain("throw new Error('The note could not be read', { cause })");
    expect(await marked.locator('mark').count()).toBe(1);
    expect(await card.locator('.stack').first().textContent()).toContain('readNote');
    expect(await card.textContent()).toMatch(/and \d+ frames? inside/);
    expect(await card.locator('.error-cause summary').textContent()).toContain('ECONNREFUSED');
    const line = page.locator('.log-line').filter({ hasText: 'the cache has no such note' });
    expect(await line.textContent()).toMatch(/warn.*"note":42/);
  });
});

describe('while a request runs', () => {
  test('it is a row from its first byte, whose time goes on, and no other row is drawn again', async () => {
    const { page, origin, release } = await open();
    await fetch(`${origin}/about`);
    await row(page, '/about').waitFor();
    await page.evaluate(`
      window.before = document.querySelector('.request-row');
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    const response = fetch(`${origin}/slow`);
    const running = row(page, '/slow');
    await running.locator('.status-running').waitFor();
    expect(await running.locator('.request-slowest').textContent()).toContain('waitForRelease');
    const first = await running.locator('.request-ms').textContent();
    await running.locator('.request-ms').filter({ hasNotText: first! }).waitFor();
    release();
    await response;
    await running.locator('.status-2').waitFor();
    expect(await page.locator('.request-row').count()).toBe(2);
    expect(
      await page.evaluate("window.before.isConnected && window.before.textContent.includes('/about')"),
    ).toBe(true);
    expect(await page.evaluate('window.shift')).toBe(0);
  });

  test('a client that leaves an event stream is not an error, one that leaves another response is cut off', async () => {
    const { page, origin } = await open();
    for (const path of ['/events', '/slow']) {
      const abort = new AbortController();
      const response = fetch(origin + path, { signal: abort.signal });
      response.catch(() => {});
      await row(page, path).locator('.status-running').waitFor();
      abort.abort();
    }
    expect(await row(page, '/events').locator('.status-2').textContent()).toBe('200');
    expect(await row(page, '/events').locator('.request-note').textContent()).toContain(
      'the client has left the stream',
    );
    await row(page, '/slow').locator('.status-left').waitFor();
    await page.getByRole('button', { name: /cut off/ }).click();
    expect(await page.locator('.request-row').count()).toBe(1);
  });
});

test('the border between two processes is a line in the list, and requests of both are there', async () => {
  const { page, emit } = await openMadeUp();
  const [before, after] = [Date.parse('2026-01-02T10:00:00'), Date.parse('2026-01-02T10:30:00')];
  await emit([
    madeUpRequest({ startedAt: before, url: '/older' }),
    madeUpRequest({ startedAt: after, url: '/newer' }),
  ]);
  const rows = page.locator('[role=listitem]');
  expect(await rows.count()).toBe(3);
  expect(await rows.nth(0).textContent()).toContain('/newer');
  expect(await rows.nth(1).textContent()).toMatch(/The application restarted at 10:30:00/);
  expect(await rows.nth(2).textContent()).toContain('/older');
  await page.locator('.virtual').focus();
  await page.keyboard.press('End');
  await page.locator('.row-link.is-selected').filter({ hasText: '/older' }).waitFor();
});

test('a chosen request stays chosen over a restart, which gives it another number', async () => {
  const { page, emit } = await openMadeUp();
  const chosen = madeUpRequest({ startedAt: 1, url: '/chosen' });
  await emit([chosen]);
  await row(page, '/chosen').locator('a').click();
  await page.reload();
  await page.locator('.live.is-open').waitFor();
  await emit([madeUpRequest({ startedAt: 2, url: '/other', number: chosen.number })]);
  expect(await page.locator('.request-details').textContent()).toContain('not remembered');
  await emit([{ ...chosen, number: -1 }]);
  await page.waitForURL(/#\/requests\/-1$/);
  expect(await page.locator('.request-details .request-url').textContent()).toBe('/chosen');
});

describe('filters', () => {
  const urls = (page: Page): Promise<string[]> => page.locator('.request-url').allTextContents();

  test('are in the address, which shows the same list again', async () => {
    const { page, origin } = await open();
    for (const path of ['/about', '/notes/1', '/nowhere']) await fetch(origin + path);
    await row(page, '/nowhere').waitFor();
    await page.getByRole('button', { name: /5xx/ }).click();
    expect(await urls(page)).toEqual(['/notes/1']);
    await page.getByRole('button', { name: /4xx/ }).click();
    expect(await urls(page)).toEqual(['/nowhere', '/notes/1']);
    await page.getByLabel('Filter requests').getByRole('searchbox').first().fill('COULD not');
    expect(await urls(page)).toEqual(['/notes/1']);
    const address = page.url();
    expect(address).toMatch(/#\/requests\?status=5&status=4&text=COULD\+not$/);
    await page.goto('about:blank');
    await page.goto(address);
    await row(page, '/notes/1').waitFor();
    expect(await urls(page)).toEqual(['/notes/1']);
    expect(await page.getByRole('button', { name: /5xx/ }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('.lead').first().textContent()).toContain('1 of 3 requests');
  });

  test('that nothing matches say so, and are reset with one button', async () => {
    const { page, origin } = await open('#/requests?route=%2Fnotes%2F%3Aid&method=POST');
    await fetch(`${origin}/notes/1`);
    await page.locator('.empty').filter({ hasText: 'No request matches.' }).waitFor();
    await page.getByRole('button', { name: 'Reset the filter' }).click();
    await row(page, '/notes/1').waitFor();
    expect(page.url()).toMatch(/#\/requests$/);
    await row(page, '/notes/1').locator('a').click();
    await page.getByRole('link', { name: 'only this route' }).click();
    await page.waitForURL(/#\/requests\/1\?route=%2Fnotes%2F%3Aid$/);
  });

  test('by time, route and method show what they say', async () => {
    const { page, emit } = await openMadeUp();
    await emit([
      madeUpRequest({ url: '/fast', ms: 9 }),
      madeUpRequest({ url: '/slow', ms: 200 }),
      madeUpRequest({ url: '/slow-post', ms: 300, method: 'POST' }),
    ]);
    await page.getByLabel('Slower than').fill('10');
    expect(await urls(page)).toEqual(['/slow-post', '/slow']);
    await page.getByLabel('Method').selectOption('POST');
    expect(await urls(page)).toEqual(['/slow-post']);
    await page.getByLabel('Route').fill('/notes');
    await page.getByText('No request matches.').waitFor();
  });
});

test('the search finds hooks by their functions, and requests', async () => {
  const { page, origin } = await open();
  await fetch(`${origin}/about?x=unique`);
  await row(page, '/about').waitFor();
  const search = page.getByRole('combobox', { name: 'Search everything' });
  await search.fill('noteRequest');
  await page.getByRole('option').filter({ hasText: 'noteRequest preHandler' }).waitFor();
  await search.fill('unique');
  await page.getByRole('option').filter({ hasText: 'GET /about?x=unique' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.request-details .request-url').filter({ hasText: 'unique' }).waitFor();
});

describe('hover, selection and focus', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    test(`look different: ${colorScheme}`, async () => {
      const { page, emit } = await openMadeUp();
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await emit([madeUpRequest(), madeUpRequest(), madeUpRequest()]);
      const link = (index: number) => page.locator('.request-row a').nth(index);
      const look = (index: number): Promise<string> =>
        page.evaluate(`(() => {
          const link = document.querySelectorAll('.request-row a')[${index}];
          const { backgroundColor, boxShadow, outlineStyle } = getComputedStyle(link);
          return [backgroundColor, boxShadow, outlineStyle].join(' ');
        })()`);
      await link(2).waitFor();
      const plain = await look(2);
      await link(0).click();
      await page.mouse.move(0, 0);
      const selected = await look(0);
      await link(1).hover();
      const hovered = await look(1);
      await page.mouse.move(0, 0);
      await page.locator('.virtual').focus();
      await page.keyboard.press('ArrowDown');
      const focused = await look(1);
      expect(new Set([plain, selected, hovered, focused]).size).toBe(4);
      expect(focused).toContain('solid');
    });

  test('the arrow keys choose a request, Enter leads to its details, and Escape closes them', async () => {
    const { page, emit } = await openMadeUp();
    await emit(Array.from({ length: 100 }, () => madeUpRequest()));
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
    await page.locator('.virtual').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('/made-up/');
    const newest = await page.locator('.row-link.is-selected .request-url').textContent();
    await page.keyboard.press('End');
    expect(await page.locator('.row-link.is-selected .request-url').textContent()).not.toBe(newest);
    await emit([madeUpRequest()]);
    expect(await focused()).toContain('/made-up/');
    // A time that the scale does not have yet draws all rows again.
    await emit([madeUpRequest({ ms: 50_000 })]);
    await page.locator('.request-tick').filter({ hasText: '100 s' }).waitFor();
    expect(await focused()).toContain('/made-up/');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.className')).toContain('request-details');
    await page.keyboard.press('Escape');
    await page.waitForURL(/#\/requests$/);
  });
});

describe('replay', () => {
  test('sends GET at once, and selects the result when it arrives', async () => {
    const { page, origin, received } = await open();
    await fetch(`${origin}/about?again=1`, { headers: { 'x-own': "it's" } });
    await row(page, '/about').locator('a').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.waitForURL(/#\/requests\/2$/);
    await page.locator('.request-details').getByText('a replay of request 1').waitFor();
    expect(await page.locator('.headers').first().textContent()).toContain("it's");
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /about?again=1',
      'GET /about?again=1',
    ]);
    expect(await page.getByRole('status').filter({ hasText: 'Sent again: 200' }).count()).toBe(1);
  });

  test('asks before it sends what may change data, and sends what the form then has', async () => {
    const { page, origin, received } = await open();
    const headers = { 'content-type': 'application/json' };
    await fetch(`${origin}/notes`, { method: 'POST', headers, body: '{"title":"Milk"}' });
    await row(page, '/notes').locator('a').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('POST may change data');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(received).toHaveLength(1);
    await page.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByLabel('Body').fill('{"title":"Bread"}');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/#\/requests\/2$/);
    expect(received[1]).toMatchObject({ method: 'POST', body: { title: 'Bread' } });
  });

  test('never sends what stands in the place of a secret', async () => {
    const { page, origin, received } = await open();
    await fetch(`${origin}/about?token=real`, { headers: { authorization: 'Bearer real' } });
    await row(page, '/about').locator('a').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('Fill in: the header authorization, secrets in the URL');
    await dialog.getByRole('button', { name: 'Send' }).click();
    expect(await dialog.count()).toBe(1);
    await dialog.getByLabel('URL').fill('/about?token=other');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/#\/requests\/2$/);
    expect(received[1]).toMatchObject({ url: '/about?token=other', authorization: undefined });
    await row(page, '/about').last().locator('a').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByLabel('URL').fill('/about');
    await dialog.getByLabel('authorization').fill('Bearer again');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/#\/requests\/3$/);
    expect(received[2]).toMatchObject({ authorization: 'Bearer again' });
  });

  test('a body that is not kept is asked for', async () => {
    const { page, origin, received } = await open();
    const body = JSON.stringify({ password: 'real', title: 'Milk' });
    await fetch(`${origin}/notes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await row(page, '/notes').locator('a').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Body').inputValue()).not.toContain('real');
    await dialog.getByRole('button', { name: 'Send' }).click();
    expect([await dialog.count(), received.length]).toEqual([1, 1]);
  });
});

test('a request is copied as curl, as fetch and for the typed client, and what is missing is said', async () => {
  const { page, origin } = await open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await fetch(`${origin}/notes/it's?q=$(id)`, { headers: { authorization: 'Bearer real' } });
  await row(page, '/notes').locator('a').click();
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name, exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `Copied as ${name}` })
      .waitFor();
    return page.evaluate('navigator.clipboard.readText()');
  };
  expect(await copied('curl')).toContain(`curl '${origin}/notes/it'\\''s?q=$(id)'`);
  expect(await page.getByRole('status').last().textContent()).toContain('the header authorization');
  expect(await copied('fetch')).toContain(`await fetch("${origin}/notes/it's?q=$(id)"`);
  expect(await copied('typed client')).toContain(
    `api.get('/notes/:id', {\n  params: { id: "it's" },\n  query: { q: '$(id)' },`,
  );
});

describe('large inputs', () => {
  test('5,000 requests, and 200 a second more, need only the elements that can be seen, and nothing moves by itself', async () => {
    const { page, emit } = await openMadeUp();
    await emit(Array.from({ length: 5_000 }, () => madeUpRequest()));
    await page.locator('.request-row').first().waitFor();
    expect(await page.locator('.virtual-row').count()).toBeLessThan(60);
    await page.evaluate(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    const under = await page.locator('.row-link').nth(3);
    const box = (await under.boundingBox())!;
    const number = await under.getAttribute('data-number');
    await page.mouse.move(box.x + 100, box.y + 20);
    for (let i = 0; i < 20; i++) await emit(Array.from({ length: 10 }, () => madeUpRequest()));
    await page.getByRole('button', { name: '200 new requests' }).waitFor();
    const hovered = await page.evaluate<string>(
      `document.elementFromPoint(${box.x + 100}, ${box.y + 20}).closest('a').dataset.number`,
    );
    expect(hovered).toBe(number);
    expect(await page.evaluate('window.shift')).toBe(0);
    await page.getByRole('button', { name: '200 new requests' }).click();
    await page.locator('.newer').waitFor({ state: 'hidden' });
    expect(await page.evaluate("document.querySelector('.virtual').scrollTop")).toBe(0);
  });

  for (const [size, width, height] of [
    ['a desk', 1440, 900],
    ['a phone', 390, 844],
  ] as const)
    test(`an error with ten causes, 100 log lines, 200 steps and a long URL stay in the window of ${size}`, async () => {
      const { page, emit } = await openMadeUp();
      await page.setViewportSize({ width, height });
      const frame = {
        file: '/app/server.mjs',
        line: 2,
        column: 301,
        length: 5,
        lines: [{ number: 2, text: `${'x'.repeat(300)}wrong${'y'.repeat(300)}` }],
      };
      const stack = {
        frames: Array(20).fill({ function: 'f', ...frame }),
        foldedCount: 9,
        libraries: ['ambit'],
      };
      const error = (depth: number): object => ({
        title: `Mistake ${depth} ${'long'.repeat(50)}`,
        name: 'Error',
        frame,
        stack,
        ...(depth < 10 && { cause: error(depth + 1) }),
      });
      const request = madeUpRequest({
        status: 500,
        url: `/${'z'.repeat(8_000)}`,
        error: error(0) as never,
        logs: Array.from({ length: 100 }, () => ({
          at: Date.now(),
          level: 'info',
          message: 'm'.repeat(300),
          fields: '',
        })),
        logCount: 130,
        steps: Array.from({ length: 200 }, (_, i) => ({
          path: 'request',
          index: i,
          name: 'preHandler',
          function: `hook${i}`,
          file: null,
          startMs: i,
          ms: 1,
        })),
        ms: 200,
      });
      await emit([request]);
      await row(page, '/zz').locator('a').click();
      const details = page.locator('.request-details');
      expect(await details.locator('.error-cause').count()).toBe(10);
      expect(await details.getByText('30 more lines not kept').count()).toBe(1);
      await details.getByRole('button', { name: 'Show all 200 steps' }).click();
      expect(await details.locator('.timing li').count()).toBe(200);
      expect(await details.locator('.details-title').textContent()).toContain('8,001 characters');
      // The mark in a long line is scrolled to.
      expect(
        await details
          .locator('mark')
          .first()
          .evaluate((mark) => {
            const inner = mark.getBoundingClientRect();
            const outer = mark.closest('pre')!.getBoundingClientRect();
            return inner.left >= outer.left && inner.right <= outer.right;
          }),
      ).toBe(true);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await details.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await violations(page)).toEqual([]);
        await page.screenshot({ path: screenshotPath(`inspector error, ${size}, ${colorScheme}`) });
      }
    });
});
