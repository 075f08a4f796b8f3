// What the best-known plugins do on each runtime: the table of the guide is true.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { swaggerUiAssets } from '../runtimes/bundle-worker.mjs';
import { makeTable, outcomes } from '../runtimes/outcomes.mjs';
import { tryOn, tryOnWorkerd } from '../runtimes/start.mjs';
import { startDatabase, startRedis, startUpstream } from '../runtimes/upstream.mjs';

const names = Object.keys(outcomes);
const runtimes = {
  node: tryOn,
  bun: tryOn,
  deno: tryOn,
  // Workers have a file system, and in it only what they bring along.
  workerd: (_runtime, surroundings) =>
    tryOnWorkerd(names, { ...surroundings, folder: '/bundle', swaggerUiAssets: '/bundle/swagger-ui' }),
};

/** A machine may be busy: only what hangs may fail by its time. */
const longestMs = 240_000;

const servers = [];
const surroundings = {
  folder: fileURLToPath(new URL('../runtimes/files', import.meta.url)),
  swaggerUiAssets,
};
beforeAll(async () => {
  for (const [name, start] of Object.entries({
    upstream: startUpstream,
    database: startDatabase,
    redis: startRedis,
  })) {
    const server = await start();
    servers.push(server);
    surroundings[name] = server.url;
  }
}, longestMs);
afterAll(() => Promise.all(servers.map((server) => server.stop())), longestMs);

describe.each(Object.keys(runtimes))('on %s', (runtime) => {
  let results;
  beforeAll(async () => {
    results = await runtimes[runtime](runtime, surroundings);
  }, longestMs);

  test.each(names)('%s does what the table says, with both flavors', (name) => {
    const { [runtime]: outcome, error } = outcomes[name];
    for (const { errors, ...found } of [results[name].ambit, results[name].fastify])
      expect({ ...found, errors }).toEqual({
        outcome,
        errors: errors.map(() => expect.stringMatching(error)),
      });
  });
});

test('the table has at least forty plugins, and the guide shows it', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
  const guide = readFileSync(new URL('../../docs/guide/runtimes.md', import.meta.url), 'utf8');
  expect(guide).toContain(makeTable());
});
