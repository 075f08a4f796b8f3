// Bundles the sources of a package into the published modules. There are few modules, because each file makes every
// start slower.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, posix, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleLibrary } from './bundled-library.mjs';
import { commonJs } from './common-js.mjs';
import { lateChunks } from './late-modules.mjs';
import { bundleFacadeForWorkers, bundleForWorkers, bundleOpenapiForWorkers } from './worker-bundle.mjs';

/**
 * The bundles of each package. Two bundles of one package do not contain the same source, except those in
 * `duplicableSources`.
 *
 * @typedef {object} Bundle
 * @property {string[]} entryPoints Paths below `src` and `dist`. Modules that several entry points use are in one more
 *   file, unless one of the entry points contains all of them.
 * @property {boolean} [isLarge] If true, a small module lists the names of the exports and loads the bundle, so that
 *   `import` does not scan the whole bundle for its exports.
 * @property {boolean} [hasLateModules] If true, sources load other sources late. The bundle has one entry point then,
 *   which only lists the exports, as with `isLarge`.
 * @property {string[]} [libraries] Libraries that are included in the package.
 * @property {boolean} [isForBundlers] If true, there is also an ES module for the condition `module`, so that bundlers
 *   leave out unused code.
 * @property {boolean} [isProgram] If true, the modules are ES modules, because a program is never loaded with `require`,
 *   and it loads applications and parts of itself with `import()`.
 *
 * @type {Record<string, Bundle[]>}
 */
const packages = {
  'json-schema': [{ entryPoints: ['index'], isLarge: true, isForBundlers: true }],
  'json-serializer': [{ entryPoints: ['index', 'load'], isLarge: true, isForBundlers: true }],
  'form-data': [{ entryPoints: ['index'], isForBundlers: true }],
  'http-engine': [{ entryPoints: ['index'], isLarge: true }],
  ambit: [
    // A dependency of light-my-request is an ES module, which Jest cannot load, and it requires Node 22.
    { entryPoints: ['index'], hasLateModules: true, libraries: ['light-my-request'] },
    { entryPoints: ['client/client'], isForBundlers: true },
  ],
  fastify: [
    { entryPoints: ['index', 'lib/errors'] },
    { entryPoints: ['lib/reply'] },
    { entryPoints: ['lib/symbols'] },
  ],
  openapi: [{ entryPoints: ['index'], isLarge: true }],
  opentelemetry: [{ entryPoints: ['index'], isLarge: true }],
  cli: [{ entryPoints: ['main', 'serve/worker', 'record-routes'], isProgram: true }],
  inspector: [{ entryPoints: ['index'], isLarge: true }],
  // Included, so that an install of the package needs no other package.
  'create-ambit': [{ entryPoints: ['main'], libraries: ['@clack/prompts'] }],
};

/**
 * Builds one more module for workers. It contains the same sources as the other bundles, because no process loads both.
 */
const workerBundles = {
  'packages/ambit': bundleForWorkers,
  'packages/fastify': bundleFacadeForWorkers,
  'packages/openapi': bundleOpenapiForWorkers,
};

/** Sources that several bundles of a package may contain, because they have no state. */
const duplicableSources = new Set(['packages/ambit/src/shared/typed-calls.ts']);

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
  for (const { entryPoints, isLarge, hasLateModules, isForBundlers, isProgram, libraries = [] } of bundles) {
    const subfolder = isLarge || hasLateModules ? 'bundle/' : '';
    const output = isProgram ? moduleOutput : commonJsOutput(libraries);
    const written = await writeBundle(
      folder,
      entryPoints,
      subfolder,
      hasLateModules ? { ...output, ...lateOutput } : output,
    );
    chunks.push(...written);
    for (const name of libraries) files.push(...(await writeLibrary(name, folder, subfolder)));
    if (isLarge)
      files.push(...written.filter(({ isEntry }) => isEntry).map((chunk) => writeNames(dist, chunk)));
    if (isForBundlers)
      files.push(...(await writeBundle(folder, entryPoints, '', moduleOutput)).flatMap(listFiles));
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
    '"use strict"; // Lists the exports: Node finds their names in the text of this module, without reading the whole bundle.',
    `const bundle = require("./${fileName}");`,
    ...exports.map((exported) => `exports.${exported} = bundle.${exported};`),
  ];
  writeFileSync(join(dist, `${name}.cjs`), `${lines.join('\n')}\n`);
  return `${name}.cjs`;
}

function isExternal(id) {
  return !id.startsWith('.') && !isAbsolute(id);
}

/** @returns The paths of its files below `dist`. */
async function writeLibrary(name, folder, subfolder) {
  const written = await bundleLibrary(name, folder, join(folder, 'dist', subfolder, 'libraries'));
  return written.map((file) => `${subfolder}libraries/${file}`);
}

function commonJsOutput(libraries) {
  const files = Object.fromEntries(libraries.map((name) => [name, `./libraries/${name}.cjs`]));
  return { extension: 'cjs', keepNames: true, plugins: [commonJs(files)] };
}

/**
 * Names of functions are not kept: this needs a call for each function, and with such a call bundlers cannot leave out
 * unused functions. The bundlers of applications decide whether to keep names.
 */
const moduleOutput = { extension: 'mjs', keepNames: false, plugins: [] };

/** The entry point and its imports are one chunk, and each module that is loaded late is another. */
const lateOutput = {
  inputPlugins: [lateChunks()],
  entryFileNames: '[name].cjs',
  chunkFileNames: ({ name }) => (name === 'index' ? 'bundle/index.cjs' : `bundle/late/${name}.cjs`),
  codeSplitting: {
    // A group also contains what its modules import, unless it is in a group before it.
    groups: [
      { name: 'index', tags: ['$initial'], priority: 3 },
      // A route with schemas needs nearly all of these modules, so they are one chunk.
      {
        name: 'schemas',
        test: /src.(compile.route-schemas|schemas.(default-compilers|artifact))\.ts/,
        priority: 2,
      },
      // The modules that boot needs only for some schemas.
      {
        name: 'schema-mistakes',
        test: /src.(compile.schema-mistakes|schemas.(form-schemas|explain-failure))\.ts/,
        priority: 1,
      },
      { name: 'overload', test: /src.(runtime.overload|context.options.check-overload-options)/ },
    ],
  },
};

async function writeBundle(folder, entryPoints, subfolder, { extension, inputPlugins, ...output }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entryPoints.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    platform: 'node',
    external: isExternal,
    plugins: inputPlugins,
    transform: { target: 'node20.19' },
    // A slow build on a busy machine is not an error.
    checks: { bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(`${folder}: ${message}`);
    },
  });
  const { output: written } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: `${subfolder}[name].${extension}`,
    chunkFileNames: `${subfolder}shared/[name].${extension}`,
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
      if (owners.has(file) && !duplicableSources.has(file))
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
