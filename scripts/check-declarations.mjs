// Fails if the declarations of an application refer to one of our files: the compiler could not write them outside of this
// repository. In our own declarations, the compiler (`isolatedDeclarations`) and Biome (`noExplicitAny`) leave no `any`.
import { readFileSync } from 'node:fs';

const path = '.cache/declarations/application.d.ts';
const source = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const ours = source.match(/\b(?:from|import\()\s*['"]\.[^'"]*/g) ?? [];
for (const found of ours) console.error(`${path}: ${found}: export the type from the package's entry`);
console.log(`declarations: ${ours.length} violations`);
process.exitCode = ours.length === 0 ? 0 : 1;
