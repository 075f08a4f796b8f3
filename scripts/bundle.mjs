// Owns how the sources of a package become the published modules. There are few modules, because each file makes every
// start slower.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, posix, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleLibrary } from './bundled-library.mjs';
import { commonJs } from './common-js.mjs';
import { lateChunks } from './late-modules.mjs';
import { bundleFacadeForWorkers, bundleForWorkers, bundleOpenapiForWorkers } from './worker-bundle.mjs';

/**
 * The bundles of each package. Bundles of one package contain no common source, except those in `copied`.
 *
 * @typedef {object} Bundle
 * @property {string[]} entrances Paths below `src` and `dist`. They share modules, in one more file if neither is a
 *   part of the other.
 * @property {boolean} [isLarge] If true, `import` reads the names of the exports in a small module, which loads the
 *   bundle.
 * @property {boolean} [hasLateModules] If true, sources load other sources late. The bundle has one entrance then; its module
 *   only names the exports, as above.
 * @property {string[]} [libraries] Libraries that are included in the package.
 * @property {boolean} [isForBundlers] If true, there is also an ES module for the condition `module`, so that bundlers
 *   leave out unused code.
 * @property {boolean} [isProgram] If true, the modules are ES modules: nobody requires a program, and it loads parts of
 *   itself, and applications, with `import()`.
 *
 * @type {Record<string, Bundle[]>}
 */
const packages = {
  'json-serializer': [{ entrances: ['index', 'load'], isLarge: true, isForBundlers: true }],
  'http-engine': [{ entrances: ['index', 'fetch'], isLarge: true }],
  ambit: [
    // One of its dependencies is only an ES module, which Jest cannot load, and requires Node 22.
    { entrances: ['index'], hasLateModules: true, libraries: ['light-my-request'] },
    { entrances: ['client/client'], isForBundlers: true },
  ],
  fastify: [
    { entrances: ['index', 'lib/errors'] },
    { entrances: ['lib/reply'] },
    { entrances: ['lib/symbols'] },
  ],
  openapi: [{ entrances: ['index'], isLarge: true }],
  opentelemetry: [{ entrances: ['index'], isLarge: true }],
  cli: [{ entrances: ['main', 'serve/worker', 'record-routes'], isProgram: true }],
  inspector: [{ entrances: ['index'], isLarge: true }],
  // The questions work offline: an install of the package needs no other.
  'create-ambit': [{ entrances: ['main'], libraries: ['@clack/prompts'] }],
};

/** What is built for workers in addition, as one module that repeats the sources: nobody loads both. */
const workerBundles = {
  'packages/ambit': bundleForWorkers,
  'packages/fastify': bundleFacadeForWorkers,
  'packages/openapi': bundleOpenapiForWorkers,
};

/** Sources that two bundles of a package may both contain, because they have no state. */
const copied = new Set(
  ['call-methods', 'fill-path', 'is-json', 'event-text-mark'].map(
    (name) => `packages/ambit/src/shared/${name}.ts`,
  ),
);

/**
 * Tells TypeScript that the published code is CommonJS, because the sources are ES modules. The declarations of the
 * facade are written by hand, and their file extension says it.
 */
