// Includes a library in a package, with its dependencies and all their licences. This is for libraries that cannot be
// installed or loaded in every environment that we support, or that every start loads from many files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Writes the library as one CommonJS module, `<name>.cjs`, with its licences next to it.
 *
 * @param {string} folder The folder of the package that depends on the library.
 * @param {string} target Folder to write to.
 * @returns {Promise<string[]>} The names of the files.
 */
export async function bundleLibrary(name, folder, target) {
  const require = createRequire(join(process.cwd(), folder, 'package.json'));
  const bundle = await rolldown({ input: require.resolve(name), platform: 'node' });
  const file = `${name}.cjs`;
  const { output } = await bundle.write({ file: join(target, file), format: 'cjs', minify: false });
  await bundle.close();
  const [{ moduleIds, code }] = output;
  if (output.length > 1 || /\bimport\(/.test(code)) throw new Error(`${name} does not fit into one module`);
  const roots = new Set(moduleIds.map(findRoot).filter((root) => root !== undefined));
  const licences = `${name}.licences.txt`;
  writeFileSync(join(target, licences), [...roots].sort().map(describeLicence).join('\n'));
  return [file, licences];
}

/** The folder of the package that contains a module; `undefined` for modules that the bundler created. */
export function findRoot(id) {
  const [, root] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? [];
  return root;
}

export function describeLicence(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = readdirSync(root).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${dirname(root)}${sep}${name} has no file of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
}
