/** Chromium for a test file: it starts before its tests and ends behind them. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { chromiumFlags, chromiumPath } from '../../../scripts/chromium.mjs';

const screenshots = fileURLToPath(new URL('../../screenshots', import.meta.url));
export interface Visit {
  page: Page;
  /** Errors of the page's script, and answers that were none. */
  complaints: string[];
  /** Everything that the page asked for. */
  requests: string[];
}

export interface Browser {
  open(url: string): Promise<Visit>;
}

export function useBrowser(): Browser {
  const profile = mkdtempSync(join(tmpdir(), 'ambit-browser-'));
  let browser: BrowserContext;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath,
      viewport: { width: 1280, height: 1000 },
      args: chromiumFlags,
    });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    // Helper processes of the browser can still write for a moment.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    async open(url) {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      const visit: Visit = { page, complaints: [], requests: [] };
      page.on('pageerror', (error) => visit.complaints.push(error.message));
      page.on('request', (request) => visit.requests.push(request.url()));
      page.on(
        'response',
        (answer) => !answer.ok() && visit.complaints.push(`${answer.status()} ${answer.url()}`),
      );
      await page.goto(url);
      return visit;
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of accessibility that the page breaks: an empty list is what everybody can use. */
export async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))',
  );
}

export function screenshotPath(name: string): string {
  return join(screenshots, `${name}.png`);
}
