/** The page of an error, as a developer sees it in a browser. */
import { ambit } from 'ambit';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { screenshotPath, useBrowser, violations } from '../support/browser.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();

afterEach(() => vi.unstubAllEnvs());

function makeFailingApp(): FastifyInstance {
  vi.stubEnv('NODE_ENV', 'development');
  const app = ambit();
  app.get('/notes', async function listNotes() {
    throw new Error('the database has no table `notes`', { cause: new Error('connection refused') });
  });
  const query = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  app.get('/search', { schema: { querystring: query } }, async () => 'found');
  return app as unknown as FastifyInstance;
}

for (const width of [1440, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`in a ${colorScheme} window of ${width} pixels, no page of an error breaks a rule of axe, or is wider than the window`, async () => {
      const origin = await serve(makeFailingApp());
      const { page } = await browser.open(`${origin}/notes`);
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      for (const [path, text] of [
        ['/notes', 'the database has no table'],
        ['/search?id=x', 'must be integer'],
        ['/note', '/notes'],
      ] as const) {
        await page.goto(origin + path);
        await page.getByText(text).first().waitFor();
        expect([path, await violations(page)]).toEqual([path, []]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      }
      await page.goto(`${origin}/notes`);
      await page.screenshot({ path: screenshotPath(`error page, ${width}, ${colorScheme}`) });
    });
  }
}
