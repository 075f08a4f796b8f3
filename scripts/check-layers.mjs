// Fails when a file of packages/ambit/src breaks the layers, or files of any package import in circles; the rules are in layers.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCircles, findViolations } from './layers.mjs';

function readSources(/** @type {string} */ folder) {
  const src = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return new Map(names.map((name) => [name.replaceAll(sep, '/'), readFileSync(join(src, name), 'utf8')]));
}

let violationCount = 0;
for (const [folder, check] of /** @type {const} */ ([
  ['packages/ambit/src', findViolations],
  ['packages/json-serializer/src', findCircles],
  ['packages/http-engine/src', findCircles],
  ['packages/fastify/src', findCircles],
  ['packages/openapi/src', findCircles],
])) {
  const sources = readSources(folder);
  const violations = check(sources);
  for (const violation of violations) console.error(`${folder}/${violation}`);
  console.log(`layers: ${folder}: ${sources.size} files, ${violations.length} violations`);
  violationCount += violations.length;
}
process.exitCode = violationCount === 0 ? 0 : 1;
