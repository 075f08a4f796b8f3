// How the tests of real clients run: `npm run test:clients` installs the clients and builds the engine first.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'clients',
    include: ['*.test.mjs'],
    pool: 'forks',
    // Go compiles its program, and a browser starts: only what hangs may fail by its time.
    testTimeout: 240_000,
    reporters: ['default', '../../scripts/test-counts.mjs'],
  },
});
