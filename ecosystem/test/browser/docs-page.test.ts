/** The documentation page of `@ambit/openapi` as a reader sees it: in a browser, with its script run and its policy applied. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiWithDocs, token } from '../support/api-with-docs.ts';
import { screenshotPath, useBrowser, type Visit, violations } from '../support/browser.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();

async function openDocs(ui: 'scalar' | 'swagger-ui'): Promise<Visit & { origin: string }> {
  const origin = await serve(makeApiWithDocs({ ui }) as unknown as FastifyInstance);
  return { ...(await browser.open(`${origin}/docs`)), origin };
}

describe('Scalar', () => {
  async function open(): ReturnType<typeof openDocs> {
    const visit = await openDocs('scalar');
    await visit.page.getByRole('heading', { name: 'Write a note' }).waitFor();
    return visit;
  }

  /** Writes over what the editor of the body holds. The page takes it a moment later. */
  async function write(page: Page, text: string): Promise<void> {
    const editor = page
      .getByRole('dialog')
      .locator('.cm-content[contenteditable=true]')
      .filter({ hasText: '"title"' });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await page.waitForTimeout(1_000);
  }

  async function send(page: Page): Promise<{ status: number; body: unknown }> {
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send post request/ })
      .click();
    const response = await answer;
    return { status: response.status(), body: await response.json() };
  }

  test('shows the routes of the application, and asks nobody else for anything', async () => {
    const { page, complaints, requests, origin } = await open();
    const text = (await page.locator('body').textContent())!;
    for (const shown of [
      'Notes',
      'v1.2.3',
      'Write a note',
      'Read a note',
      'Is it up',
      'Everything about notes',
    ])
      expect(text).toContain(shown);
    expect(requests.filter((url) => !url.startsWith(origin) && !/^(?:data|blob):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`is ${colorScheme} for a reader who wants it so`, async () => {
      const { page } = await open();
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.getByRole('heading', { name: 'Write a note' }).waitFor();
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [red] = background.match(/\d+/g)!.map(Number);
      expect(red! > 128).toBe(colorScheme === 'light');
      await page.screenshot({ path: screenshotPath(`scalar, ${colorScheme}`) });
      await page.getByText('Write a note').first().click();
      await page.waitForTimeout(1_000);
      await page.screenshot({ path: screenshotPath(`scalar, an operation, ${colorScheme}`) });
    });
  }

  /** Rules that elements of Scalar itself break. They are not ours to mend. */
  const brokenByScalar = [
    'aria-allowed-attr',
    'aria-allowed-role',
    'aria-required-children',
    'button-name',
    'label-content-name-mismatch',
  ];

  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`in a ${colorScheme} window of ${width} pixels, it has enough contrast, and breaks only those rules of axe that Scalar breaks`, async () => {
        const { page } = await open();
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await page.reload();
        await page.getByRole('heading', { name: 'Write a note' }).waitFor();
        const broken = (await violations(page)) as [rule: string, ...elements: string[]][];
        expect(broken.filter(([rule]) => !brokenByScalar.includes(rule))).toEqual([]);
      });
    }
  }

  test('finds a route by its words', async () => {
    const { page } = await open();
    await page.getByRole('search').first().click();
    await page.keyboard.type('write');
    const found = page.getByRole('dialog').getByRole('option').filter({ hasText: 'Write a note' });
    await found.first().waitFor();
    await page.screenshot({ path: screenshotPath('scalar, search') });
  });

  test('sends a request with a body and the bearer token, and shows the 400 of a wrong one', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /Test Request.*post \/notes/s }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByPlaceholder('Token').fill(token);
    await write(page, '{"title":"Milk"}');
    expect(await send(page)).toEqual({ status: 200, body: { title: 'Milk' } });
    await write(page, '{"title":"much too long for a title"}');
    expect(await send(page)).toMatchObject({
      status: 400,
      body: { message: 'body/title should NOT have more than 12 characters' },
    });
    await dialog.getByText('400', { exact: false }).first().waitFor();
    await dialog.getByText('should NOT have more than 12 characters').first().waitFor();
    await page.screenshot({ path: screenshotPath('scalar, a wrong body') });
  });

  test('shows the 401 of a request without the token', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /Test Request.*post \/notes/s }).click();
    expect(await send(page)).toEqual({ status: 401, body: { message: 'who are you?' } });
  });
});

describe('Swagger UI', () => {
  // `swagger-ui-dist` belongs to the application, which is this folder.
  const before = process.cwd();
  beforeAll(() => process.chdir(fileURLToPath(new URL('../..', import.meta.url))));
  afterAll(() => process.chdir(before));

  test('shows the routes and sends a request, and asks nobody else for anything', async () => {
    const { page, complaints, requests, origin } = await openDocs('swagger-ui');
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(3);
    expect(requests.filter((url) => !url.startsWith(origin) && !/^(?:data|blob):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
    const operation = page.locator('.opblock').filter({ hasText: 'Is it up' });
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
    await page.screenshot({ path: screenshotPath('swagger-ui of ambit-openapi') });
  });
});
