// Fails if the declarations of an application refer to one of our files: the compiler could not write them outside of this
// repository. In our own declarations, the compiler (`isolatedDeclarations`) and Biome (`noExplicitAny`) leave no `any`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findImports } from './imports.mjs';

const path = '.cache/declarations/application.d.ts';
const source = readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const ours = findImports(path, source).filter(({ specifier }) => specifier.startsWith('.'));
for (const { specifier, line } of ours)
  console.error(`${path}:${line}: ${specifier}: export the type from the package's entry`);
console.log(`declarations: ${ours.length} violations`);
process.exitCode = ours.length === 0 ? 0 : 1;
