// Repeats tests on other major versions of Node: `node scripts/node-matrix.mjs 22 24 26` repeats those whose result may
// depend on the version, and with `--all` all of them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { provideNode } from './provide-node.mjs';
import { runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;

const core = 'packages/ambit/src';
const engine = 'packages/http-engine/test';
const http = [
  `${core}/transport/transports.test.ts`,
  `${core}/transport/engine.test.ts`,
  `${engine}/connections.test.ts`,
  `${engine}/differential.test.ts`,
];
const loading = [
  `${core}/routing/without-codegen.test.ts`,
  'packages/ambit/test/no-code-generation.test.ts',
  'packages/json-serializer/src/load.test.ts',
];

/** The modules of Node whose behavior changes with its version, and the tests and folders of tests that would notice it. */
export const testsOfModules = {
  async_hooks: [
    `${core}/runtime/run-hook.async-context.test.ts`,
    `${engine}/async-contexts.test.ts`,
    `${engine}/written-together.test.ts`,
    'packages/opentelemetry/src/instrumentation.test.ts',
  ],
  child_process: ['packages/cli/src/commands/routes.test.ts', 'packages/cli/src/commands/types.test.ts'],
  cluster: [`${core}/context/closing/close-on-signals.test.ts`],
  diagnostics_channel: [
    `${core}/runtime/run-handler.diagnostics.test.ts`,
    `${core}/runtime/tracing.test.ts`,
    `${engine}/watchers.test.ts`,
  ],
  dns: ['packages/ambit/test/spec/localhost.test.ts', 'packages/fastify/test/localhost.test.ts'],
  http: [
    ...http,
    `${engine}/`,
    `${core}/transport/`,
    'packages/ambit/test/faults.connections.test.ts',
    'packages/fastify/test/closing.test.ts',
    'packages/fastify/test/early-answers.test.ts',
    'packages/fastify/test/raw-objects.test.ts',
  ],
  http2: [`${core}/transport/`, 'packages/fastify/test/closing.graceful.test.ts'],
  https: [`${core}/transport/`],
  module: loading,
  net: [
    `${engine}/`,
    'packages/ambit/test/spec/listen.test.ts',
    'packages/fastify/test/closing.process.test.ts',
  ],
  stream: [
    'packages/ambit/test/spec/replies.test.ts',
    'packages/fastify/test/inject.test.ts',
    ...[
      'collect-body',
      'deliver',
      'read-body',
      'request-signal',
      'send.async-iterables',
      'stream-payload',
    ].map((name) => `${core}/runtime/${name}.test.ts`),
    `${core}/runtime/stalled-uploads.test.ts`,
    `${core}/runtime/uploads.test.ts`,
  ],
  zlib: [`${core}/runtime/read-body.test.ts`],
};

/** Node 22 is between versions that run all of them: on it, one or two of each kind. */
const testsOnNode22 = [
  ...http,
  ...loading,
  `${core}/runtime/run-hook.async-context.test.ts`,
  `${core}/runtime/stream-payload.test.ts`,
  `${core}/transport/node-server.http2.test.ts`,
  `${engine}/async-contexts.test.ts`,
  `${engine}/watchers.test.ts`,
  'packages/cli/src/commands/routes.test.ts',
  'packages/fastify/test/closing.process.test.ts',
];

/** The test files and folders whose result may depend on the version. */
export function listVersionTests(major) {
  return major === '22' ? testsOnNode22 : [...new Set(Object.values(testsOfModules).flat())];
}

function runTests(major, files) {
  const binary = provideNode(major);
  if (binary === undefined) {
    console.error(`node-matrix: the npm package node@${major} contains no binary for this machine`);
    return 1;
  }
  const workers = process.env.TEST_WORKERS ? [`--maxWorkers=${process.env.TEST_WORKERS}`] : [];
  const args = [
    vitest,
    'run',
    '--reporter=dot',
    '--reporter=./scripts/test-counts.mjs',
    ...workers,
    ...files,
  ];
  return spawnSync(binary, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2);
  const majors = args.filter((arg) => arg !== '--all');
  if (majors.length === 0) throw new Error('usage: node scripts/node-matrix.mjs [--all] <major> ...');
  const list = args.includes('--all') ? () => [] : listVersionTests;
  const failed = majors.filter(
    (major) => !runStep(`tests on Node ${major}`, () => runTests(major, list(major))),
  );
  if (failed.length > 0) console.error(`node-matrix: FAILED on Node ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
