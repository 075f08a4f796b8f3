// Checks the packed facade as users of Fastify install it: under the name `fastify`. It is loaded in every way in which
// programs load Fastify, and type-checked together with its libraries and the published declarations of plugins.
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('facade-consumer/', import.meta.url));

/** The packages that such a user installs in addition to the tarballs: the tested plugins, in the versions of `ecosystem/`. */
export function listPlugins({ dependencies, devDependencies }) {
  const wanted = ([name]) => /^@fastify\/|^typebox$|^@types\//.test(name);
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(wanted)
    .map(([name, version]) => `${name}@${version}`);
}

function compile(consumer, run, module) {
  const config = {
    compilerOptions: {
      strict: true,
      target: 'es2023',
      module,
      types: ['node'],
      skipLibCheck: false,
      outDir: 'out',
    },
    files: ['load.cts', 'plugins.mts'],
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(config));
  run(consumer, process.execPath, ['node_modules/typescript/bin/tsc', '--pretty', 'false']);
}

/** One check for each way of loading the facade, as `[title, check]`. */
export function listFacadeChecks(consumer, run) {
  for (const file of readdirSync(programs)) copyFileSync(programs + file, join(consumer, file));
  return [
    ['the facade as `fastify` from ESM', () => run(consumer, process.execPath, ['load.mjs'])],
    ['the facade as `fastify` from CommonJS', () => run(consumer, process.execPath, ['load.cjs'])],
    // With the module rules of Node 16, `require` cannot load an ES module, so the declarations must not require one.
    ['plugins against the types of the facade, module node16', () => compile(consumer, run, 'node16')],
    ['plugins against the types of the facade, module nodenext', () => compile(consumer, run, 'nodenext')],
    ['the facade as `fastify` from TypeScript', () => run(consumer, process.execPath, ['out/load.cjs'])],
  ];
}
