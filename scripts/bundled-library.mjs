// Owns how a library becomes a part of a package, with its own dependencies and all their licences: for a library that cannot be
// installed, or not be loaded, everywhere that we run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Writes the library as one CommonJS module, `<name>.cjs`, and its licences beside it.
 *
 * @param {string} folder Of the package that the library is found from.
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

/** The folder of the package that a module of a library belongs to; `undefined` for what the bundler made. */
function findRoot(id) {
  const [, root] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? [];
  return root;
}

function describeLicence(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = readdirSync(root).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${dirname(root)}${sep}${name} has no file of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
}
