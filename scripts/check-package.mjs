// Checks each package as users install it: with publint, and with the tarballs of `npm pack` in two applications.
//
// pnpm installs the first, in which each package sees only its own dependencies, and nothing is called `fastify`. There,
// every package must load with `import` and with `require`, every export must have a doc comment, and the README's first
// program must respond as it says. npm installs the second, with the facade under the name `fastify`, as applications do
// that come from Fastify. Types are checked in both, together with the published declarations of plugins.
import { spawnSync } from 'node:child_process';
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
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { findUndocumented } from './doc-comments.mjs';
import { listUnsupported } from './engines.mjs';
import { deriveForms, readFirstProgram, runFirstProgram } from './first-program.mjs';
import { findImports } from './imports.mjs';
import { isWindows } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pnpmVersion = '9.15.9';
/** The module settings of TypeScript: Node's rules before and after `require` of ES modules, and those of bundlers. */
const node16 = { module: 'node16' };
const nodenext = { module: 'nodenext' };
const bundler = { module: 'preserve', moduleResolution: 'bundler', noEmit: true };

process.chdir(root);
const failures = [];

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

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

/** Packs the builds of all packages. Returns the tarball and the files of each. */
function packAll(destination) {
  const workspaces = folders.flatMap((folder) => ['--workspace', folder]);
  const options = ['--json', '--ignore-scripts', '--pack-destination', destination];
  const packed = JSON.parse(run('.', 'npm', ['pack', ...options, ...workspaces]));
  return packed.map(({ name, filename, files }) => ({
    folder: folders.find((folder) => readJson(`${folder}/package.json`).name === name),
    name,
    tarball: join(destination, filename),
    paths: new Set(files.map(({ path }) => path)),
  }));
}

function checkContent({ folder, paths }) {
  // Otherwise, a package could be published without its build.
  if (readJson(`${folder}/package.json`).scripts?.prepack !== 'node ../../scripts/prepack.mjs')
    failures.push(`${folder}: its script \`prepack\` must be \`node ../../scripts/prepack.mjs\``);
  for (const path of paths) {
    // The templates of create-ambit have tests of their own.
    if (/\.test(-d)?\./.test(path) && !path.startsWith('dist/templates/'))
      failures.push(`${folder}: the tarball contains a test, \`${path}\``);
    for (const source of listSources(folder, path)) {
      if (paths.has(source)) continue;
      const what = `${folder}: \`${path}\` was built from \`${source}\`, which does not exist`;
      failures.push(`${what}; delete ${folder}/dist and build again`);
    }
  }
}

/** The sources of a file of the build, from its source map. */
function listSources(folder, path) {
  if (!path.startsWith('dist/') || path.endsWith('.map')) return [];
  if (!existsSync(`${folder}/${path}.map`)) return [];
  return readJson(`${folder}/${path}.map`).sources.map((source) => posix.join(posix.dirname(path), source));
}

async function lint({ folder, tarball }) {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  const manifest = readJson(`${folder}/package.json`);
  if (messages.length > 0)
    throw new Error(messages.map((message) => formatMessage(message, manifest)).join('\n'));
}

// -------------------------------------------------------------------------------------------------------- applications

/** Copies programs to a new application, and describes what they need: our packages, and the plugins that they import. */
function createApplication(application, programs, ownPackages, others) {
  mkdirSync(application);
  for (const folder of programs) cpSync(`scripts/${folder}`, application, { recursive: true });
  const manifests = ['package.json', 'ecosystem/package.json'].map(readJson);
  const versions = Object.assign({}, ...manifests.flatMap((it) => [it.dependencies, it.devDependencies]));
  const plugins = readdirSync(application)
    .filter((file) => file.endsWith('plugins.mts'))
    .flatMap((file) => findImports(file, readFileSync(join(application, file), 'utf8')))
    .map(({ specifier }) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    .filter((name) => name in versions && name !== 'fastify' && !(name in ownPackages));
  const published = [...plugins, '@types/node', '@types/ws'].map((name) => [name, versions[name]]);
  const manifest = {
    name: 'application',
    private: true,
    dependencies: ownPackages,
    devDependencies: Object.fromEntries(published),
    ...others,
  };
  writeFileSync(join(application, 'package.json'), JSON.stringify(manifest));
}

function installByPnpm(application, ownPackages) {
  // Our packages depend on one another, and unpublished versions are in no registry. So they are replaced with the
  // tarballs.
  const overrides = { pnpm: { overrides: ownPackages } };
  createApplication(application, ['package-consumer'], ownPackages, overrides);
  const options = ['--store-dir', join(application, 'store'), '--config.hoist=false', '--silent'];
  run(application, 'npm', ['exec', '--yes', `pnpm@${pnpmVersion}`, '--', 'install', ...options]);
}

function installByNpm(application, ownPackages) {
  const packages = { ...ownPackages, fastify: ownPackages['@ambit/fastify'] };
  createApplication(application, ['package-consumer', 'facade-consumer'], packages);
  run(application, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']);
}

/** All our dependencies must support the versions of Node that we support. */
function checkEngines(application) {
  const { packages } = readJson(join(application, 'package-lock.json'));
  const ours = Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => !dev));
  failures.push(...listUnsupported({ packages: ours }, readJson('package.json').engines.node));
}

