// Builds the packages for workers (the export condition `workerd`): `ambit` as one ES module that contains its libraries
// and imports only modules of Node that workers support, and the facade and the plugin for OpenAPI as ES modules that
// import it. So every bundler can bundle them without options for CommonJS.
import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { writeBundle, writeLicences } from './bundler.mjs';
import { lateImports } from './late-modules.mjs';
import { root } from './steps.mjs';

/** The packages. The working directory may be another one, because `npm pack` builds in a package's folder. */
const packages = join(root, 'packages');

/** By package, the sources that are replaced in the build for workers, with those that replace them. */
const replacements = {
  ambit: {
    'transport/node-transport.ts': 'transport/worker-transport.ts',
    'transport/transport.ts': 'transport/worker-transport.ts',
    'transport/inject.ts': 'transport/worker-transport.ts',
    'shared/js-runtime.ts': 'shared/worker-runtime.ts',
    'shared/readable.ts': 'shared/worker-runtime.ts',
    'runtime/development.ts': 'shared/worker-runtime.ts',
    'runtime/mistakes.ts': 'shared/worker-runtime.ts',
    'context/closing/close-on-signals.ts': 'context/worker-features.ts',
    'runtime/overload/event-loop.ts': 'context/worker-features.ts',
  },
  // A part of the module for workers.
  'json-validator': {
    'ajv-compiler.ts': 'worker-engines.ts',
    'engine-packages.ts': 'worker-engines.ts',
  },
  fastify: {},
  openapi: { 'page/page-files.ts': 'page/worker-page-files.ts' },
};

/** The sources of a package that only this build uses, by their paths. */
export const listReplacements = (name) => [...new Set(Object.values(replacements[name]))];

/** The package that reads forms, which is a part of the module for workers. */
const formData = join(packages, 'form-data/dist');
const sourceOf = (name) => join(packages, name, 'src');

const workerFeatures = join(sourceOf('ambit'), 'context/worker-features.ts').replaceAll(sep, '/');
const engines = ['ajv', 'ajv/dist/2020', 'ajv/dist/jtd', 'ajv-formats', 'fast-uri', '@ambit/json-serializer'];

/** The code that replaces libraries: it exports only the parts that we use. */
const libraries = new Map([
  ['pino', `module.exports = require('${workerFeatures}').pino;`],
  ['@fastify/busboy', "export { default as Dicer } from '@fastify/busboy/deps/dicer/lib/Dicer.js';"],
  [
    'semver',
    `export { default as coerce } from 'semver/functions/coerce.js';
    export { default as gt } from 'semver/functions/gt.js';
    export { default as intersects } from 'semver/ranges/intersects.js';
    export { default as prerelease } from 'semver/functions/prerelease.js';
    export { default as satisfies } from 'semver/functions/satisfies.js';
    export { default as validRange } from 'semver/ranges/valid.js';`,
  ],
  // These libraries compile schemas, which workers cannot do. Boot fails before one of them would be loaded.
  ...engines.map((name) => [name, `throw new Error('${name} is not a part of the build for workers');`]),
]);

/** Replaces the module of the router that generates code. */
const withoutRouteCompiler = `exports.compileTree = () => {
  throw new Error('Workers may not generate code: leave out the option \`routerOptions.compile\`');
};`;

/** Replaces sources of a package, and the libraries of ambit. */
function replaceParts(name) {
  const inModule = name === 'ambit' ? ['ambit', 'json-validator'] : [name];
  const isIn = (id, folder) => id?.startsWith(folder + sep);
  const packageOf = (id) => inModule.find((each) => isIn(id, sourceOf(each)));
  return {
    name: 'worker-parts',
    resolveId: {
      order: 'pre',
      async handler(id, importer) {
        const owner = packageOf(importer);
        if (name === 'ambit' && libraries.has(id) && (owner !== undefined || isIn(importer, formData)))
          return { id: join(sourceOf(name), `../library:${id}`) };
        if (owner === undefined) return undefined;
        const own = inModule.find((each) => id === `@ambit/${each}`);
        if (own !== undefined) return join(sourceOf(own), 'index.ts');
        if (!id.startsWith('.')) return undefined;
        const path = resolve(importer, '..', id).slice(sourceOf(owner).length + 1);
        const replacement = replacements[owner][path.replaceAll(sep, '/')];
        return replacement && join(sourceOf(owner), replacement);
      },
    },
    load(id) {
      if (id.endsWith(join('find-my-way', 'lib', 'compiler.js'))) return withoutRouteCompiler;
      return libraries.get(id.split('library:')[1]);
    },
    transform: (code, id) =>
      packageOf(id) !== undefined ? { code: code.replace(ownRequire, ''), map: null } : undefined,
    renderChunk(code) {
      const remaining = code.replace(unusedRequire, '');
      const [call] = /^.*__require\b.*$/m.exec(remaining) ?? [];
      if (call !== undefined) throw new Error(`workers cannot load this: ${call.trim()}`);
      return { code: remaining, map: null };
    },
  };
}

/** The `require` of a source: the bundler replaces its calls, and includes the modules that are loaded late. */
const ownRequire = /^(import \{ createRequire \} from 'node:module';|const require = createRequire\(.*)$/gm;
/** The `require` that the bundler creates, because workers have no module URL to create it from. */
const unusedRequire = /^(import \{ createRequire \}|var __require =).*$/gm;

/** Writes `worker.mjs` of a package. @returns The paths of the modules in it. */
async function writeWorker(name, dist, define, plugins = [], external = ['ambit']) {
  const [{ moduleIds }] = await writeBundle(
    {
      input: { worker: join(sourceOf(name), 'index.ts') },
      external,
      transform: { target: 'es2023', define },
      plugins: [
        ...plugins,
        replaceParts(name),
        esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] }),
      ],
    },
    { dir: dist, entryFileNames: '[name].mjs', codeSplitting: false },
  );
  return moduleIds;
}

/** By package, writes its module for workers to `dist`, and the licences of the libraries in it. */
export const workerBundles = {
  async ambit(dist) {
    const require = createRequire(join(sourceOf('ambit'), 'index.ts'));
    const versions = ['ajv', 'ajv-formats', '@ambit/json-serializer'].map((name) => [
      name,
      require(`${name}/package.json`).version,
    ]);
    const define = {
      'require.cache': '({})',
      packageVersions: JSON.stringify(Object.fromEntries(versions)),
      'import.meta.url': JSON.stringify('file:///ambit/dist/worker.mjs'),
    };
    writeLicences(dist, 'worker', await writeWorker('ambit', dist, define, [lateImports()], []));
  },
  fastify: (dist) =>
    writeWorker('fastify', dist, { 'import.meta.url': JSON.stringify('file:///fastify/dist/worker.mjs') }),
  async openapi(dist) {
    const script = readFileSync(join(packages, 'openapi/assets/scalar.js.gz'), 'base64');
    const define = { packedScript: JSON.stringify(script) };
    writeLicences(dist, 'worker', await writeWorker('openapi', dist, define));
  },
};
