// Checks each package as users install it: with publint, with `npm pack`, and with the tarballs in an empty folder.
// Every package must load with `import` and with `require`, every export must have a doc comment, and the README's
// first program must respond as it says. The facade is also installed under the name `fastify`, and `ambit` with
// plugins and without any package of that name.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
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
import { listFacadeChecks, listPlugins } from './check-facade.mjs';
import { listPluginTypeChecks } from './check-plugin-types.mjs';
import { findUndocumented } from './doc-comments.mjs';
import { listUnsupported } from './engines.mjs';
import { deriveForms, readFirstProgram, runFirstProgram } from './first-program.mjs';
import { isWindows } from './steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const failures = [];

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function run(cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: isWindows && command === 'npm',
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

async function lint(folder) {
  const manifest = readJson(`${folder}/package.json`);
  const { messages } = await publint({ pkgDir: folder, strict: true, pack: 'npm' });
  if (messages.length > 0)
    throw new Error(messages.map((message) => formatMessage(message, manifest)).join('\n'));
}

/** Packs the build of a package, and checks its content. Returns the tarball. */
function pack(folder, destination) {
  // Otherwise, a package could be published without its build.
  if (readJson(`${folder}/package.json`).scripts?.prepack !== 'node ../../scripts/prepack.mjs')
    failures.push(`${folder}: its script \`prepack\` must be \`node ../../scripts/prepack.mjs\``);
  const [{ filename, files }] = JSON.parse(
    run(folder, 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]),
  );
  const paths = new Set(files.map(({ path }) => path));
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
  return join(destination, filename);
}

/** The sources of a file of the build, from its source map. */
function listSources(folder, path) {
  if (!path.startsWith('dist/') || path.endsWith('.map')) return [];
  if (!existsSync(`${folder}/${path}.map`)) return [];
  return readJson(`${folder}/${path}.map`).sources.map((source) => posix.join(posix.dirname(path), source));
}

/** Creates an application that depends only on the given packages, and not on the workspace. */
function installConsumer(consumer, ...packages) {
  const { devDependencies } = readJson('package.json');
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  run(consumer, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages, ...tools]);
}

/** Creates an application for Fastify that uses the facade after a change of one line. */
function installFacadeConsumer(consumer, tarballs) {
  mkdirSync(consumer);
  const { devDependencies } = readJson('package.json');
  const plugins = listPlugins(readJson('ecosystem/package.json'));
  const sources = folders.map((folder, i) => {
    const { name } = readJson(`${folder}/package.json`);
    return name === '@ambit/fastify' ? `fastify@file:${tarballs[i]}` : tarballs[i];
  });
  installConsumer(consumer, ...sources, ...plugins, `fastify-plugin@${devDependencies['fastify-plugin']}`);
}

/** `import` and `require` must return the same objects, because `instanceof` fails between two copies of a class. */
function checkLoading(consumer, entryPoint) {
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
  writeFileSync(join(consumer, 'load.cjs'), program);
  run(consumer, process.execPath, ['load.cjs']);
}

/** The paths that can be imported from a package, except patterns and its package.json. */
function listEntryPoints({ name, exports }) {
  return Object.entries(exports)
    .filter(([path, target]) => typeof target === 'object' && 'default' in target && !path.includes('*'))
    .map(([path]) => posix.join(name, path));
}

