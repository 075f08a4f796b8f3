// Stores results: the last run under .cache/, and the page under docs/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePage } from './report/page.mjs';

const cache = new URL('../.cache/bench/', import.meta.url);
const lastRun = new URL('results.json', cache);
const docs = new URL('../docs/', import.meta.url);

/** Stores the results so far. `--report-of` creates a page from them again. */
export function storeResults(/** @type {import('./report/page.mjs').Results} */ results) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(lastRun, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** @returns {import('./report/page.mjs').Results} */
export function readResults(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces the page. @returns The path of the page. */
export function publish(/** @type {import('./report/page.mjs').Results} */ results) {
  const page = new URL('benchmarks.md', docs);
  writeFileSync(page, writePage(results));
  return fileURLToPath(page);
}
