// Fails if a declaration of our packages contains `any` (except those of the facade, which follow Fastify), or if the
// declarations of an application refer to one of our files instead of the package.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAny, findUnexported } from './declarations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = [
  'packages/ambit/dist',
  'packages/form-data/dist',
  'packages/http-engine/dist',
  'packages/json-schema/dist',
  'packages/json-serializer/dist',
  'packages/openapi/dist',
  'packages/opentelemetry/dist',
  'packages/cli/dist',
  'packages/inspector/dist',
];

function find(folder, check) {
  const names = readdirSync(`${root}${folder}`, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  if (names.length === 0) throw new Error(`no declarations in ${folder}: build first`);
  files += names.length;
  return names.flatMap((name) =>
    check(`${folder}/${name}`, readFileSync(`${root}${folder}/${name}`, 'utf8')),
  );
}

let files = 0;
const violations = [
  ...folders.flatMap((folder) => find(folder, findAny)),
  ...find('.cache/declarations', findUnexported),
];
for (const violation of violations) console.error(violation);
console.log(`declarations: ${files} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
