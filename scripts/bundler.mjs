// Runs the bundler, and writes the licences of the libraries that a bundle contains.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Writes the bundle of `input`. @returns its modules @throws on warnings, unless the code is not ours */
export async function writeBundle({ isLibrary = false, ...input }, output) {
  const bundle = await rolldown({
    platform: 'node',
    // A slow build on a busy machine is not an error.
    checks: { bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn' && !isLibrary) throw new Error(`${JSON.stringify(input.input)}: ${message}`);
    },
    ...input,
  });
  // Not minified, because people read stack traces and the code that they refer to.
  const { output: written } = await bundle.write({ format: 'esm', minify: false, ...output });
  await bundle.close();
  return written.filter(({ type }) => type === 'chunk');
}

export function writeLicences(folder, name, moduleIds) {
  const roots = moduleIds.map(
    (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0],
  );
  const libraries = [...new Set(roots)].filter((root) => root !== undefined).sort();
  writeFileSync(join(folder, `${name}.licences.txt`), libraries.map(readLicence).join('\n'));
}

function readLicence(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = readdirSync(root).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${root} has no file of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
}
