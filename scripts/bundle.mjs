// Owns how the sources of a package become the modules that are published: few, since each file costs every process that starts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, posix, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleLibrary } from './bundled-library.mjs';
import { commonJs } from './common-js.mjs';

/**
 * The bundles of each package. Those of one package share nothing but what `copied` names.
 *
 * @typedef {object} Bundle
 * @property {string[]} entrances Paths below `src` and `dist`. They share modules, by a file more where neither is a part of the other.
 * @property {boolean} [isLarge] Then `import` reads the names of its exports in a small module, which loads the bundle.
 * @property {string[]} [libraries] Libraries that become a part of the package.
 * @property {boolean} [isForBundlers] Then it is an ES module, too, for the condition `module`: bundlers leave out what is not used.
 *
 * @type {Record<string, Bundle[]>}
 */
const packages = {
  'json-serializer': [{ entrances: ['index', 'load'], isLarge: true, isForBundlers: true }],
  'http-engine': [{ entrances: ['index'], isLarge: true }],
  ambit: [
    // Of its dependencies one is an ES module only, which Jest cannot load, and asks for Node 22.
    { entrances: ['index'], isLarge: true, libraries: ['light-my-request'] },
    { entrances: ['client/client'], isForBundlers: true },
  ],
  fastify: [
    { entrances: ['index', 'lib/errors'] },
    { entrances: ['lib/reply'] },
    { entrances: ['lib/symbols'] },
  ],
  openapi: [{ entrances: ['index'], isLarge: true }],
};

/** What two bundles of a package may each have a copy of: functions that keep nothing. */
const copied = new Set(
  ['typed-call', 'fill-path', 'is-json'].map((name) => `packages/ambit/src/shared/${name}.ts`),
);

/**
 * The sources are ES modules, and what is published is CommonJS: TypeScript has to know it of the declarations. Those of the facade are
 * written by hand, and say it by their names.
 */
export function declareFormat() {
  for (const name of Object.keys(packages).filter((name) => name !== 'fastify')) {
    const folder = `packages/${name}`;
    const { name: published, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    // Agents read the version of a package in the next package.json above a file.
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
  for (const { entrances, isLarge, isForBundlers, libraries = [] } of bundles) {
    const below = isLarge ? 'bundle/' : '';
    const written = await writeBundle(folder, entrances, below, commonJsOutput(libraries));
    chunks.push(...written);
    for (const name of libraries) files.push(...(await writeLibrary(name, folder, below)));
    if (isLarge)
      files.push(...written.filter(({ isEntry }) => isEntry).map((chunk) => writeNames(dist, chunk)));
    if (isForBundlers)
      files.push(...(await writeBundle(folder, entrances, '', moduleOutput)).flatMap(listFiles));
  }
  checkCopies(chunks);
  removeOthers(dist, new Set([...files, ...chunks.flatMap(listFiles)]));
}

function listFiles({ fileName }) {
  return [fileName, `${fileName}.map`];
}

/**
 * What node imports of CommonJS modules goes by the names that it finds by reading their text: here it has little to read.
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

/** What keeps names is a call for each function, which keeps what nobody uses as well: bundlers of applications decide it. */
const moduleOutput = { extension: 'mjs', keepNames: false, plugins: [] };

async function writeBundle(folder, entrances, below, { extension, keepNames, plugins }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entrances.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    platform: 'node',
    external: isExternal,
    transform: { target: 'node20.19' },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(`${folder}: ${message}`);
    },
  });
  const { output } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: `${below}[name].${extension}`,
    chunkFileNames: `${below}shared/[name].${extension}`,
    keepNames,
    // Stack traces are read by people, and so is the code that they point at.
    minify: false,
    minifyInternalExports: false,
    sourcemap: true,
    // The sources are published as well.
    sourcemapExcludeSources: true,
    plugins,
  });
  await bundle.close();
  return output.filter(({ type }) => type === 'chunk');
}

/** State must not exist twice in one process. */
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

/** Modules of builds before this one, which would be published with it. */
function removeOthers(dist, written) {
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = name.replaceAll(sep, posix.sep);
    if (/\.[cm]?js(\.map)?$/.test(file) && !written.has(file)) rmSync(join(dist, name));
  }
}
