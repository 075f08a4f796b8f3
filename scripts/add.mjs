// `npm run add -- ../my-application ambit @ambit/openapi`: installs packages of this repository in a folder, as `npm install`
// does from a registry. They are copied to its folder `vendor`, with the packages of this repository that they need.
// With `--no-install`, they are only copied, for another package manager.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';
import { npm, packPackages } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages by their names, each with its folder. */
const packages = new Map(
  readdirSync(join(root, 'packages')).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
    return [manifest.name, { ...manifest, folder }];
  }),
);

/** Adds the folder of a package, and those of the packages that it needs. */
function collect(name, folders = new Set()) {
  const { folder, dependencies, peerDependencies } = packages.get(name) ?? {};
  if (folder === undefined || folders.has(folder)) return folders;
  folders.add(folder);
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) collect(needed, folders);
  return folders;
}

const args = process.argv.slice(2);
const [folder, ...names] = args.filter((argument) => argument !== '--no-install');
// Code and plugins for Fastify import the facade under this name.
const isFacade = names.includes('fastify');
const wanted = names.map((name) => (name === 'fastify' ? '@ambit/fastify' : name));
const unknown = wanted.find((name) => !packages.has(name));
const application = resolve(process.env.INIT_CWD ?? '', folder ?? '');

if (folder === undefined || wanted.length === 0 || unknown !== undefined) {
  if (unknown !== undefined) console.error(`add: there is no package \`${unknown}\``);
  const known = [...packages.keys(), 'fastify (which is @ambit/fastify)'].join(', ');
  console.error(
    `usage: npm run add -- <folder> <package> [more packages] [--no-install]\nPackages: ${known}`,
  );
  process.exitCode = 2;
} else {
  process.chdir(root);
  installWhenNeeded();
  if (npm(['run', '--silent', 'build']) !== 0) process.exit(1);
  const vendor = join(application, 'vendor');
  mkdirSync(vendor, { recursive: true });
  const manifest = join(application, 'package.json');
  // Without it, npm would install in a folder above.
  if (!existsSync(manifest)) writeFileSync(manifest, '{\n  "private": true\n}\n');
  const folders = wanted.reduce((found, name) => collect(name, found), new Set());
  const specifiers = packPackages([...folders], vendor).map(({ name, filename }) => {
    const alias = isFacade && name === '@ambit/fastify' ? 'fastify' : name;
    return `${alias}@file:vendor/${filename}`;
  });
  process.chdir(application);
  if (args.includes('--no-install')) console.log(specifiers.join('\n'));
  else process.exitCode = npm(['install', '--no-audit', '--no-fund', ...specifiers]);
}
