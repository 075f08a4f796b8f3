// `npm run create -- ../my-api --template service`: creates an application as `npm create ambit` does, with the packages
// of this repository. They are copied to its folder `vendor`, so that the application does not depend on the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findApplicationFolder } from './application-folder.mjs';
import { installWhenNeeded } from './install.mjs';
import { isWindows, npm } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The packages that applications install, with their dependencies. */
const packages = ['ambit', 'cli', 'http-engine', 'inspector', 'json-serializer', 'openapi'];

function runOrExit(status) {
  if (status !== 0) process.exit(status);
}

/** Packs a package. @returns Its name, and the specifier for package.json. */
function vendor(name, target) {
  const folder = join(root, 'packages', name);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const { stdout, status } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: isWindows });
  runOrExit(status ?? 1);
  const [packed] = JSON.parse(stdout);
  return [packed.name, `file:vendor/${packed.filename}`];
}

const args = process.argv.slice(2);
const folder = findApplicationFolder(args);
if (folder === undefined) {
  console.error(
    'usage: npm run create -- <folder> [--template minimal|service] [--runtime node|bun|deno|cloudflare] [--javascript]',
  );
  process.exit(2);
}
process.chdir(root);
installWhenNeeded();
runOrExit(npm(['run', '--silent', 'build']));

const cwd = process.env.INIT_CWD ?? root;
const program = join(root, 'packages/create-ambit/bin/create-ambit.cjs');
runOrExit(spawnSync(process.execPath, [program, ...args], { cwd, stdio: 'inherit' }).status ?? 1);

const application = resolve(cwd, folder);
mkdirSync(join(application, 'vendor'));
const vendored = packages.map((name) => vendor(name, join(application, 'vendor')));
const manifestFile = join(application, 'package.json');
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
manifest.dependencies = { ...manifest.dependencies, ...Object.fromEntries(vendored) };
for (const [name] of vendored) delete manifest.devDependencies?.[name];
// Bun would ask the registry for what the packages depend on.
if (manifest.engines?.bun !== undefined) manifest.overrides = Object.fromEntries(vendored);
writeFileSync(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);

/** Deno installs no packed packages: it uses the folder that npm fills. @returns Whether the application is for Deno. */
function letNpmInstall() {
  const settings = join(application, 'deno.json');
  if (!existsSync(settings)) return false;
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('"nodeModulesDir": "auto"', '"nodeModulesDir": "manual"'));
  return true;
}

const instead = letNpmInstall()
  ? ' Deno cannot install them: run `npm install` instead of `deno install`.'
  : '';
const count = readdirSync(join(application, 'vendor')).length;
console.log(`\n(${count} packages of this repository are in vendor.${instead})`);
