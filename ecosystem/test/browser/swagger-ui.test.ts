/** The page of `@fastify/swagger-ui` as a reader sees it: in a browser, with its script run and its policy applied. */
import { describe, expect, test } from 'vitest';
import { screenshotPath, useBrowser, type Visit } from '../support/browser.ts';
import { makeDocumentedApp } from '../support/documented-app.ts';
import { type Flavor, flavors } from '../support/flavors.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();

async function openDocumentation(create: Flavor['create']): Promise<Visit> {
  const visit = await browser.open(`${await serve(makeDocumentedApp(create))}/documentation`);
  await visit.page.locator('.opblock').first().waitFor();
  return visit;
}

describe.each(flavors)('the page of swagger-ui on $flavor', ({ flavor, create }) => {
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
    await page.screenshot({ path: screenshotPath(`swagger-ui on ${flavor}`), fullPage: true });
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
