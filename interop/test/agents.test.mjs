// What tracing agents are made of: hooks that see modules by name while they are loaded, and one that rewrites files of Fastify.
import { describe, expect, test } from 'vitest';
import { application, nodeOf, run } from './support/run.mjs';

const folder = 'node_modules/fastify';

describe.each(['20', '24'])('on Node %s', (major) => {
  const print = async (program) => JSON.parse(await run(application, nodeOf(major), [`agents/${program}`]));

  test('require-in-the-middle is shown the facade as `fastify`, once, and may replace it', async () => {
    expect(await print('require.cjs')).toEqual({ shown: [['fastify', folder, 'fastify']], isWrapped: true });
  });

  test('import-in-the-middle is shown the facade as `fastify`, and the other hook is not shown it again', async () => {
    const { imported, required, isWrapped } = await print('import.mjs');
    expect(imported).toEqual([
      ['fastify', folder, expect.arrayContaining(['LogController', 'default', 'errorCodes', 'fastify'])],
    ]);
    expect(required).toEqual([]);
    expect(isWrapped).toEqual([true, true]);
  });

  test('an agent that rewrites files of Fastify wraps hooks and decorators, and finds the version', async () => {
    expect(await print('transformed.cjs')).toEqual({
      version: '5.12.8',
      seen: ['onRequest first', 'preHandler second', 'use', 'onRequest first'],
      answers: ['used', 404],
    });
  });
});
