// How the tests of the tools run: each starts processes, and two at once are enough.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'interop',
    include: ['test/*.test.mjs'],
    globalSetup: ['test/support/installed-application.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine may be busy: only what hangs may fail by its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // In CI a test that fails runs once more, and the end of the log names it if it then passes.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', '../scripts/test-counts.mjs'],
  },
});
