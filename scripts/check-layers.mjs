// Fails when a file of packages/ambit/src breaks the layers; the rules are in layers.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findViolations } from './layers.mjs';

const folder = 'packages/ambit/src';
const src = fileURLToPath(new URL(`../${folder}/`, import.meta.url));

const sources = new Map();
for (const name of readdirSync(src, { recursive: true })) {
  if (name.endsWith('.ts')) sources.set(name.replaceAll(sep, '/'), readFileSync(join(src, name), 'utf8'));
}

const violations = findViolations(sources);
for (const violation of violations) console.error(`${folder}/${violation}`);
console.log(`layers: ${sources.size} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
