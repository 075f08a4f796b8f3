// Fails when a built declaration of a package of ours says `any`. The facade's are Fastify's words, and not looked at.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAny } from './declarations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['packages/ambit/dist', 'packages/json-serializer/dist'];

const files = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name}`),
);
if (files.length === 0) throw new Error('no declarations: build first');
const violations = files.flatMap((file) => findAny(file, readFileSync(`${root}${file}`, 'utf8')));
for (const violation of violations) console.error(violation);
console.log(`declarations: ${files.length} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
