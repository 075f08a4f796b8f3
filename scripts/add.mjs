// `npm run add -- ../my-application ambit @ambit/openapi`: installs packages of this repository in a folder, as `npm install`
// does from a registry. They are copied to its folder `vendor`, with the packages of this repository that they need.
// With `--no-install`, they are only copied, for another package manager.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installWhenNeeded } from './install.mjs';
import { listPackages } from './package-sources.mjs';
import { isProgram, npm, packPackages, root } from './steps.mjs';

const packages = new Map(
  listPackages().map(({ folder, manifest }) => [manifest.name, { ...manifest, folder }]),
);

/** The package of a name. Code and plugins for Fastify import the facade as `fastify`. */
const packageOf = (name) => packages.get(name === 'fastify' ? '@ambit/fastify' : name);

/** Adds the folder of a package, and those of the packages that it needs. */
function collect({ folder, dependencies, peerDependencies }, folders) {
  if (folders.has(folder)) return;
  folders.add(folder);
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies }))
    if (packages.has(needed)) collect(packages.get(needed), folders);
}

/**
 * Packs packages, and those that they need, to the folder `vendor` of an application. They must be built.
 *
 * @returns By name, where the application finds each: `file:vendor/ambit-0.1.0.tgz`.
 */
export function vendorPackages(application, names) {
  const vendor = join(application, 'vendor');
  mkdirSync(vendor, { recursive: true });
  const folders = new Set();
  for (const name of names) collect(packageOf(name), folders);
  const isFacade = (name) => name === '@ambit/fastify' && names.includes('fastify');
  const packed = packPackages([...folders], vendor);
  return Object.fromEntries(
    packed.map(({ name, filename }) => [isFacade(name) ? 'fastify' : name, `file:vendor/${filename}`]),
  );
}

function add(args) {
  const [folder, ...names] = args.filter((argument) => argument !== '--no-install');
  const unknown = names.find((name) => packageOf(name) === undefined);
  if (unknown !== undefined) console.error(`add: there is no package \`${unknown}\``);
  if (folder === undefined || names.length === 0 || unknown !== undefined) {
    const known = [...packages.keys(), 'fastify (which is @ambit/fastify)'].join(', ');
    console.error(
      `usage: npm run add -- <folder> <package> [more packages] [--no-install]\nPackages: ${known}`,
    );
    return 2;
  }
  const application = resolve(process.env.INIT_CWD ?? '', folder);
  process.chdir(root);
  installWhenNeeded();
  if (npm(['run', '--silent', 'build']) !== 0) return 1;
  const vendored = vendorPackages(application, names);
  const specifiers = Object.entries(vendored).map(([name, place]) => `${name}@${place}`);
  process.chdir(application);
  // Without it, npm would install in a folder above.
  if (!existsSync('package.json')) writeFileSync('package.json', '{\n  "private": true\n}\n');
  if (!args.includes('--no-install')) return npm(['install', '--no-audit', '--no-fund', ...specifiers]);
  console.log(specifiers.join('\n'));
  return 0;
}

if (isProgram(import.meta.url)) process.exitCode = add(process.argv.slice(2));
