// Bundles the sources of a package into the published modules. There are few modules, because each file makes every
// start slower.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, posix, resolve, sep } from 'node:path';
import { writeBundle, writeLicences } from './bundler.mjs';
import { commonJs } from './common-js.mjs';
import { lateChunks } from './late-modules.mjs';
import { workerBundles } from './worker-bundle.mjs';

/**
 * The bundles of each package. Two bundles of one package do not contain the same source, except those in
 * `duplicableSources`.
 *
 * - `entryPoints`: paths below `src` and `dist`. Modules that several of them use are in one more file, unless one of the entry
 *   points contains all of them.
 * - `isLarge`: a small module lists the names of the exports and loads the bundle, so that `import` does not scan the whole
 *   bundle for its exports.
 * - `hasLateModules`: sources load other sources late. The bundle has one entry point then, which only lists the exports.
 * - `libraries` are included in the package.
 * - `isForBundlers`: there is also an ES module for the condition `module`, so that bundlers leave out unused code.
 * - `isProgram`: the modules are ES modules, because a program is never loaded with `require`, and it loads applications and
 *   parts of itself with `import()`.
 */
const packages = {
  'json-schema': [{ entryPoints: ['index'], isLarge: true, isForBundlers: true }],
  'json-serializer': [{ entryPoints: ['index', 'load'], isLarge: true, isForBundlers: true }],
  'json-validator': [{ entryPoints: ['index'], hasLateModules: true }],
  'form-data': [{ entryPoints: ['index'], isForBundlers: true }],
  readable: [{ entryPoints: ['index'], isForBundlers: true }],
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

export async function bundlePackages() {
  for (const [name, bundles] of Object.entries(packages)) {
    const dist = `packages/${name}/dist`;
    // Modules of earlier builds, and declarations of sources that are gone, would otherwise be published.
    for (const file of readdirSync(dist, { recursive: true })) {
      const [, source] = /^(.+)\.d\.ts(?:\.map)?$/.exec(file) ?? [];
      const isOld =
        source === undefined ? /\.[cm]?js(\.map)?$/.test(file) : !existsSync(sourceFile(name, source));
      if (isOld) rmSync(join(dist, file));
    }
    const chunks = [];
    for (const bundle of bundles) {
      const written = await writeModules(name, bundle);
      chunks.push(...written);
      for (const library of bundle.libraries ?? [])
        await writeLibrary(library, `packages/${name}`, `${dist}/${subfolderOf(bundle)}libraries`);
      if (bundle.isLarge)
        for (const chunk of written.filter(({ isEntry }) => isEntry)) writeNames(dist, chunk);
      if (bundle.isForBundlers)
        await writeModules(name, { entryPoints: bundle.entryPoints, isProgram: true });
    }
    checkCopies(chunks);
    // No process loads the module for workers and the others.
    await workerBundles[name]?.(dist);
  }
}

/**
 * Node finds the exports of a CommonJS module by reading its text. This small module lists the names, so that Node does
 * not read the whole bundle.
 */
function writeNames(dist, { name, fileName, exports }) {
  const lines = [
    '"use strict"; // Lists the exports: Node finds their names in the text of this module, without reading the whole bundle.',
    `const bundle = require("./${fileName}");`,
    ...exports.map((exported) => `exports.${exported} = bundle.${exported};`),
  ];
  writeFileSync(join(dist, `${name}.cjs`), `${lines.join('\n')}\n`);
}

/**
 * Includes a library in a package, as one CommonJS module with its dependencies and all their licences: one that cannot be
 * installed or loaded in every environment that we support, or that every start loads from many files.
 */
async function writeLibrary(name, folder, target) {
  const require = createRequire(resolve(folder, 'package.json'));
  const input = { input: require.resolve(name), isLibrary: true };
  const chunks = await writeBundle(input, { file: join(target, `${name}.cjs`), format: 'cjs' });
  if (chunks.length > 1 || /\bimport\(/.test(chunks[0].code))
    throw new Error(`${name} does not fit into one module`);
  writeLicences(target, name, chunks[0].moduleIds);
}

const sourceFile = (name, path) => join('packages', name, 'src', `${path}.ts`);
const subfolderOf = ({ isLarge, hasLateModules }) => (isLarge || hasLateModules ? 'bundle/' : '');

/**
 * Writes the modules of a bundle: CommonJS, or ES modules. In these, names of functions are not kept: this needs a call for
 * each function, and with such a call bundlers cannot leave out unused functions. The bundlers of applications decide whether
 * to keep names.
 */
function writeModules(name, bundle) {
  const { entryPoints, hasLateModules, isProgram = false, libraries = [] } = bundle;
  const folder = `packages/${name}`;
  const extension = isProgram ? 'mjs' : 'cjs';
  const subfolder = subfolderOf(bundle);
  const files = Object.fromEntries(libraries.map((library) => [library, `./libraries/${library}.cjs`]));
  return writeBundle(
    {
      input: Object.fromEntries(entryPoints.map((entry) => [entry, sourceFile(name, entry)])),
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      plugins: hasLateModules ? [lateChunks()] : [],
      transform: { target: 'node20.19' },
    },
    {
      dir: join(folder, 'dist'),
      entryFileNames: `${subfolder}[name].${extension}`,
      chunkFileNames: `${subfolder}shared/[name].${extension}`,
      minifyInternalExports: false,
      keepNames: !isProgram,
      plugins: isProgram ? [] : [commonJs(files)],
      sourcemap: true,
      // The sources are published as well.
      sourcemapExcludeSources: true,
      ...(hasLateModules && lateOutput),
    },
  );
}

/** The entry point and its imports are one chunk, and each module that is loaded late is another. */
const lateOutput = {
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
        test: /src.(compile.schema-mistakes|schemas.form-schemas)\.ts/,
        priority: 1,
      },
      { name: 'overload', test: /src.runtime.overload/ },
    ],
  },
};

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
