// The modules of Node that applications can load, with all that they depend on: every runtime has them.
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { application, run } from './support/run.mjs';
import { runtimes } from './support/runtimes.mjs';

/** What workerd implements. Of some other modules, it has functions that throw. */
const ofWorkers = [
  'assert',
  'buffer',
  'crypto',
  'diagnostics_channel',
  'events',
  'fs',
  'fs/promises',
  'http',
  'net',
  'os',
  'path',
  'perf_hooks',
  'process',
  'stream',
  'stream/consumers',
  'stream/promises',
  'url',
  'util',
  'zlib',
];

const packages = ['ambit', 'fastify', '@ambit/openapi'];

/** The names in a bundle of the packages. Esbuild also finds what is loaded late. */
async function listNodeModules(conditions, bundled = packages) {
  const contents = bundled.map((name) => `export * from '${name}';`).join('\n');
  const { metafile } = await build({
    stdin: { contents, resolveDir: application },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ external }) => external).map(({ path }) => path.replace('node:', ''));
  return [...new Set(names)].sort();
}

test.each(Object.keys(runtimes))(
  '%s has each module of Node that is loaded at some time',
  async (runtime) => {
    const names = await listNodeModules([], [...packages, '@ambit/inspector', '@ambit/http-engine']);
    expect(names).toContain('http');
    const [executable, ...args] = runtimes[runtime]();
    const printed = await run(application, executable, [...args, 'runtimes/import-modules.mjs', ...names]);
    expect(JSON.parse(printed)).toEqual([]);
  },
);

test('the build for workers imports only modules of Node that workerd implements', async () => {
  const names = await listNodeModules(['workerd']);
  expect(names.filter((name) => !ofWorkers.includes(name))).toEqual([]);
  expect(names).toContain('stream');
});
