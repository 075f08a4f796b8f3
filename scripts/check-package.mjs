// Checks each package as users install it: with publint, and with the tarballs of `npm pack` in an application.
//
// Every package must load with `import` and with `require`, every export must have a doc comment, and the README's first program
// must respond as it says. Types are checked together with the published declarations of plugins: first with `ambit` alone, then with
// the facade under the name `fastify`, as in applications that come from Fastify. The programs are in `consumers/`. Each package sees
// only its own dependencies, and at first nothing is called `fastify`.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import semver from 'semver';
import { findUndocumented } from './doc-comments.mjs';
import { findFences } from './markdown.mjs';
import { listPackages } from './package-sources.mjs';
import { isWindows, packPackages, root } from './steps.mjs';

process.chdir(root);
const temporary = mkdtempSync(join(tmpdir(), 'ambit-packages-'));
const application = join(temporary, 'application');
const failures = [];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: application,
    encoding: 'utf8',
    shell: isWindows && command === 'npm',
    // The compiler is written in Go, and ends before collecting garbage is worth its time.
    env: { ...process.env, GOGC: 'off' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

async function attempt(what, check) {
  try {
    await check();
    console.log(`ok: ${what}`);
  } catch (error) {
    failures.push(`${what}: ${error.message}`);
  }
}

/** Packs the builds of all packages. Returns the manifest, the tarball and the files of each. */
function packAll() {
  const packages = listPackages();
  const folders = packages.map(({ folder }) => folder);
  return packPackages(folders, temporary).map(({ name, filename, files }) => ({
    manifest: packages.find(({ manifest }) => manifest.name === name).manifest,
    tarball: join(temporary, filename),
    paths: files.map(({ path }) => path),
  }));
}

async function checkPack({ manifest, tarball, paths }) {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  const problems = messages.map((message) => formatMessage(message, manifest));
  // Otherwise, a package could be published without its build.
  if (manifest.scripts?.prepack !== 'node ../../scripts/prepack.mjs')
    problems.push('its script `prepack` must be `node ../../scripts/prepack.mjs`');
  // The templates of create-ambit have tests of their own.
  for (const path of paths)
    if (/\.test(-d)?\./.test(path) && !path.startsWith('dist/templates/'))
      problems.push(`the tarball contains a test, \`${path}\``);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

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

/** Creates an application with the programs, our packages, and the plugins that the programs import. */
function createApplication(packed) {
  mkdirSync(application);
  cpSync('scripts/consumers', application, { recursive: true });
  const manifests = ['package.json', 'ecosystem/package.json'].map(readJson);
  const versions = Object.assign({}, ...manifests.flatMap((it) => [it.dependencies, it.devDependencies]));
  const texts = readdirSync(application).map((file) => readFileSync(join(application, file), 'utf8'));
  const imported = [...texts.join('').matchAll(/ from '((?:@[^/']+\/)?[^/']+)/g)].map(([, name]) => name);
  const dependencies = Object.fromEntries(
    packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  );
  const plugins = imported.filter(
    (name) => name in versions && !(name in dependencies) && name !== 'fastify',
  );
  const published = [...plugins, '@types/node', '@types/ws'].map((name) => [name, versions[name]]);
  const devDependencies = Object.fromEntries(published);
  writeFileSync(join(application, 'package.json'), JSON.stringify({ dependencies, devDependencies }));
  // Each package sees only its own dependencies.
  run('npm', 'install', '--install-strategy=linked', '--no-audit', '--no-fund', '--prefer-offline');
  checkEngines(join(application, 'package-lock.json'), ({ dev }) => !dev);
  // The compiler skips this file in applications, but it must have no errors.
  const declarations = join(application, 'node_modules/ambit/types/fastify.d.cts');
  writeFileSync(declarations, readFileSync(declarations, 'utf8').replace('// @ts-nocheck', '//'));
}

function runProgram(file, text) {
  if (text !== undefined) writeFileSync(join(application, file), text);
  run(process.execPath, file);
}

/**
 * Compiles programs with the module settings of TypeScript: Node's rules before and after `require` of ES modules, and those of bundlers.
 * Then runs what they were compiled to, if they need no compiler.
 */
function compile(module, files, runs = []) {
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    types: ['node'],
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    outDir: 'out',
    module,
    ...(module === 'preserve' && { moduleResolution: 'bundler', noEmit: true }),
  };
  writeFileSync(join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  run(process.execPath, compiler, ...'--pretty false --checkers 1'.split(' '));
  for (const file of runs) runProgram(`out/${file}`);
}

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

/** The exports of a package that are code, without deep imports. */
const listEntryPoints = ({ exports }) => Object.entries(exports).filter(([, target]) => target.default);

/** Checks the doc comments of the packed declarations, because editors show them. */
function checkDocComments(manifest) {
  const types = listEntryPoints(manifest).flatMap(([, target]) => target.types ?? []);
  const read = (path) => readFileSync(join(application, 'node_modules', manifest.name, path), 'utf8');
  const problems = findUndocumented(read, types.map(posix.normalize));
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`);
}

/**
 * The README's first program, the block with the info string `js first-program`, and a request to it. Its response is in a
 * comment: `// curl localhost:3000/hello/ada → {"hello":"ada"}`.
 */
function readFirstProgram() {
  const blocks = findFences('README.md', readFileSync('README.md', 'utf8'));
  const { code } = blocks.find(({ info }) => info === 'js first-program') ?? {};
  const [, path, response] = /^\s*\/\/ curl localhost:3000(\S*) → (.+)$/m.exec(code) ?? [];
  const listening = 'await app.listen({ port: 3000 });';
  if (response === undefined || !code.includes(listening))
    throw new Error('README.md needs a first program on port 3000 with its response');
  return `${code.replace(listening, 'const origin = await app.listen({ port: 0 });')}
    const response = await (await fetch(origin + ${JSON.stringify(path)})).text();
    if (response !== ${JSON.stringify(response.trim())}) throw new Error(response);
    await app.close();`;
}

try {
  const packed = packAll();
  for (const it of packed) await attempt(`the tarball of ${it.manifest.name}`, () => checkPack(it));
  createApplication(packed);
  for (const { manifest } of packed) {
    for (const [path] of listEntryPoints(manifest)) {
      const entryPoint = posix.join(manifest.name, path);
      await attempt(`import and require of ${entryPoint}`, () =>
        runProgram('load.cjs', loadingProgram(entryPoint)),
      );
    }
    await attempt(`doc comments of ${manifest.name}`, () => checkDocComments(manifest));
  }
  if (existsSync(join(application, 'node_modules/fastify'))) failures.push('`fastify` is installed');
  await attempt('the first program of README.md', () => runProgram('program.mjs', readFirstProgram()));
  cpSync(join(application, 'program.mjs'), join(application, 'program.mts'));
  for (const [module, files, runs] of [
    ['node16', ['ambit.cts', 'ambit.mts'], ['ambit.cjs', 'ambit.mjs']],
    ['preserve', ['ambit.cts', 'ambit.mts', 'ambit-plugins.mts']],
    [
      'nodenext',
      ['ambit.cts', 'ambit.mts', 'ambit-plugins.mts', 'program.mts'],
      ['ambit.cjs', 'ambit.mjs', 'program.mjs'],
    ],
  ])
    await attempt(`types with ambit alone, module ${module}`, () => compile(module, files, runs));

  const modules = join(application, 'node_modules');
  symlinkSync(realpathSync(join(modules, '@ambit/fastify')), join(modules, 'fastify'), 'junction');
  // Types of @fastify/multipart import it, though the package does not declare it.
  symlinkSync(join(root, 'node_modules/ajv'), join(modules, 'ajv'), 'junction');
  await attempt('the facade as `fastify`', () => runProgram('facade.mjs'));
  // With the module rules of Node 16, `require` cannot load an ES module, so the declarations must not require one.
  for (const module of ['node16', 'nodenext'])
    await attempt(`plugins against the types of the facade, module ${module}`, () =>
      compile(module, ['facade.cts', 'facade-plugins.mts'], ['facade.cjs']),
    );
  checkEngines('package-lock.json');
} catch (error) {
  failures.push(error.message);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(`packages: ${listPackages().length} packed, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
