// `npm run create -- ../my-api --template service`: creates and installs an application as `npm create ambit` does, with the
// packages of this repository. They are copied to its folder `vendor`, so that the application does not depend on the repository.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { vendorPackages } from './add.mjs';
import { installWhenNeeded } from './install.mjs';
import { listPackages } from './package-sources.mjs';
import { formatDuration, npm, root } from './steps.mjs';

/** What applications may depend on, also through another of our packages. */
const packages = listPackages()
  .map(({ manifest }) => manifest.name)
  .filter((name) => !['create-ambit', '@ambit/fastify'].includes(name));

const usage = `usage: npm run create -- <folder> [options]

Options:
  --template minimal|service
  --runtime node|bun|deno|cloudflare
  --javascript   JavaScript instead of TypeScript
  --yes          asks nothing
  --no-install   does not install the packages
  --git          starts a Git repository
  --help         prints this text`;

/** Lets an application install the packages from its folder `vendor`. */
function addPackages(application) {
  const vendored = vendorPackages(application, packages);
  const manifestFile = join(application, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.dependencies = { ...manifest.dependencies, ...vendored };
  for (const name of Object.keys(vendored)) delete manifest.devDependencies?.[name];
  // Bun would ask the registry for what the packages depend on.
  if (manifest.engines?.bun !== undefined) manifest.overrides = vendored;
  const denoSettings = join(application, 'deno.json');
  if (existsSync(denoSettings)) letNpmInstall(denoSettings, manifest);
  writeFileSync(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Deno installs no packages from files: an application for Deno uses the folder that npm fills. */
function letNpmInstall(denoSettings, manifest) {
  const text = readFileSync(denoSettings, 'utf8');
  writeFileSync(denoSettings, text.replace('"nodeModulesDir": "auto"', '"nodeModulesDir": "manual"'));
  // `deno test` needs them for JavaScript, too, and installs them itself only with `auto`.
  const template = join(root, 'packages/create-ambit/runtimes/deno/minimal/package.json');
  const { devDependencies } = JSON.parse(readFileSync(template, 'utf8'));
  manifest.devDependencies = { ...devDependencies, ...manifest.devDependencies };
}

const { values, positionals } = parseArgs({
  // The options that take a value. create-ambit checks all of them.
  options: {
    template: { type: 'string', short: 't' },
    runtime: { type: 'string', short: 'r' },
    help: { type: 'boolean', short: 'h' },
  },
  strict: false,
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
} else if (positionals.length === 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  process.chdir(root);
  installWhenNeeded();
  const startedMs = performance.now();
  process.stdout.write('Building the packages of Ambit … ');
  const status = npm(['run', '--silent', 'build']);
  if (status !== 0) process.exit(status);
  console.log(`done after ${formatDuration(startedMs)}`);
  const program = join(root, 'packages/create-ambit/dist');
  process.chdir(process.env.INIT_CWD ?? root);
  // `--no-install` has precedence.
  process.argv.splice(2, 0, '--install');
  await createRequire(import.meta.url)(join(program, 'main.cjs')).main(
    join(program, 'templates'),
    addPackages,
  );
}
