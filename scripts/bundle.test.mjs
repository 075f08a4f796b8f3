// Tests the published code: it loads few files, so that it starts fast, and its stack traces are readable. The tests
// count files and never measure time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkCopies } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function listLoaded(kind, id) {
  return JSON.parse(run('scripts/list-loaded-modules.mjs', kind, id));
}

const isLibrary = (file) => file.startsWith('node_modules/');
const packageOf = (file) => /^(?:@[^/]+\/)?[^/]+/.exec(file.split('node_modules/').at(-1))[0];

/** The library for routing, with its dependencies. */
const baseLibraries = [
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-querystring',
  'find-my-way',
  'ret',
  'safe-regex2',
];
const ambitFiles = ['packages/ambit/dist/bundle/index.cjs', 'packages/ambit/dist/index.cjs'];
const facadeFiles = ['packages/fastify/dist/index.cjs', 'packages/fastify/entry.cjs'];
const serializer = 'packages/json-serializer/dist';
const shared = `${serializer}/bundle/shared/read-shape.cjs`;
const schemaFiles = ['packages/json-schema/dist/bundle/index.cjs', 'packages/json-schema/dist/index.cjs'];

describe.each([
  ['ambit', ambitFiles, baseLibraries, ['assert']],
  ['@ambit/fastify', [...ambitFiles, ...facadeFiles], baseLibraries, ['assert']],
  ['ambit/client', ['packages/ambit/dist/client/client.cjs'], [], []],
  [
    '@ambit/json-serializer',
    [...schemaFiles, `${serializer}/bundle/index.cjs`, shared, `${serializer}/index.cjs`],
    [],
    [],
  ],
  [
    '@ambit/json-serializer/runtime',
    [...schemaFiles, `${serializer}/bundle/load.cjs`, shared, `${serializer}/load.cjs`],
    [],
    [],
  ],
])('importing %s', (id, ownFiles, libraries, builtins) => {
  test('loads its own code from few files, and no library that a plain route does not need', () => {
    const files = listLoaded('files', id);
    expect(files.filter((file) => !isLibrary(file))).toEqual(ownFiles);
    expect([...new Set(files.filter(isLibrary).map(packageOf))]).toEqual(libraries);
  });

  test('loads no module of Node that an HTTP server does not need, except those that libraries load', () => {
    expect(listLoaded('builtins', id)).toEqual(builtins);
  });
});

const entryPoint = new URL('../packages/ambit/dist/index.cjs', import.meta.url);
const failingProgram = `import { ambit } from '${entryPoint}';
try {
  ambit({ bodylimit: 1 });
} catch ({ stack, where }) {
  console.log(JSON.stringify({ stack, place: where.file }));
}`;

/** The stack trace of an error in an application that is a single file. */
function runFailingProgram(...flags) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-failing-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'failing.mjs');
  writeFileSync(program, failingProgram);
  const { stack, place } = JSON.parse(run(...flags, program));
  const frames = [...stack.matchAll(/packages\/ambit\/([^\s:]+):(\d+):\d+/g)];
  return { frames: frames.map(([, file, line]) => ({ file, line: Number(line) })), place, program };
}

function readLine({ file, line }) {
  return readFileSync(`${root}packages/ambit/${file}`, 'utf8').split('\n')[line - 1];
}

test('with --enable-source-maps, a stack trace shows lines of the sources', () => {
  const { frames, place, program } = runFailingProgram('--enable-source-maps');
  expect(frames[0].file).toBe('src/context/options/check-options.ts');
  expect(readLine(frames[0])).toContain('new UnknownOption(');
  expect(frames.filter(({ file }) => !file.startsWith('src/'))).toEqual([]);
  expect(place).toBe(`${program}:3:3`);
});

test('without --enable-source-maps, a stack trace shows the same lines in the build', () => {
  const { frames, place, program } = runFailingProgram();
  expect(readLine(frames[0])).toContain('new UnknownOption(');
  expect(frames.filter(({ file }) => file !== 'dist/bundle/index.cjs')).toEqual([]);
  expect(place).toBe(`${program}:3:3`);
});

test.each(['packages/ambit/dist/bundle/index.cjs', shared])(
  'in %s, functions that the bundler renamed because of a duplicate name keep their original name',
  (file) => {
    const code = readFileSync(`${root}${file}`, 'utf8');
    const renamed = [...code.matchAll(/^(?:async )?function\*? ((.+)\$\d+)\(/gm)];
    expect(renamed).not.toEqual([]);
    expect(renamed.filter(([, now, name]) => !code.includes(`__name(${now}, "${name}")`))).toEqual([]);
  },
);

const chunk = (fileName, ...sources) => ({
  fileName,
  moduleIds: sources.map((source) => join(root, source)),
});

test('the build fails if two modules contain the same source', () => {
  const chunks = [chunk('index.js', 'packages/a/src/a.ts'), chunk('b.js', 'packages/a/src/a.ts')];
  expect(() => checkCopies(chunks)).toThrow('packages/a/src/a.ts is in two modules: index.js and b.js');
});

test('two modules may contain the same source if it has no state', () => {
  const source = 'packages/ambit/src/shared/typed-calls.ts';
  expect(() => checkCopies([chunk('index.js', source), chunk('b.js', source)])).not.toThrow();
});
