// Fails when a file of packages/ambit/src breaks the layers, when files of any package import in circles, or when an export is not used. The
// rules are in layers.mjs and exports.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUnusedExports } from './exports.mjs';
import { findCircles, findViolations } from './layers.mjs';
import { listPageStandIns, listStandIns } from './worker-bundle.mjs';

/** The sources in a folder, by their path inside it. Empty if the folder does not exist. */
function readSources(/** @type {string} */ folder) {
  const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  if (!existsSync(root)) return new Map();
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.d)\.[cm]?[jt]s$/.test(name),
  );
  return new Map(names.map((name) => [name.replaceAll(sep, '/'), readFileSync(join(root, name), 'utf8')]));
}

/** Exports of a package that nothing uses. Tests next to the sources and in `test/` count as users too. */
function findUnused(/** @type {string} */ folder, /** @type {readonly string[]} */ entrances) {
  const sources = [...readSources(`${folder}/src`)].map(([path, source]) => [`src/${path}`, source]);
  const tests = [...readSources(`${folder}/test`)].map(([path, source]) => [`test/${path}`, source]);
  return findUnusedExports(
    new Map([...sources, ...tests]),
    entrances.map((path) => `src/${path}`),
  );
}

let violationCount = 0;
for (const [folder, check, entrances] of /** @type {const} */ ([
  ['packages/ambit', findViolations, ['index.ts', 'client/client.ts', ...listStandIns()]],
  ['packages/json-serializer', findCircles, ['index.ts', 'load.ts']],
  ['packages/http-engine', findCircles, ['index.ts', 'fetch.ts']],
  ['packages/fastify', findCircles, ['index.ts', 'lib/errors.ts', 'lib/reply.ts', 'lib/symbols.ts']],
  ['packages/openapi', findCircles, ['index.ts', ...listPageStandIns()]],
  ['packages/opentelemetry', findCircles, ['index.ts']],
  ['packages/cli', findCircles, ['main.ts', 'serve/worker.ts', 'record-routes.ts']],
  ['packages/inspector', findCircles, ['index.ts']],
  ['packages/create-ambit', findCircles, ['main.ts']],
])) {
  const sources = readSources(`${folder}/src`);
  const violations = [
    ...check(sources).map((violation) => `src/${violation}`),
    ...findUnused(folder, entrances),
  ];
  for (const violation of violations) console.error(`${folder}/${violation}`);
  console.log(`layers: ${folder}: ${sources.size} files, ${violations.length} violations`);
  violationCount += violations.length;
}
process.exitCode = violationCount === 0 ? 0 : 1;
