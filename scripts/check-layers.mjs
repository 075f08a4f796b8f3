// Fails if a file of packages/ambit/src breaks the rules of the layers (layers.mjs), or if a package has circular imports or is
// larger than it may be (sizes.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCircularImports, findViolations } from './layers.mjs';
import { findTooLarge } from './sizes.mjs';

/** The sources in a folder, by their path inside it. */
function readSources(/** @type {string} */ folder) {
  const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.d)\.[cm]?[jt]s$/.test(name),
  );
  return new Map(names.map((name) => [name.replaceAll(sep, '/'), readFileSync(join(root, name), 'utf8')]));
}

let violationCount = 0;
for (const name of readdirSync(fileURLToPath(new URL('../packages/', import.meta.url)))) {
  const folder = `packages/${name}`;
  const sources = readSources(`${folder}/src`);
  const violations = [
    ...(name === 'ambit' ? findViolations(sources) : findCircularImports(sources)),
    ...findTooLarge(name, sources),
  ];
  for (const violation of violations) console.error(`${folder}/src/${violation}`);
  console.log(`layers: ${folder}: ${sources.size} files, ${violations.length} violations`);
  violationCount += violations.length;
}
process.exitCode = violationCount === 0 ? 0 : 1;
