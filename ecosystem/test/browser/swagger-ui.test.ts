/** The page of `@fastify/swagger-ui` as a reader sees it: in a browser, with its script run and its policy applied. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeDocumentedApp } from '../support/documented-app.ts';
import { type Face, faces } from '../support/faces.ts';
import { serve } from '../support/serve.ts';

const screenshots = fileURLToPath(new URL('../../screenshots', import.meta.url));
const profile = mkdtempSync(join(tmpdir(), 'ambit-browser-'));

let browser: BrowserContext;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    viewport: { width: 1280, height: 1000 },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}, 60_000);

afterAll(async () => {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
});

interface Visit {
  page: Page;
  /** Errors of the page's script, and answers that were none. */
  complaints: string[];
}

async function openDocumentation(create: Face['create']): Promise<Visit> {
  const origin = await serve(makeDocumentedApp(create));
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (answer) => !answer.ok() && complaints.push(`${answer.status()} ${answer.url()}`));
  await page.goto(`${origin}/documentation`);
  await page.locator('.opblock').first().waitFor();
  return { page, complaints };
}

describe.each(faces)('the page of swagger-ui on $face', ({ face, create }) => {
  test('shows the operations of its context, and no others', async () => {
    const { page, complaints } = await openDocumentation(create);
    const operations = await page.locator('.opblock').evaluateAll((blocks) =>
      blocks.map((block) => {
        const text = (name: string): string =>
          block.querySelector(`.opblock-summary-${name}`)!.textContent.replaceAll('\u200b', '');
        return `${text('method')} ${text('path')} ${text('description')}`;
      }),
    );
    expect(operations.sort()).toEqual([
      'DELETE /notes/{id} Forget a note',
      'GET /notes/{id} Read a note',
      'POST /notes/ Write a note',
    ]);
    expect(await page.locator('.info .title').textContent()).toContain('Notes');
    expect(await page.locator('body').textContent()).not.toContain('Not to be shown');
    expect(complaints).toEqual([]);
    await page.screenshot({ path: join(screenshots, `swagger-ui on ${face}.png`), fullPage: true });
  });

  test('calls an operation and shows what came back', async () => {
    const { page } = await openDocumentation(create);
    const operation = page.locator('.opblock-get');
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByPlaceholder('id').fill('7');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
    expect(await answer.locator('.highlight-code').first().textContent()).toContain('"title": "by id"');
  });
});
