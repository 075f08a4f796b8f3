// Repeats tests on other major versions of Node: `node scripts/node-matrix.mjs 22 24 26` repeats those whose result may
// depend on the version, with `--all` all of them, and with `--unbuilt` those of vitest.unbuilt.config.ts.
import { spawnSync } from 'node:child_process';
import { provideNode } from './provide-node.mjs';
import { isProgram, root, runStep } from './steps.mjs';

const vitest = `${root}node_modules/vitest/vitest.mjs`;

const http = ['transports.test', 'node-transport.engine', 'test/connections', 'differential'];
const loading = ['routing/without-codegen', 'no-code-generation', 'json-serializer/src/load'];

/**
 * The modules of Node whose behavior changes with its version, and the tests that would notice it: what the paths of their files
 * contain.
 */
export const testsOfModules = {
  async_hooks: ['run-steps.async-context', 'async-contexts', 'written-together', 'src/instrumentation'],
  child_process: ['commands/routes', 'commands/types'],
  cluster: ['closing/close-on-signals'],
  diagnostics_channel: ['handler.diagnostics', 'runtime/tracing', 'watchers'],
  dns: ['localhost'],
  http: [
    ...http,
    'http-engine/test/',
    'ambit/src/transport/',
    'faults.connections',
    ...['closing', 'early-answers', 'raw-objects'].map((name) => `fastify/test/${name}.test`),
  ],
  http2: ['ambit/src/transport/', 'closing.graceful'],
  https: ['ambit/src/transport/'],
  module: loading,
  net: ['http-engine/test/', 'spec/listen', 'closing.process'],
  stream: [
    'spec/replies',
    'fastify/test/inject',
    ...['read-body', 'request-monitor.signal', 'send.async-iterables', 'send.deliver', 'runtime/streams'],
    ...['form-parser.stalled', 'form-parser.uploads'],
  ],
  vm: ['development.all-problems'],
  zlib: ['runtime/read-body'],
};

/** What the paths of the tests contain whose result may depend on the version. */
export const versionTests = [...new Set(Object.values(testsOfModules).flat())];

function runTests(major, args) {
  const binary = provideNode(major);
  if (binary === undefined) {
    console.error(`node-matrix: the npm package node@${major} contains no binary for this machine`);
    return 1;
  }
  const workers = process.env.TEST_WORKERS ? [`--maxWorkers=${process.env.TEST_WORKERS}`] : [];
  const reporters = ['--reporter=dot', '--reporter=./scripts/test-counts.mjs'];
  const command = [vitest, 'run', ...reporters, ...workers, ...args];
  return spawnSync(binary, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

if (isProgram(import.meta.url)) {
  const args = process.argv.slice(2);
  const majors = args.filter((arg) => !arg.startsWith('--'));
  if (majors.length === 0)
    throw new Error('usage: node scripts/node-matrix.mjs [--all|--unbuilt] <major> ...');
  const chosen = { '--all': [], '--unbuilt': ['--config', 'vitest.unbuilt.config.ts'] };
  const tests = chosen[args[0]] ?? versionTests;
  const failed = majors.filter((major) => !runStep(`tests on Node ${major}`, () => runTests(major, tests)));
  if (failed.length > 0) console.error(`node-matrix: FAILED on Node ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
