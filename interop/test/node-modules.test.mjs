// The modules of Node that applications can load, with all that they depend on: every runtime has them.
import { copyFileSync, mkdirSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { application, run } from './support/run.mjs';
import { runtimes, startWorkerd } from './support/runtimes.mjs';

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

// The first dates that the guide names.
test.each([
  ['2026-08-04', []],
  ['2025-09-15', ['nodejs_compat']],
])(
  'workerd has each module of Node that the build for workers imports, since %s with %j',
  async (date, flags) => {
    const names = await listNodeModules(['workerd']);
    expect(names).toContain('stream');
    const folder = `${application}/on-workerd-modules-${date}`;
    mkdirSync(folder, { recursive: true });
    copyFileSync(`${application}/workers/import-modules.mjs`, `${folder}/worker.mjs`);
    const server = await startWorkerd(folder, flags, date);
    const query = new URLSearchParams([...names, 'nowhere'].map((name) => ['name', name]));
    expect(await (await fetch(`${server.origin}/?${query}`)).json()).toEqual([
      expect.stringContaining('node:nowhere'),
    ]);
    await server.stop();
  },
);
