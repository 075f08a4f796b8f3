// Fails if a file of packages/ambit/src breaks the rules of the layers, if a package has circular imports, or if an
// export is not used. The rules are in layers.mjs and exports.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUnusedExports } from './exports.mjs';
import { findCircularImports, findViolations } from './layers.mjs';
import { listPageReplacements, listReplacements } from './worker-bundle.mjs';

/** The sources in a folder, by their path inside it. Empty if the folder does not exist. */
function readSources(/** @type {string} */ folder) {
  const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  if (!existsSync(root)) return new Map();
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.d)\.[cm]?[jt]s$/.test(name),
  );
  return new Map(names.map((name) => [name.replaceAll(sep, '/'), readFileSync(join(root, name), 'utf8')]));
}

/** Finds exports of a package that nothing uses. Tests next to the sources and in `test/` count as users, too. */
function findUnused(/** @type {string} */ folder, /** @type {readonly string[]} */ entryPoints) {
  const sources = [...readSources(`${folder}/src`)].map(([path, source]) => [`src/${path}`, source]);
  const tests = [...readSources(`${folder}/test`)].map(([path, source]) => [`test/${path}`, source]);
  return findUnusedExports(
    new Map([...sources, ...tests]),
    entryPoints.map((path) => `src/${path}`),
  );
}

let violationCount = 0;
for (const [folder, check, entryPoints] of /** @type {const} */ ([
  ['packages/ambit', findViolations, ['index.ts', 'client/client.ts', ...listReplacements()]],
  ['packages/json-serializer', findCircularImports, ['index.ts', 'load.ts']],
  ['packages/http-engine', findCircularImports, ['index.ts', 'fetch.ts']],
  ['packages/fastify', findCircularImports, ['index.ts', 'lib/errors.ts', 'lib/reply.ts', 'lib/symbols.ts']],
  ['packages/openapi', findCircularImports, ['index.ts', ...listPageReplacements()]],
  ['packages/opentelemetry', findCircularImports, ['index.ts']],
  ['packages/cli', findCircularImports, ['main.ts', 'serve/worker.ts', 'record-routes.ts']],
  ['packages/inspector', findCircularImports, ['index.ts']],
  ['packages/create-ambit', findCircularImports, ['main.ts']],
])) {
  const sources = readSources(`${folder}/src`);
  const violations = [
    ...check(sources).map((violation) => `src/${violation}`),
    ...findUnused(folder, entryPoints),
  ];
  for (const violation of violations) console.error(`${folder}/${violation}`);
  console.log(`layers: ${folder}: ${sources.size} files, ${violations.length} violations`);
  violationCount += violations.length;
}
process.exitCode = violationCount === 0 ? 0 : 1;
