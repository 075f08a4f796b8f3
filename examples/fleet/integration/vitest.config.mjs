// The configuration of the tests with real servers. `npm run test:fleet` installs the servers and builds Ambit first.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'fleet',
    // Not `*.test.mjs`, so that the unit tests, which run on every version of Node, do not include these files.
    include: ['*.suite.mjs'],
    pool: 'forks',
    // Long enough for servers to start and recover, so that only a test that hangs exceeds it.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // In CI, a failing test is retried once. If it passes then, it is listed at the end of the log.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', '../../../scripts/test-counts.mjs'],
  },
});