/** Checks the doc comments of the packed declarations, because editors show them. */
function checkDocComments(consumer, { name, exports }) {
  const entryPoints = Object.entries(exports)
    .filter(([path, target]) => target.types !== undefined && !path.includes('*'))
    .map(([, { types }]) => posix.normalize(types));
  const read = (path) => {
    const file = join(consumer, 'node_modules', name, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const problems = findUndocumented(read, entryPoints);
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`);
}

/** The module settings of TypeScript: Node's rules before and after `require` of ES modules, and those of bundlers. */
const moduleSettings = [
  { module: 'node16' },
  { module: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler', noEmit: true },
];

/** Compiles a CommonJS program and an ES module together. Then it runs the result that was compiled with Node's rules. */
function checkTypes(consumer, settings) {
  const programs = fileURLToPath(new URL('package-consumer/', import.meta.url));
  for (const file of ['use.cts', 'use.mts']) copyFileSync(programs + file, join(consumer, file));
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    types: ['node'],
    skipLibCheck: false,
    outDir: 'out',
  };
  const config = { compilerOptions: { ...compilerOptions, ...settings }, files: ['use.cts', 'use.mts'] };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(config));
  run(consumer, process.execPath, ['node_modules/typescript/bin/tsc', '--pretty', 'false']);
  for (const file of ['use.cjs', 'use.mjs'])
    if (!settings.noEmit) run(consumer, process.execPath, [`out/${file}`]);
}

function checkSharing(consumer) {
  const program = `
    import assert from 'node:assert/strict';
    import { errorCodes, LogController } from '@ambit/fastify';
    import deepCodes from '@ambit/fastify/lib/errors.js';
    import * as ambit from 'ambit';
    assert.equal(LogController, ambit.LogController);
    assert.equal(deepCodes, errorCodes);
    for (const [code, Class] of Object.entries(errorCodes))
      assert(Object.values(ambit.errors).some(({ ecosystem }) => ecosystem === Class), code);`;
  writeFileSync(join(consumer, 'sharing.mjs'), program);
  run(consumer, process.execPath, ['sharing.mjs']);
}

/** The packages that an application on `ambit` installs. */
function ownTarballs(tarballs) {
  const { dependencies } = readJson('packages/ambit/package.json');
  const isNeeded = (folder) =>
    folder === 'packages/ambit' || readJson(`${folder}/package.json`).name in dependencies;
  return tarballs.filter((_, i) => isNeeded(folders[i]));
}

/** The versions of plugins and tools with which the repository is tested. */
function readVersions() {
  const manifests = ['ecosystem/package.json', 'package.json'].map(readJson);
  return Object.assign(
    {},
    ...manifests.flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies]),
  );
}

async function attempt(what, check) {
  try {
    await check();
    console.log(`ok: ${what}`);
  } catch (error) {
    failures.push(`${what}: ${error.message}`);
  }
}

const folders = readdirSync('packages').map((name) => `packages/${name}`);
const consumer = mkdtempSync(join(tmpdir(), 'ambit-consumer-'));
try {
  for (const folder of folders) await attempt(`publint of ${folder}`, () => lint(folder));
  const tarballs = folders.map((folder) => pack(folder, consumer));
  // All our dependencies must support the versions of Node that we support.
  installConsumer(consumer, '--engine-strict', ...tarballs);
  failures.push(
    ...listUnsupported(readJson(`${consumer}/package-lock.json`), readJson('package.json').engines.node),
  );
  for (const folder of folders) {
    for (const entryPoint of listEntryPoints(readJson(`${folder}/package.json`)))
      await attempt(`import and require of ${entryPoint}`, () => checkLoading(consumer, entryPoint));
  }
  for (const folder of folders)
    await attempt(`doc comments of ${folder}`, () =>
      checkDocComments(consumer, readJson(`${folder}/package.json`)),
    );
  for (const settings of moduleSettings)
    await attempt(`types under module ${settings.module}`, () => checkTypes(consumer, settings));
  await attempt('the facade exports the objects of ambit', () => checkSharing(consumer));
  const program = readFirstProgram('README.md');
  for (const form of deriveForms(program)) {
    await attempt(`first program as ${form.title}`, () => runFirstProgram(consumer, form, program.response));
  }
  for (const [title, check] of listPluginTypeChecks(consumer, ownTarballs(tarballs), readVersions(), run))
    await attempt(title, check);
  const facadeConsumer = join(consumer, 'facade');
  installFacadeConsumer(facadeConsumer, tarballs);
  for (const [title, check] of listFacadeChecks(facadeConsumer, run)) await attempt(title, check);
} catch (error) {
  failures.push(error.message);
} finally {
  rmSync(consumer, { recursive: true, force: true });
}

for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(`packages: ${folders.length} packed, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
