// How the tests with real servers run: `npm run test:fleet` installs the servers and builds Ambit first.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'fleet',
    // Another name than that of tests without servers, which run on every version of Node.
    include: ['*.suite.mjs'],
    pool: 'forks',
    // Servers start and recover: only what hangs may fail by its time.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // In CI a test that fails runs once more, and the end of the log names it if it then passes.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', '../../../scripts/test-counts.mjs'],
  },
});
