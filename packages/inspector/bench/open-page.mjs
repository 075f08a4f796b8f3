// Measures how long the page needs in Chromium, from the navigation to the first useful view, for an application with 5,000 routes in 500
// contexts: `npm run build && node packages/inspector/bench/open-page.mjs [rounds]`. It uses the playwright-core of ecosystem/. A view
// counts when its first row has been painted. The first round of all also makes the model, and fills the browser's cache.
import { createRequire } from 'node:module';
import { inspector } from '@ambit/inspector';
import { ambit } from 'ambit';
import { chromiumFlags, chromiumPath } from '../../../scripts/chromium.mjs';

const require = createRequire(new URL('../../../ecosystem/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const rounds = Number(process.argv[2] ?? 9);
const [contexts, routes] = [500, 5_000];

const app = ambit({ exposeHeadRoutes: false, pluginTimeout: 0 });
app.register(inspector);
for (let i = 0; i < contexts; i++) {
  app.register(async function module(context) {
    context.decorateRequest(`of${i}`, null);
    context.addHook('onRequest', async function checkToken() {});
    for (let j = 0; j < routes / contexts; j++)
      context.get(`/module-${i}/resource-${j}/:id`, async function readResource() {});
  });
}
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
// A tab that is looked at runs with the priority of the foreground; headless ones do not.
const args = [...chromiumFlags, '--disable-renderer-backgrounding'];
const browser = await chromium.launch({ executablePath: chromiumPath, args });
try {
  const tabs = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const [hash, row] of [
    ['#/tree', '.tree-row'],
    ['#/tree/picture', '.box'],
    ['#/routes', '.route-row'],
    ['#/requests', '.main-body > *'],
    ['#/boot', '.boot-row'],
    ['#/route/4000', '.step'],
  ]) {
    const times = [];
    let sizes;
    const page = await tabs.newPage();
    await page.addInitScript(recordFirst, row);
    for (let round = 0; round < rounds; round++) {
      await page.goto('about:blank');
      await page.goto(`${origin}/__ambit${hash}`);
      await page.waitForFunction(() => globalThis.firstMs !== undefined);
      times.push(await page.evaluate('globalThis.firstMs'));
      sizes = await page.evaluate(measureSizes);
    }
    await page.close();
    const sorted = times.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    console.log(
      `${hash}: median ${Math.round(median)} ms of ${rounds} (first ${Math.round(times[0])}, ` +
        `${Math.round(sorted[0])} to ${Math.round(sorted.at(-1))}); model ${(sizes.modelBytes / 1e6).toFixed(2)} MB, ` +
        `${sizes.requests} requests, heap ${(sizes.heapBytes / 1e6).toFixed(1)} MB, ${sizes.elements} elements`,
    );
  }
} finally {
  await browser.close();
  await app.close();
}

/** Runs in the page: stores when the first row was painted, in milliseconds since the navigation. */
function recordFirst(row) {
  const look = () => {
    if (document.querySelector(row) === null) requestAnimationFrame(look);
    // The next frame comes after the one with the row.
    else
      requestAnimationFrame(() => {
        globalThis.firstMs = performance.now();
      });
  };
  requestAnimationFrame(look);
}

/** Runs in the page. */
function measureSizes() {
  const loaded = performance.getEntriesByType('resource');
  return {
    modelBytes: loaded.find(({ name }) => name.endsWith('/model.json'))?.decodedBodySize ?? 0,
    requests: loaded.length,
    heapBytes: performance.memory.usedJSHeapSize,
    elements: document.querySelectorAll('*').length,
  };
}
