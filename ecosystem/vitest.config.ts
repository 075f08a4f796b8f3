// How the ecosystem suite runs: one project for the plugins, one for what needs a browser; both on the built packages.
import { defineConfig } from 'vitest/config';

const shared = {
  // In CI a test that fails runs once more, and the end of the log names it if it then passes.
  retry: process.env.CI ? 1 : 0,
  // A module graph per file, with the packages as Node loads them: nothing of ours or theirs is transformed.
  pool: 'forks' as const,
  server: { deps: { external: [/\/packages\/\w+\/dist\//] } },
  setupFiles: ['test/support/no-other-fastify.ts'],
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', '../scripts/test-counts.mjs'],
    projects: [
      { test: { ...shared, name: 'ecosystem', include: ['test/*.test.{ts,mjs}'], testTimeout: 60_000 } },
      { test: { ...shared, name: 'browser', include: ['test/browser/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
