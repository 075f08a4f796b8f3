/**
 * Runs tests without a build and without a transform of the sources: Node itself loads them and removes their types. It needs Node 24 or
 * later: `node scripts/node-matrix.mjs --unbuilt 24 26` brings it.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { packageSources } from './scripts/package-sources.mjs';

const hooks = fileURLToPath(new URL('scripts/resolve-sources.mjs', import.meta.url));

export default defineConfig({
  resolve: {
    alias: [...packageSources].map(([name, source]) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(source),
    })),
  },
  test: {
    // One file a package, and an example, which runs in a process of its own.
    include: [
      'examples/encapsulation/server.test.mjs',
      'packages/ambit/test/spec/validation.test.ts',
      'packages/cli/src/environment-file.test.ts',
      'packages/create-ambit/src/requirements.test.ts',
      'packages/fastify/src/index.test.ts',
      'packages/form-data/test/form-reader.test.ts',
      'packages/http-engine/test/answers.test.ts',
      'packages/inspector/src/plugin.test.ts',
      'packages/json-schema/test/references.test.ts',
      'packages/json-serializer/src/compile.test.ts',
      'packages/json-validator/src/schema-precheck.test.ts',
      'packages/openapi/src/to-openapi.test.ts',
      'packages/opentelemetry/src/instrumentation.test.ts',
    ],
    setupFiles: ['./scripts/expected-warnings.mjs', './scripts/treat-tests-as-callers.mjs'],
    server: { deps: { external: [/\/packages\/[^/]+\/src\/(?!.*\.test\.ts$)/] } },
    execArgv: ['--import', hooks],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