export function declareFormat() {
  for (const name of Object.keys(packages).filter((name) => name !== 'fastify')) {
    const folder = `packages/${name}`;
    const { name: published, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    // Tracing agents read the version of a package in the closest package.json above a file.
    const manifest = { name: published, version, type: 'commonjs', sideEffects: false };
    mkdirSync(`${folder}/dist`, { recursive: true });
    writeFileSync(`${folder}/dist/package.json`, `${JSON.stringify(manifest)}\n`);
  }
}

/** Bundles each package, from the root of the repository. */
export async function bundlePackages() {
  for (const [name, bundles] of Object.entries(packages)) await bundlePackage(`packages/${name}`, bundles);
}

async function bundlePackage(folder, bundles) {
  const dist = join(folder, 'dist');
  const files = [];
  const chunks = [];
  for (const { entrances, isLarge, hasLateModules, isForBundlers, isProgram, libraries = [] } of bundles) {
    const below = isLarge || hasLateModules ? 'bundle/' : '';
    const output = isProgram ? moduleOutput : commonJsOutput(libraries);
    const written = await writeBundle(
      folder,
      entrances,
      below,
      hasLateModules ? { ...output, ...lateOutput } : output,
    );
    chunks.push(...written);
    for (const name of libraries) files.push(...(await writeLibrary(name, folder, below)));
    if (isLarge)
      files.push(...written.filter(({ isEntry }) => isEntry).map((chunk) => writeNames(dist, chunk)));
    if (isForBundlers)
      files.push(...(await writeBundle(folder, entrances, '', moduleOutput)).flatMap(listFiles));
  }
  checkCopies(chunks);
  files.push(...((await workerBundles[folder]?.(dist)) ?? []));
  removeOthers(dist, new Set([...files, ...chunks.flatMap(listFiles)]));
}

function listFiles({ fileName }) {
  return [fileName, `${fileName}.map`];
}

/**
 * Node finds the exports of a CommonJS module by reading its text. This small module lists the names, so that Node does
 * not read the whole bundle.
 *
 * @returns Its path below `dist`.
 */
function writeNames(dist, { name, fileName, exports }) {
  const lines = [
    '"use strict"; // Names what can be imported: node looks for the names in the text of this module, instead of in all of the bundle.',
    `const bundle = require("./${fileName}");`,
    ...exports.map((exported) => `exports.${exported} = bundle.${exported};`),
  ];
  writeFileSync(join(dist, `${name}.cjs`), `${lines.join('\n')}\n`);
  return `${name}.cjs`;
}

function isExternal(id) {
  return !id.startsWith('.') && !isAbsolute(id);
}

/** @returns Its paths below `dist`. */
async function writeLibrary(name, folder, below) {
  const written = await bundleLibrary(name, folder, join(folder, 'dist', below, 'libraries'));
  return written.map((file) => `${below}libraries/${file}`);
}

function commonJsOutput(libraries) {
  const files = Object.fromEntries(libraries.map((name) => [name, `./libraries/${name}.cjs`]));
  return { extension: 'cjs', keepNames: true, plugins: [commonJs(files)] };
}

/**
 * Keeping the names of functions needs a call for each function, and such a call keeps unused functions too. So the
 * bundlers of applications decide this.
 */
const moduleOutput = { extension: 'mjs', keepNames: false, plugins: [] };

/** What the entrance imports is one chunk, and each module that is loaded late is another. */
const lateOutput = {
  inputPlugins: [lateChunks()],
  entryFileNames: '[name].cjs',
  chunkFileNames: ({ name }) => (name === 'index' ? 'bundle/index.cjs' : `bundle/late/${name}.cjs`),
  codeSplitting: {
    groups: [
      { name: 'index', tags: ['$initial'], priority: 1 },
      // A route with schemas needs nearly all of it.
      {
        name: 'schemas',
        test: /src.(schemas|compile.(compile-parts|schema-(mistakes|names)|route-(compilers|error-context)))/,
      },
    ],
  },
};

async function writeBundle(folder, entrances, below, { extension, inputPlugins, ...output }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entrances.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    platform: 'node',
    external: isExternal,
    plugins: inputPlugins,
    transform: { target: 'node20.19' },
    // A build on a busy machine is slow, and that is no mistake.
    checks: { bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(`${folder}: ${message}`);
    },
  });
  const { output: written } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: `${below}[name].${extension}`,
    chunkFileNames: `${below}shared/[name].${extension}`,
    // Not minified, because people read stack traces and the code that they refer to.
    minify: false,
    minifyInternalExports: false,
    sourcemap: true,
    // The sources are published as well.
    sourcemapExcludeSources: true,
    ...output,
  });
  await bundle.close();
  return written.filter(({ type }) => type === 'chunk');
}

/** Fails if two bundles contain the same source, because state must not exist twice in one process. */
export function checkCopies(chunks) {
  const owners = new Map();
  for (const { fileName, moduleIds } of chunks) {
    for (const id of moduleIds.filter((id) => id.endsWith('.ts'))) {
      const file = posix.relative(process.cwd(), id.replaceAll(sep, posix.sep));
      if (owners.has(file) && !copied.has(file))
        throw new Error(`${file} is in two modules: ${owners.get(file)} and ${fileName}`);
      owners.set(file, fileName);
    }
  }
}

/** Removes modules of earlier builds, which would otherwise be published. */
function removeOthers(dist, written) {
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = name.replaceAll(sep, posix.sep);
    if (/\.[cm]?js(\.map)?$/.test(file) && !written.has(file)) rmSync(join(dist, name));
  }
}
