// How the tests of created applications run: `npm run test:create` packs the packages first.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'create',
    include: ['*.test.mjs'],
    globalSetup: ['support/packed-packages.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine may be busy: only what hangs may fail by its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', '../../scripts/test-counts.mjs'],
  },
});
