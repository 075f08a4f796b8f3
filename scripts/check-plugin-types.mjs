// Checks that the types of published plugins work with `ambit` alone: no package called `fastify` is installed,
// declarations are checked, and each package sees only its own dependencies.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('package-consumer/plugins.mts', import.meta.url));
const plugins = [
  '@fastify/bearer-auth',
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/websocket',
  'fastify-plugin',
];
const pnpmVersion = '9.15.9';

/**
 * One check for each package manager, as `[title, check]`.
 *
 * @param {string} folder The folder for the applications.
 * @param {string[]} tarballs The tarballs of `ambit` and of our packages that it depends on.
 * @param {Record<string, string>} versions The versions of plugins and tools, by name.
 * @param {(cwd: string, command: string, args: string[]) => string} run
 */
export function listPluginTypeChecks(folder, tarballs, versions, run) {
  return Object.entries(installers).map(([manager, install]) => [
    `types of plugins with ambit alone, installed by ${manager}`,
    () => {
      const application = join(folder, `plugins-by-${manager}`);
      mkdirSync(application);
      install(application, describeApplication(tarballs, versions), run);
      if (existsSync(join(application, 'node_modules/fastify'))) throw new Error('`fastify` is installed');
      check(application, run);
    },
  ]);
}

const installers = {
  npm: (application, manifest, run) => {
    writeJson(application, 'package.json', manifest);
    run(application, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']);
  },
  pnpm: (application, { dependencies, ...manifest }, run) => {
    // Our packages depend on one another, and unpublished versions are in no registry. So they are replaced with the
    // tarballs.
    const isOwnPackage = ([, version]) => version.startsWith('file:');
    const overrides = Object.fromEntries(Object.entries(dependencies).filter(isOwnPackage));
    writeJson(application, 'package.json', { ...manifest, dependencies, pnpm: { overrides } });
    const options = ['--store-dir', join(application, 'store'), '--config.hoist=false', '--silent'];
    run(application, 'npm', ['exec', '--yes', `pnpm@${pnpmVersion}`, '--', 'install', ...options]);
  },
};

function describeApplication(tarballs, versions) {
  const published = [...plugins, 'typescript', '@types/node', '@types/ws'].map((name) => [
    name,
    versions[name],
  ]);
  const ownPackages = tarballs.map((tarball) => [packageNameOf(tarball), `file:${tarball}`]);
  return {
    name: 'application',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries([...ownPackages, ...published]),
  };
}

/** The name of the package in a tarball of `npm pack`: `ambit-json-serializer-0.1.0.tgz` is `@ambit/json-serializer`. */
function packageNameOf(tarball) {
  const [, name] = /^(.*?)-\d/.exec(basename(tarball));
  return name.replace(/^ambit-/, '@ambit/');
}

function check(application, run) {
  copyFileSync(program, join(application, 'plugins.mts'));
  const declarations = join(application, 'node_modules/ambit/types/fastify.d.cts');
  // The compiler skips this file in applications, but it must have no errors.
  writeFileSync(declarations, readFileSync(declarations, 'utf8').replace('// @ts-nocheck', '//'));
  for (const settings of [{ module: 'nodenext' }, { module: 'preserve', moduleResolution: 'bundler' }]) {
    const compilerOptions = {
      strict: true,
      target: 'es2023',
      types: ['node'],
      skipLibCheck: false,
      noEmit: true,
      ...settings,
    };
    writeJson(application, 'tsconfig.json', { compilerOptions, files: ['plugins.mts'] });
    run(application, process.execPath, ['node_modules/typescript/bin/tsc', '--pretty', 'false']);
  }
}

function writeJson(folder, name, value) {
  writeFileSync(join(folder, name), JSON.stringify(value));
}
