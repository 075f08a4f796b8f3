// Measures how fast the page draws 1,000 contexts and 10,000 routes in Chromium, and how evenly it scrolls through them, and moves and zooms
// the picture:
// `npm run build && node packages/inspector/bench/draw-page.mjs`. It uses the playwright-core of ecosystem/.
import { createRequire } from 'node:module';
import { inspector } from '@ambit/inspector';
import { ambit } from 'ambit';
import { chromiumFlags, chromiumPath } from '../../../scripts/chromium.mjs';

const require = createRequire(new URL('../../../ecosystem/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [contexts, routes] = [1_000, 10_000];

let contextCount = 0;
const fill = (depth) =>
  async function module(context) {
    const number = contextCount++;
    context.decorateRequest(`of${number}`, null);
    for (let i = 0; i < routes / contexts; i++)
      context.get(`/module-${number}/resource-${i}/:id`, async () => 'ok');
    if (depth < 10) context.register(fill(depth + 1));
  };

const app = ambit({ exposeHeadRoutes: false, pluginTimeout: 0 });
app.register(inspector);
for (let i = 0; i < contexts / 10; i++) app.register(fill(1));
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const startMs = performance.now();
  const model = await fetch(`${origin}/__ambit/model.json`);
  const bytes = (await model.arrayBuffer()).byteLength;
  console.log(
    `model: ${(bytes / 1e6).toFixed(1)} MB in ${Math.round(performance.now() - startMs)} ms, the first time`,
  );
  for (const [hash, row, move] of [
    ['#/tree', '.tree-row', scroll],
    ['#/tree/picture', '.box', moveAndZoom],
    ['#/routes', '.route-row', scroll],
    ['#/boot', '.boot-row', scroll],
  ]) {
    const openedMs = performance.now();
    await page.goto('about:blank');
    await page.goto(`${origin}/__ambit${hash}`);
    await page.locator(row).first().waitFor();
    const shownMs = performance.now() - openedMs;
    const cpu = await page.context().newCDPSession(page);
    await cpu.send('Performance.enable');
    const before = await busyMs(cpu);
    const { frames, drawn } = await page.evaluate(move);
    const perFrame = ((await busyMs(cpu)) - before) / frames.length;
    frames.sort((a, b) => a - b);
    const percentile = (share) => frames[Math.floor((frames.length - 1) * share)].toFixed(1);
    console.log(
      `${hash}: shown after ${Math.round(shownMs)} ms; moving through ${frames.length} frames takes ` +
        `${perFrame.toFixed(1)} ms of work for each (script, style, layout); by the clock median ${percentile(0.5)} ms, ` +
        `99 % ${percentile(0.99)} ms; ${drawn} rows or boxes as elements`,
    );
  }
} finally {
  await browser.close();
  await app.close();
}

/** The time for which the page has worked so far. Time of other processes does not count. */
async function busyMs(cpu) {
  const { metrics } = await cpu.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Runs in the page: scrolls fast, 120 pixels in each of 240 frames, and then jumps to the end. */
async function scroll() {
  const list = document.querySelector('.virtual');
  const frames = [];
  for (let i = 1; i <= 240; i++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const startMs = performance.now();
    list.scrollTop = i === 240 ? list.scrollHeight : i * 120;
    list.dispatchEvent(new Event('scroll'));
    // The list draws in the next frame, before this callback; reading a size forces the layout.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    list.getBoundingClientRect();
    frames.push(performance.now() - startMs);
  }
  return { frames, drawn: document.querySelectorAll('.virtual-row').length };
}

/** Runs in the page: moves the picture in 80 frames, zooms in for 80, and out again for 80. */
async function moveAndZoom() {
  const stage = document.querySelector('.picture-stage');
  const { left, top, width, height } = stage.getBoundingClientRect();
  const at = { clientX: left + width / 3, clientY: top + height / 3, bubbles: true, cancelable: true };
  const frames = [];
  for (let i = 1; i <= 240; i++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const startMs = performance.now();
    const event =
      i <= 80
        ? new WheelEvent('wheel', { ...at, deltaY: i % 2 === 0 ? 40 : -40, shiftKey: true })
        : new WheelEvent('wheel', { ...at, deltaY: i <= 160 ? -16 : 16 });
    stage.dispatchEvent(event);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    stage.getBoundingClientRect();
    frames.push(performance.now() - startMs);
  }
  return { frames, drawn: document.querySelectorAll('.box').length };
}
