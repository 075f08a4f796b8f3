// How the test suite runs: which files are tests, and that they see the TypeScript sources, not a build.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { lateImports } from './scripts/late-modules.mjs';
import { packageSources } from './scripts/package-sources.mjs';

/** Packages that tests import by their names. They see the sources; of other packages, they see the build. */
const fromSources = [
  'ambit',
  'ambit/client',
  '@ambit/inspector',
  '@ambit/json-schema',
  '@ambit/openapi',
  '@ambit/opentelemetry',
];
const fastCheck = fileURLToPath(new URL('scripts/seeded-fast-check.mjs', import.meta.url));

/**
 * Tests that call `recordDeclarationSites`, which the process keeps until it ends, or that need a process where nothing has:
 * each has its own. All others share processes and restore what they change: signals, warnings, mocks.
 */
const alone = [
  'packages/ambit/src/context/inspection/inspect.test.ts',
  'packages/ambit/src/context/definitions.test.ts',
  'packages/ambit/test/{declared-twice,schema-places}.test.ts',
  'packages/inspector/src/declaration-lines.test.ts',
];

/** Tests that start many processes, load many connections or mostly wait. `npm test` leaves them to CI; `npx vitest` runs them. */
const long = [
  'packages/cli/src/commands/{dev,start}.test.ts',
  'packages/fastify/test/closing.states.test.ts',
  'packages/fastify/test/late-settings.property.test.ts',
  'packages/http-engine/test/floods.test.ts',
  'scripts/{bundle,loading}.test.mjs',
];

/**
 * What needs seconds of the processor, also if nothing in it waits. A run that names its package, `npx vitest packages/ambit`, leaves
 * it out, because who waits for it writes code meanwhile. All other runs have it, also those of a file or of a folder in it.
 */
const exhaustive = [
  'packages/ambit/src/context/closing/close-on-signals.test.ts',
  'packages/ambit/test/boot-verdict.test.ts',
  'packages/ambit/test/json-schema/suite.test.ts',
  'packages/ambit/test/linear-boot.test.ts',
  'packages/ambit/test/spellings.property.test.ts',
  'packages/json-validator/src/ajv-keywords.nesting.test.ts',
];
const namedPackages = process.argv.filter((argument) => /^packages\/[\w-]+\/?$/.test(argument));
const leftOut = exhaustive.filter((file) => namedPackages.some((name) => file.startsWith(name)));
/** Where tests multiply tables, such a run tries each pair of values instead of all combinations: packages/ambit/test/support/combine.ts. */
const triesPairs = namedPackages.some((name) => 'packages/ambit/'.startsWith(name));
/** Its line cannot be missed, because it is the last one. */
const leftOutReporter = {
  onTestRunEnd() {
    if (leftOut.length === 0) return;
    const all = [...leftOut, ...(triesPairs ? ['combinations of more than two values'] : [])];
    console.log(`left out, because they take long (vitest.config.ts): ${all.join(', ')}`);
  },
};

function project(name: string, include: string[], exclude: string[] = [], isolate = false) {
  const outside = [
    '**/node_modules/**',
    '**/dist/**',
    ...(process.env.TEST_LEVEL === 'test' ? long : leftOut),
  ];
  return {
    extends: true as const,
    test: { name, include, exclude: [...outside, ...exclude], pool: 'forks' as const, isolate },
  };
}

export default defineConfig({
  plugins: [lateImports()],
  resolve: {
    alias: [
      { find: /^fast-check$/, replacement: fastCheck },
      ...fromSources.map((name) => ({
        find: new RegExp(`^${name}$`),
        replacement: fileURLToPath(packageSources.get(name)!),
      })),
    ],
  },
  test: {
    globalSetup: ['./scripts/prepack.mjs'],
    setupFiles: [
      './scripts/expected-warnings.mjs',
      './scripts/treat-tests-as-callers.mjs',
      './scripts/shared-meta-schemas.mjs',
    ],
    env: triesPairs ? { TEST_COMBINATIONS: 'pairs' } : {},
    maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
    // Long enough for a busy machine, so that only a test that hangs exceeds it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // In CI, a failing test is retried once. If it passes then, it is listed at the end of the log.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './scripts/test-counts.mjs', leftOutReporter],
    projects: [
      project('core', ['packages/ambit/src/**/*.test.ts'], alone),
      project(
        'packages',
        [
          'packages/*/{src,test}/**/*.test.ts',
          'scripts/**/*.test.mjs',
          'bench/**/*.test.mjs',
          'examples/**/*.test.{mjs,ts}',
        ],
        ['packages/ambit/src/**', ...alone],
      ),
      project('alone', alone, [], true),
    ],
  },
});
