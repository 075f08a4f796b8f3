// What the best-known plugins do on each runtime: the table of the guide is true.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTable, outcomes } from '../runtimes/outcomes.mjs';
import { tryOn, tryOnWorkerd } from '../runtimes/start.mjs';
import { startDatabase, startUpstream } from '../runtimes/upstream.mjs';

const names = Object.keys(outcomes);
const runtimes = {
  node: tryOn,
  bun: tryOn,
  deno: tryOn,
  // Workers have a file system, and in it only what they bring along.
  workerd: (_runtime, surroundings) => tryOnWorkerd(names, { ...surroundings, folder: '/bundle' }),
};

/** A machine may be busy: only what hangs may fail by its time. */
const longestMs = 240_000;

let upstream;
let database;
beforeAll(async () => {
  upstream = await startUpstream();
  database = await startDatabase();
}, longestMs);
afterAll(async () => {
  await upstream.stop();
  await database.stop();
}, longestMs);

describe.each(Object.keys(runtimes))('on %s', (runtime) => {
  let results;
  beforeAll(async () => {
    const folder = fileURLToPath(new URL('../runtimes/files', import.meta.url));
    const surroundings = { upstream: upstream.origin, database: database.url, folder };
    results = await runtimes[runtime](runtime, surroundings);
  }, longestMs);

  test.each(names)('%s does what the table says, with both flavors', (name) => {
    const { [runtime]: outcome, error } = outcomes[name];
    const expected = outcome === 'runs' ? { outcome } : { outcome, byFetch: expect.stringMatching(error) };
    expect(results[name].ambit).toMatchObject(expected);
    expect(results[name].fastify).toMatchObject(expected);
  });
});

test('the table has at least forty plugins, and the guide shows it', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
  const guide = readFileSync(new URL('../../docs/guide/runtimes.md', import.meta.url), 'utf8');
  expect(guide).toContain(makeTable());
});
