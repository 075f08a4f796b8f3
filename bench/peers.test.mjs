import { expect, test } from 'vitest';
import { comparedWith } from './peers.mjs';

test('a peer is compared with the first one, or with Ambit on its own runtime', () => {
  const measured = ['ambit', 'fastify', 'bun-ambit', 'bun-serve', 'deno-hono'];
  const compared = measured.map((peer) => comparedWith(peer, measured));
  expect(compared).toEqual(['ambit', 'ambit', 'bun-ambit', 'bun-ambit', 'ambit']);
  expect(comparedWith('bun-ambit', ['bun-serve', 'bun-ambit'])).toBe('bun-serve');
});
