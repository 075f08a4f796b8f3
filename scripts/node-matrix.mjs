// Repeats tests on other major versions of Node: `node scripts/node-matrix.mjs 22 24 26` repeats those whose result may
// depend on the version, and with `--all` all of them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { provideNode } from './provide-node.mjs';
import { runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;

/** Folders whose subject is what Node does: connections, streams, and the wires of requests. */
const foldersOfNode = /^packages\/(?:http-engine\/test|ambit\/src\/transport)\//;
/** The modules of Node that change between its versions: a test that uses one may depend on the version. */
const modulesOfNode =
  /support\/(?:ask-http2|raw-client|transports)\.ts|'node:(?:async_hooks|child_process|cluster|diagnostics_channel|http2?|https|module|net|stream(?:\/\w+)?|tls|v8|vm|worker_threads|zlib)'|process\.versions?\b/;

/** The test files whose result may depend on the version of Node. */
export function listVersionTests() {
  return ['packages', 'examples']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) =>
        /\.test\.(?:ts|mjs)$/.test(file) && !/\/(?:node_modules|dist|templates|runtimes)\//.test(file),
    )
    .filter((file) => foldersOfNode.test(file) || modulesOfNode.test(readFileSync(root + file, 'utf8')))
    .sort();
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
  const files = args.includes('--all') ? [] : listVersionTests();
  const failed = majors.filter((major) => !runStep(`tests on Node ${major}`, () => runTests(major, files)));
  if (failed.length > 0) console.error(`node-matrix: FAILED on Node ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
