// Builds the packages for workers (the export condition `workerd`): `ambit` as one ES module that contains its libraries
// and imports only modules of Node that workers support, and the facade and the plugin for OpenAPI as ES modules that
// import it. So every bundler can bundle them without options for CommonJS.
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { describeLicence, findRoot } from './bundled-library.mjs';
import { lateImports } from './late-modules.mjs';

/** The root of the repository. It may differ from the working directory, because `npm pack` builds in a package's folder. */
const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/ambit/src');
/** The package that reads forms. */
const formData = join(root, 'packages/form-data/dist');
const require = createRequire(join(source, 'index.ts'));

/** Sources that are replaced with other sources in the build for workers. */
const replacements = new Map(
  Object.entries({
    'transport/make-transport.ts': 'transport/worker-transport.ts',
    'transport/transport.ts': 'transport/worker-transport.ts',
    'transport/inject.ts': 'transport/worker-transport.ts',
    'shared/js-runtime.ts': 'shared/worker-runtime.ts',
    'schemas/engine-packages.ts': 'schemas/worker-engines.ts',
    'schemas/ajv-instances.ts': 'schemas/worker-engines.ts',
    'context/closing/close-on-signals.ts': 'context/worker-features.ts',
    'runtime/overload/event-loop.ts': 'runtime/overload/worker-event-loop.ts',
  }),
);

/** Sources of the documentation page that are replaced in the build for workers. */
const pageReplacements = ['./page-files.ts'];

/** The sources of the plugin for OpenAPI that only this build uses. */
export const listPageReplacements = () => pageReplacements.map((path) => path.replace('./', 'page/worker-'));

/** The sources that only this build uses, by their paths. */
export function listReplacements() {
  return [...new Set(replacements.values())];
}

const reexport = (library, paths) =>
  Object.entries(paths)
    .map(([name, path]) => `export { default as ${name} } from '${library}/${path}.js';`)
    .join('\n');

/** The code that replaces libraries: it exports only the parts that we use. */
const libraries = new Map([
  [
    'pino',
    `module.exports = require('${join(source, 'context/worker-features.ts').replaceAll(sep, '/')}').pino;`,
  ],
  ['@fastify/busboy', reexport('@fastify/busboy', { Dicer: 'deps/dicer/lib/Dicer' })],
  [
    'semver',
    reexport('semver', {
      coerce: 'functions/coerce',
      gt: 'functions/gt',
      intersects: 'ranges/intersects',
      prerelease: 'functions/prerelease',
      satisfies: 'functions/satisfies',
      validRange: 'ranges/valid',
    }),
  ],
  // These libraries compile schemas, which workers cannot do. Boot fails before one of them would be loaded.
  ...['ajv', 'ajv/dist/2020', 'ajv/dist/jtd', 'ajv-formats', 'fast-uri', '@ambit/json-serializer'].map(
    (name) => [name, `throw new Error('${name} is not a part of the build for workers');`],
  ),
]);

/** Replaces the module of the router that generates code. */
const withoutRouteCompiler = `exports.compileTree = () => {
  throw new Error('Workers may not generate code: leave out the option \`routerOptions.compile\`');
};`;

const replaceForWorkers = {
  name: 'worker-parts',
  resolveId: {
    order: 'pre',
    async handler(id, importer) {
      const isSource = importer?.startsWith(source + sep);
      if (libraries.has(id) && (isSource || importer?.startsWith(formData + sep)))
        return { id: join(source, `../library:${id}`) };
      if (!isSource || !id.startsWith('.')) return undefined;
      const path = resolve(importer, '..', id).slice(source.length + 1);
      const replacement = replacements.get(path.replaceAll(sep, '/'));
      return replacement && join(source, replacement);
    },
  },
  load(id) {
    if (id.endsWith(join('find-my-way', 'lib', 'compiler.js'))) return withoutRouteCompiler;
    return libraries.get(id.split('library:')[1]);
  },
  transform(code, id) {
    if (!id.startsWith(source + sep)) return undefined;
    return { code: code.replace(ownRequire, ''), map: null };
  },
};

