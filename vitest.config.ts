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

/** Packages without a server or state of the process: their tests share threads. */
const pure = ['packages/json-serializer/{src,test}/**/*.test.ts', 'packages/openapi/src/**/*.test.ts'];

/** Rules that hold for each application, whatever else its process has done: these tests share processes. */
const specification = ['packages/ambit/test/spec/*.test.ts'];

/** One process for each file, unless the options say otherwise: tests change signals, warnings and other events of it. */
function project(name: string, include: string[], exclude: string[] = [], options: object = {}) {
  const outside = ['**/node_modules/**', '**/dist/**'];
  return {
    extends: true as const,
    test: { name, include, exclude: [...outside, ...exclude], pool: 'forks' as const, ...options },
  };
}

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
    globalSetup: ['./scripts/build-for-tests.mjs'],
    setupFiles: ['./scripts/expected-warnings.mjs', './scripts/treat-tests-as-callers.mjs'],
    maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
    // Long enough for a busy machine, so that only a test that hangs exceeds it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // In CI, a failing test is retried once. If it passes then, it is listed at the end of the log.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './scripts/test-counts.mjs'],
    projects: [
      project('core', ['packages/ambit/{src,test}/**/*.test.ts'], specification),
      project('specification', specification, [], { isolate: false }),
      project('pure', pure, [], { pool: 'threads', isolate: false }),
      project(
        'packages',
        [
          'packages/*/{src,test}/**/*.test.ts',
          'scripts/**/*.test.mjs',
          'bench/**/*.test.mjs',
          'examples/**/*.test.{mjs,ts}',
        ],
        ['packages/ambit/**', ...pure],
      ),
    ],
  },
});
