// How the test suite runs: which files are tests, and that they see the TypeScript sources, not a build.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { lateImports } from './scripts/late-modules.mjs';

const clientSource = fileURLToPath(new URL('packages/ambit/src/client/client.ts', import.meta.url));
const openapiSource = fileURLToPath(new URL('packages/openapi/src/index.ts', import.meta.url));
const opentelemetrySource = fileURLToPath(new URL('packages/opentelemetry/src/index.ts', import.meta.url));
const inspectorSource = fileURLToPath(new URL('packages/inspector/src/index.ts', import.meta.url));
const ambitSource = fileURLToPath(new URL('packages/ambit/src/index.ts', import.meta.url));
const fastCheck = fileURLToPath(new URL('scripts/seeded-fast-check.mjs', import.meta.url));

export default defineConfig({
  plugins: [lateImports()],
  resolve: {
    alias: [
      { find: /^fast-check$/, replacement: fastCheck },
      { find: /^@ambit\/openapi$/, replacement: openapiSource },
      { find: /^@ambit\/opentelemetry$/, replacement: opentelemetrySource },
      { find: /^@ambit\/inspector$/, replacement: inspectorSource },
      { find: /^ambit$/, replacement: ambitSource },
      { find: /^ambit\/client$/, replacement: clientSource },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/**/*.test.mjs',
      'bench/**/*.test.mjs',
      'examples/**/*.test.{mjs,ts}',
    ],
    globalSetup: ['./scripts/build-for-tests.mjs'],
    setupFiles: ['./scripts/expected-warnings.mjs', './scripts/treat-tests-as-callers.mjs'],
    // A server framework touches signals, warnings and process events: a process per file keeps them apart.
    pool: 'forks',
    maxWorkers: 2,
    // A machine may be busy: only what hangs may fail by its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // In CI a test that fails runs once more, and the end of the log names it if it then passes.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './scripts/test-counts.mjs'],
  },
});
