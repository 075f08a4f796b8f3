// Checks each package as users install it: with publint, and with the tarballs of `npm pack` in two applications.
//
// pnpm installs the first, in which each package sees only its own dependencies, and nothing is called `fastify`. There,
// every package must load with `import` and with `require`, every export must have a doc comment, and the README's first
// program must respond as it says. npm installs the second, with the facade under the name `fastify`, as applications do
// that come from Fastify. Types are checked in both, together with the published declarations of plugins. The programs of
// the applications are in `consumers/`.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import semver from 'semver';
import { findUndocumented } from './doc-comments.mjs';
import { findFreePort } from './load/proxies.mjs';
import { findFences } from './markdown.mjs';
import { isWindows } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pnpmVersion = '9.15.9';
/** The module settings of TypeScript: Node's rules before and after `require` of ES modules, and those of bundlers. */
const node16 = { module: 'node16' };
const nodenext = { module: 'nodenext' };
const bundler = { module: 'preserve', moduleResolution: 'bundler', noEmit: true };
const responseTimeoutMs = 20_000;

process.chdir(root);
const failures = [];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function run(cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: isWindows && command === 'npm',
    // The compiler is written in Go, and ends before collecting garbage is worth its time.
    env: { ...process.env, GOGC: 'off' },
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

async function attempt(what, check) {
  try {
    await check();
    console.log(`ok: ${what}`);
  } catch (error) {
    failures.push(`${what}: ${error.message}`);
  }
}

// --------------------------------------------------------------------------------------------------------------- packs

/** Packs the builds of all packages. Returns the folder, the manifest, the tarball and the files of each. */
function packAll(destination) {
  const packages = readdirSync('packages').map((name) => {
    const folder = `packages/${name}`;
    return { folder, manifest: readJson(`${folder}/package.json`) };
  });
  const workspaces = packages.flatMap(({ folder }) => ['--workspace', folder]);
  const options = ['--json', '--ignore-scripts', '--pack-destination', destination];
  return JSON.parse(run('.', 'npm', ['pack', ...options, ...workspaces])).map(
    ({ name, filename, files }) => ({
      ...packages.find(({ manifest }) => manifest.name === name),
      tarball: join(destination, filename),
      paths: new Set(files.map(({ path }) => path)),
    }),
  );
}

async function checkPack({ folder, manifest, tarball, paths }) {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  const problems = messages.map((message) => formatMessage(message, manifest));
  // Otherwise, a package could be published without its build.
  if (manifest.scripts?.prepack !== 'node ../../scripts/prepack.mjs')
    problems.push('its script `prepack` must be `node ../../scripts/prepack.mjs`');
  for (const path of paths) {
    // The templates of create-ambit have tests of their own.
    if (/\.test(-d)?\./.test(path) && !path.startsWith('dist/templates/'))
      problems.push(`the tarball contains a test, \`${path}\``);
    for (const source of listSources(folder, path).filter((it) => !paths.has(it)))
      problems.push(
        `\`${path}\` was built from \`${source}\`, which does not exist; delete ${folder}/dist and build again`,
      );
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function listSources(folder, path) {
  if (!path.startsWith('dist/') || path.endsWith('.map') || !existsSync(`${folder}/${path}.map`)) return [];
  return readJson(`${folder}/${path}.map`).sources.map((source) => posix.join(posix.dirname(path), source));
}

// -------------------------------------------------------------------------------------------------------- applications

/** Creates an application with the programs, our packages, and the plugins that the programs import. */
function createApplication(application, ownPackages, others = {}) {
  mkdirSync(application);
  cpSync('scripts/consumers', application, { recursive: true });
  const manifests = ['package.json', 'ecosystem/package.json'].map(readJson);
  const versions = Object.assign({}, ...manifests.flatMap((it) => [it.dependencies, it.devDependencies]));
  const texts = readdirSync('scripts/consumers').map((file) => readFileSync(join(application, file), 'utf8'));
  const imported = [...texts.join('').matchAll(/ from '((?:@[^/']+\/)?[^/']+)/g)].map(([, name]) => name);
  const plugins = imported.filter((name) => name in versions && name !== 'fastify');
  const published = [...plugins, '@types/node', '@types/ws'].map((name) => [name, versions[name]]);
  const manifest = { name: 'application', private: true, dependencies: ownPackages, ...others };
  const text = JSON.stringify({ ...manifest, devDependencies: Object.fromEntries(published) });
  writeFileSync(join(application, 'package.json'), text);
}

function runProgram(application, file, text) {
  if (text !== undefined) writeFileSync(join(application, file), text);
  run(application, process.execPath, [file]);
}

/** Compiles programs, and runs what they were compiled to, if they need no compiler. */
function compile(application, settings, files, runs = []) {
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    types: ['node'],
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    outDir: 'out',
    ...settings,
  };
  writeFileSync(join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  run(application, process.execPath, [compiler, '--pretty', 'false', '--checkers', '1']);
  for (const file of runs) runProgram(application, `out/${file}`);
}

/** The compiler skips this file in applications, but it must have no errors. */
function showErrorsOfFastifyTypes(application) {
  const declarations = join(application, 'node_modules/ambit/types/fastify.d.cts');
  writeFileSync(declarations, readFileSync(declarations, 'utf8').replace('// @ts-nocheck', '//'));
}

// ------------------------------------------------------------------------------------------- packages that are isolated

/** `import` and `require` must return the same objects, because `instanceof` fails between two copies of a class. */
const loadingProgram = (entryPoint) => `
  const assert = require('node:assert/strict');
  const required = require('${entryPoint}');
  assert.ok(Object.hasOwn(require.cache, require.resolve('${entryPoint}')), 'is no CommonJS module');
  // Newer versions of Node export the result of \`require\` under two names.
  import('${entryPoint}').then(({ 'module.exports': moduleExports = required, default: defaultExport, ...imported }) => {
    assert.equal(defaultExport, required);
    assert.equal(moduleExports, required);
    assert.deepEqual(Object.keys(required).filter((name) => name !== 'default').sort(), Object.keys(imported).sort());
    for (const [name, value] of Object.entries(imported)) assert.equal(required[name], value, name);
  });`;

const sharingProgram = `
  import assert from 'node:assert/strict';
  import { errorCodes, LogController } from '@ambit/fastify';
  import deepCodes from '@ambit/fastify/lib/errors.js';
  import * as ambit from 'ambit';
  assert.equal(LogController, ambit.LogController);
  assert.equal(deepCodes, errorCodes);
  for (const [code, Class] of Object.entries(errorCodes))
    assert(Object.values(ambit.errors).some(({ ecosystem }) => ecosystem === Class), code);`;

/** Checks the doc comments of the packed declarations, because editors show them. */
function checkDocComments(application, { name, exports }) {
  const entryPoints = Object.entries(exports)
    .filter(([path, target]) => target.types !== undefined && !path.includes('*'))
    .map(([, { types }]) => posix.normalize(types));
  const read = (path) => {
    const file = join(application, 'node_modules', name, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const problems = findUndocumented(read, entryPoints);
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`);
}

/**
 * The README's first program: the block with the info string `js first-program`. It imports names, listens on `port: 3000`,
 * and has its response in a comment: `// curl localhost:3000/hello/ada → {"hello":"ada"}`.
 */
function readFirstProgram() {
  const blocks = findFences('README.md', readFileSync('README.md', 'utf8'));
  const { code } = blocks.find(({ info }) => info === 'js first-program') ?? {};
  const [, path, response] = /^\s*\/\/ curl localhost:3000(\S*) → (.+)$/m.exec(code) ?? [];
  if (response === undefined || !code.includes('port: 3000'))
    throw new Error('README.md needs a first program on port 3000 with its response');
  const imports = /^import (\{[^}]*\}) from ('[^']+');$/gm;
  const required = [...code.matchAll(imports)].map(([, names, from]) => `const ${names} = require(${from});`);
  const commonJs = `${required.join('\n')}\n(async () => {\n${code.replace(imports, '')}\n})();\n`;
  return { path, response: response.trim(), code, commonJs };
}

async function runFirstProgram(application, file, { path, response }) {
  const port = await findFreePort();
  const program = join(application, file);
  writeFileSync(program, readFileSync(program, 'utf8').replace('port: 3000', `port: ${port}`));
  const child = spawn(process.execPath, [program], { cwd: application });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    const deadlineMs = Date.now() + responseTimeoutMs;
    while (child.exitCode === null && Date.now() < deadlineMs) {
      const answer = await fetch(`http://localhost:${port}${path}`).catch(() => wait(50));
      if (answer === undefined) continue;
      const text = await answer.text();
      if (text === response) return;
      throw new Error(`responded with ${text}, the README says ${response}\n${output}`);
    }
    throw new Error(`no response\n${output}`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function checkIsolated(application, packed, ownPackages) {
  // Our packages depend on one another, and unpublished versions are in no registry. So they are replaced with the
  // tarballs.
  createApplication(application, ownPackages, { pnpm: { overrides: ownPackages } });
  const options = ['--store-dir', join(application, 'store'), '--config.hoist=false', '--silent'];
  run(application, 'npm', ['exec', '--yes', `pnpm@${pnpmVersion}`, '--', 'install', ...options]);
  for (const { manifest } of packed) {
    const { name, exports } = manifest;
    const entryPoints = Object.entries(exports).filter(
      ([path, target]) => typeof target === 'object' && 'default' in target && !path.includes('*'),
    );
    for (const entryPoint of entryPoints.map(([path]) => posix.join(name, path)))
      await attempt(`import and require of ${entryPoint}`, () =>
        runProgram(application, 'load.cjs', loadingProgram(entryPoint)),
      );
    await attempt(`doc comments of ${name}`, () => checkDocComments(application, manifest));
  }
  await attempt('the facade exports the objects of ambit', () =>
    runProgram(application, 'sharing.mjs', sharingProgram),
  );
  if (existsSync(join(application, 'node_modules/fastify'))) failures.push('`fastify` is installed');
  showErrorsOfFastifyTypes(application);
  const program = readFirstProgram();
  for (const [file, code] of [
    ['program.mjs', program.code],
    ['program.cjs', program.commonJs],
    ['program.mts', program.code],
  ])
    writeFileSync(join(application, file), code);
  for (const [settings, more] of [
    [node16, []],
    [bundler, ['ambit-plugins.mts']],
    [nodenext, ['ambit-plugins.mts', 'program.mts']],
  ]) {
    const runs = settings.noEmit ? [] : ['ambit.cjs', 'ambit.mjs'];
    await attempt(`types with isolated dependencies, module ${settings.module}`, () =>
      compile(application, settings, ['ambit.cts', 'ambit.mts', ...more], runs),
    );
  }
  for (const file of ['program.mjs', 'program.cjs', 'out/program.mjs'])
    await attempt(`first program as ${file}`, () => runFirstProgram(application, file, program));
}

// ------------------------------------------------------------------------------------------------ the facade as fastify

/** The packages of a lock file must support the oldest version of Node that we support. npm would warn about them. */
function checkEngines(lockFile, isOurs = () => true) {
  const { node: supported } = readJson('package.json').engines;
  const oldest = semver.minVersion(supported);
  // npm does not install optional packages that do not support the version of Node.
  const isRefused = ({ optional, engines }) =>
    !optional && engines?.node !== undefined && !semver.satisfies(oldest, engines.node);
  for (const [path, it] of Object.entries(readJson(lockFile).packages))
    if (isOurs(it) && isRefused(it))
      failures.push(`${path}@${it.version} needs node ${it.engines.node}, but we support ${supported}`);
}

async function checkFacade(application, ownPackages) {
  createApplication(application, { ...ownPackages, fastify: ownPackages['@ambit/fastify'] });
  run(application, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']);
  checkEngines(join(application, 'package-lock.json'), ({ dev }) => !dev);
  await attempt('the facade as `fastify`', () => runProgram(application, 'facade.mjs'));
  // With the module rules of Node 16, `require` cannot load an ES module, so the declarations must not require one.
  for (const settings of [node16, nodenext])
    await attempt(`plugins against the types of the facade, module ${settings.module}`, () =>
      compile(application, settings, ['facade.cts', 'facade-plugins.mts'], ['facade.cjs']),
    );
  rmSync(join(application, 'node_modules/fastify'), { recursive: true });
  showErrorsOfFastifyTypes(application);
  for (const settings of [nodenext, bundler])
    await attempt(`types of plugins with ambit alone, module ${settings.module}`, () =>
      compile(application, settings, ['ambit-plugins.mts']),
    );
}

const temporary = mkdtempSync(join(tmpdir(), 'ambit-packages-'));
try {
  const packed = packAll(temporary);
  for (const it of packed) await attempt(`the tarball of ${it.folder}`, () => checkPack(it));
  const ownPackages = Object.fromEntries(
    packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  );
  await checkIsolated(join(temporary, 'isolated'), packed, ownPackages);
  await checkFacade(join(temporary, 'facade'), ownPackages);
  checkEngines('package-lock.json');
} catch (error) {
  failures.push(error.message);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(`packages: ${readdirSync('packages').length} packed, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
