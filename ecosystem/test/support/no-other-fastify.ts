/** Fails a test file that loaded Fastify itself: the `fastify` of the plugins under test has to be the facade. */
import { createRequire } from 'node:module';
import { afterAll, expect } from 'vitest';

const { cache } = createRequire(import.meta.url);

// Fastify is CommonJS: however it is loaded, its modules are in this cache.
afterAll(() => {
  expect(Object.keys(cache).filter((file) => file.includes('/node_modules/fastify/'))).toEqual([]);
});