/** Removes the unused `require` that the bundler creates, because workers have no module URL to create it from. */
const withoutOwnRequire = {
  name: 'without-own-require',
  renderChunk(code) {
    const remaining = code.replace(/^(import \{ createRequire \}|var __require =).*$/gm, '');
    const [call] = /^.*__require\b.*$/m.exec(remaining) ?? [];
    if (call !== undefined) throw new Error(`workers cannot load this: ${call.trim()}`);
    return { code: remaining, map: null };
  },
};

/** The `require` of a source: the bundler replaces its calls, and includes the modules that are loaded late. */
const ownRequire = /^(import \{ createRequire \} from 'node:module';|const require = createRequire\(.*)$/gm;

function readVersion(name) {
  return JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;
}

/**
 * Writes `worker.mjs` of `ambit`, and the licences of the libraries in it.
 *
 * @param {string} dist Folder to write to.
 * @returns {Promise<string[]>} The names of the files.
 */
export async function bundleForWorkers(dist) {
  const engines = ['ajv', 'ajv-formats', '@ambit/json-serializer'];
  const versions = Object.fromEntries(engines.map((name) => [name, readVersion(name)]));
  const moduleIds = await writeWorker(dist, join(source, 'index.ts'), {
    define: {
      'require.cache': '({})',
      packageVersions: JSON.stringify(versions),
      'import.meta.url': JSON.stringify('file:///ambit/dist/worker.mjs'),
    },
    plugins: [lateImports(), replaceForWorkers],
  });
  return ['worker.mjs', writeLicences(dist, moduleIds)];
}

/** Writes the licences of the libraries in a bundle. @returns The name of the file. */
function writeLicences(dist, moduleIds) {
  const roots = new Set(moduleIds.map(findRoot).filter((root) => root !== undefined));
  writeFileSync(join(dist, 'worker.licences.txt'), [...roots].sort().map(describeLicence).join('\n'));
  return 'worker.licences.txt';
}

/** Writes `worker.mjs` of the facade. @returns The names of the files. */
export async function bundleFacadeForWorkers(dist) {
  const index = join(root, 'packages/fastify/src/index.ts');
  const transform = (code, id) =>
    id === index
      ? { code: code.replace(/^(import \{ createRequire \}|const require =).*$/gm, ''), map: null }
      : undefined;
  await writeWorker(dist, index, {
    external: ['ambit'],
    define: { 'import.meta.url': JSON.stringify('file:///fastify/dist/worker.mjs') },
    plugins: [{ name: 'worker-facade', transform }],
  });
  return ['worker.mjs'];
}

/** Writes `worker.mjs` of the plugin for OpenAPI, with the script of its page. @returns The names of the files. */
export async function bundleOpenapiForWorkers(dist) {
  const folder = join(root, 'packages/openapi');
  const script = readFileSync(join(folder, 'assets/scalar.js.gz'), 'base64');
  const inSources = (id) => id.startsWith(join(folder, 'src') + sep);
  const moduleIds = await writeWorker(dist, join(folder, 'src/index.ts'), {
    external: ['ambit'],
    define: { packedScript: JSON.stringify(script) },
    plugins: [
      {
        name: 'worker-openapi',
        resolveId: {
          order: 'pre',
          handler: (id, importer) =>
            pageReplacements.includes(id) && inSources(importer)
              ? resolve(importer, '..', id.replace('./', './worker-'))
              : undefined,
        },
        transform: (code, id) =>
          inSources(id)
            ? { code: code.replace(/^(import \{ createRequire \}|const require =).*$/gm, ''), map: null }
            : undefined,
      },
    ],
  });
  return ['worker.mjs', writeLicences(dist, moduleIds)];
}

/** @returns The paths of the modules in the bundle. */
async function writeWorker(dist, input, { define, plugins, external }) {
  const bundle = await rolldown({
    input: { worker: input },
    platform: 'node',
    external,
    transform: { target: 'es2023', define },
    plugins: [
      ...plugins,
      withoutOwnRequire,
      esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] }),
    ],
    checks: { bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(`${input}: ${message}`);
    },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].mjs',
    codeSplitting: false,
    minify: false,
  });
  await bundle.close();
  return output.find(({ type }) => type === 'chunk').moduleIds;
}
