// Bundles the worker that tries the plugins, as wrangler does: a plugin that requires a module of node gets it by an import.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ambit, compileSchemas } from 'ambit';
import { build } from 'esbuild';
import { fastify } from 'fastify';

const here = fileURLToPath(new URL('.', import.meta.url));

export const swaggerUiAssets = fileURLToPath(
  new URL('../node_modules/@fastify/swagger-ui/static', import.meta.url),
);

const requiredBuiltins = {
  name: 'required builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?\w/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'required-builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `import builtin from '${path.startsWith('node:') ? path : `node:${path}`}';\nmodule.exports = builtin;`,
      loader: 'js',
    }));
  },
};

/** Compiles the schemas of the plugins that have some, which workers cannot. @returns The names of the modules. */
async function compileAll(names) {
  rmSync(`${here}compiled`, { recursive: true, force: true });
  mkdirSync(`${here}compiled`);
  const written = [];
  for (const name of names) {
    const entry = await import(`./plugins/${name}.mjs`);
    if (!entry.usesSchemas) continue;
    for (const [flavor, create] of Object.entries({ ambit, fastify })) {
      const app = create();
      entry.setUp(app, {});
      writeFileSync(`${here}compiled/${name}-${flavor}.mjs`, await compileSchemas(app));
      await app.close();
      written.push(`compiled/${name}-${flavor}`);
    }
  }
  return written;
}

/**
 * @param {string} folder Gets the modules, and `worker.capnp` that has workerd serve them.
 * @param {string[]} names The plugins.
 */
export async function bundleWorker(folder, names) {
  const entries = ['worker', ...names.map((name) => `plugins/${name}`), ...(await compileAll(names))];
  // Without `splitting`, as wrangler does it: what a plugin imports when the application boots then runs in a request.
  await build({
    entryPoints: entries.map((entry) => `${here}${entry}.mjs`),
    outdir: folder,
    outbase: here,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd'],
    plugins: [requiredBuiltins],
    logLevel: 'silent',
  });
  cpSync(`${here}files`, folder, { recursive: true });
  cpSync(swaggerUiAssets, `${folder}/swagger-ui`, { recursive: true });
  const modules = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
  // The first module is the worker.
  const inOrder = ['worker.mjs', ...modules.filter((file) => file !== 'worker.mjs')];
  writeFileSync(`${folder}/worker.capnp`, configure(inOrder));
}

/** Files that are not code are in the folder `/bundle` of the worker. */
function declareModule(file) {
  return `(name = "${file}", ${file.endsWith('.mjs') ? 'esModule' : 'text'} = embed "${file}")`;
}

/** Plugins connect to servers of this machine, which workers may not unless they are told. */
function configure(modules) {
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .application),
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", service = "main")]
);

const application :Workerd.Worker = (
  modules = [
    ${modules.map(declareModule).join(',\n    ')}
  ],
  compatibilityDate = "2026-10-01",
);
`;
}
