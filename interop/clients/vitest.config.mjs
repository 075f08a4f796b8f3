// How the tests of real clients run: `npm run test:clients` installs the clients and builds the engine first.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'clients',
    include: ['*.test.mjs'],
    pool: 'forks',
    // Go compiles its program, and a browser starts: only what hangs may fail by its time.
    testTimeout: 240_000,
    // In CI a test that fails runs once more, and the end of the log names it if it then passes.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', '../../scripts/test-counts.mjs'],
  },
});