// -------------------------------------------------------------------------------------------------------------- checks

/** `import` and `require` must return the same objects, because `instanceof` fails between two copies of a class. */
function checkLoading(application, entryPoint) {
  const program = `
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
  writeFileSync(join(application, 'load.cjs'), program);
  run(application, process.execPath, ['load.cjs']);
}

/** The paths that can be imported from a package, except patterns and its package.json. */
function listEntryPoints({ name, exports }) {
  return Object.entries(exports)
    .filter(([path, target]) => typeof target === 'object' && 'default' in target && !path.includes('*'))
    .map(([path]) => posix.join(name, path));
}

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

function checkSharing(application) {
  const program = `
    import assert from 'node:assert/strict';
    import { errorCodes, LogController } from '@ambit/fastify';
    import deepCodes from '@ambit/fastify/lib/errors.js';
    import * as ambit from 'ambit';
    assert.equal(LogController, ambit.LogController);
    assert.equal(deepCodes, errorCodes);
    for (const [code, Class] of Object.entries(errorCodes))
      assert(Object.values(ambit.errors).some(({ ecosystem }) => ecosystem === Class), code);`;
  writeFileSync(join(application, 'sharing.mjs'), program);
  run(application, process.execPath, ['sharing.mjs']);
}

/** The compiler skips this file in applications, but it must have no errors. */
function showErrorsOfFastifyTypes(application) {
  const declarations = join(application, 'node_modules/ambit/types/fastify.d.cts');
  writeFileSync(declarations, readFileSync(declarations, 'utf8').replace('// @ts-nocheck', '//'));
}

function compile(application, settings, files) {
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
}

/** Compiles programs, and runs the CommonJS program and the ES module `use`. */
function checkTypes(application, settings, programs) {
  compile(application, settings, ['use.cts', 'use.mts', ...programs]);
  for (const file of ['use.cjs', 'use.mjs'])
    if (!settings.noEmit) run(application, process.execPath, [`out/${file}`]);
}

async function checkIsolated(application) {
  const manifests = folders.map((folder) => readJson(`${folder}/package.json`));
  for (const entryPoint of manifests.flatMap(listEntryPoints))
    await attempt(`import and require of ${entryPoint}`, () => checkLoading(application, entryPoint));
  for (const manifest of manifests)
    await attempt(`doc comments of ${manifest.name}`, () => checkDocComments(application, manifest));
  await attempt('the facade exports the objects of ambit', () => checkSharing(application));
  await attempt('nothing is installed as `fastify`', () => checkNoFastify(application));
  showErrorsOfFastifyTypes(application);
  const program = readFirstProgram('README.md');
  const forms = deriveForms(program);
  for (const { file, code } of forms) writeFileSync(join(application, file), code);
  const title = 'types with isolated dependencies, module';
  await attempt(`${title} node16`, () => checkTypes(application, node16, []));
  await attempt(`${title} preserve`, () => checkTypes(application, bundler, ['ambit-plugins.mts']));
  await attempt(`${title} nodenext`, () =>
    checkTypes(application, nodenext, ['ambit-plugins.mts', 'program.mts']),
  );
  for (const form of forms)
    await attempt(`first program as ${form.title}`, () =>
      runFirstProgram(join(application, form.runs), program.response),
    );
}

function checkNoFastify(application) {
  if (existsSync(join(application, 'node_modules/fastify'))) throw new Error('`fastify` is installed');
}

async function checkFacade(application) {
  checkEngines(application);
  for (const file of ['load.mjs', 'load.cjs'])
    await attempt(`${file} with the facade as \`fastify\``, () => run(application, process.execPath, [file]));
  // With the module rules of Node 16, `require` cannot load an ES module, so the declarations must not require one.
  for (const settings of [node16, nodenext])
    await attempt(`plugins against the types of the facade, module ${settings.module}`, () =>
      compile(application, settings, ['load.cts', 'plugins.mts']),
    );
  await attempt('load.cts with the facade as `fastify`', () =>
    run(application, process.execPath, ['out/load.cjs']),
  );
  rmSync(join(application, 'node_modules/fastify'), { recursive: true });
  showErrorsOfFastifyTypes(application);
  for (const settings of [nodenext, bundler])
    await attempt(`types of plugins with ambit alone, module ${settings.module}`, () =>
      compile(application, settings, ['ambit-plugins.mts']),
    );
}

const folders = readdirSync('packages').map((name) => `packages/${name}`);
const temporary = mkdtempSync(join(tmpdir(), 'ambit-packages-'));
try {
  const packed = packAll(temporary);
  packed.forEach(checkContent);
  for (const it of packed) await attempt(`publint of ${it.folder}`, () => lint(it));
  const ownPackages = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const [isolated, facade] = ['isolated', 'facade'].map((name) => join(temporary, name));
  installByPnpm(isolated, ownPackages);
  await checkIsolated(isolated);
  installByNpm(facade, ownPackages);
  await checkFacade(facade);
} catch (error) {
  failures.push(error.message);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(`packages: ${folders.length} packed, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
