/** The differences between package managers: their commands, and their values in the files of an application. */
import type { Runtime } from './requirements.ts';

export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun' | 'deno';
  /** Installs the packages. */
  install: string;
  /** Runs a script, whose name follows. */
  run: string;
  /** Runs the program of an installed package. The name of the program follows. */
  exec: string;
  /** Installs exactly the versions of the lock file. */
  cleanInstall: string;
  /** The same without development dependencies. */
  productionInstall: string;
  lockFile: string;
  /** The settings file that an application needs; empty if there is none. */
  settings: '' | '.yarnrc.yml';
  /** Installs it, in the version that runs this program, on a machine that has only Node; empty for npm, which is a part of Node. */
  setUp: string;
}

/** Without this setting, Yarn would keep packages in archives, which the program `node` cannot read. */
export const yarnSettings = 'nodeLinker: node-modules\n';

const npm: PackageManager = {
  name: 'npm',
  install: 'npm install',
  run: 'npm run',
  exec: 'npx',
  cleanInstall: 'npm ci',
  productionInstall: 'npm ci --omit=dev',
  lockFile: 'package-lock.json',
  settings: '',
  setUp: '',
};

const pnpm = (version: string): PackageManager => ({
  name: 'pnpm',
  install: 'pnpm install',
  run: 'pnpm run',
  exec: 'pnpm exec',
  cleanInstall: 'pnpm install --frozen-lockfile',
  productionInstall: 'pnpm install --frozen-lockfile --prod',
  lockFile: 'pnpm-lock.yaml',
  settings: '',
  setUp: `npm install --global pnpm@${version}`,
});

const classicYarn = (version: string): PackageManager => ({
  name: 'yarn',
  install: 'yarn install',
  run: 'yarn run',
  exec: 'yarn run',
  cleanInstall: 'yarn install --frozen-lockfile',
  productionInstall: 'yarn install --frozen-lockfile --production',
  lockFile: 'yarn.lock',
  settings: '',
  // `--force`, because images of Node already contain yarn.
  setUp: `npm install --global --force yarn@${version}`,
});

const yarn = (version: string): PackageManager => ({
  ...classicYarn(version),
  cleanInstall: 'yarn install --immutable',
  productionInstall: 'yarn workspaces focus --production',
  settings: '.yarnrc.yml',
  setUp: `npm install --global --force @yarnpkg/cli-dist@${version}`,
});

const bun = (version: string): PackageManager => ({
  name: 'bun',
  install: 'bun install',
  run: 'bun run',
  exec: 'bunx',
  cleanInstall: 'bun install --frozen-lockfile',
  productionInstall: 'bun install --frozen-lockfile --production',
  lockFile: 'bun.lock',
  settings: '',
  setUp: `npm install --global bun@${version}`,
});

const deno: PackageManager = {
  name: 'deno',
  install: 'deno install',
  run: 'deno task',
  exec: 'deno run --allow-all npm:',
  cleanInstall: 'deno install --frozen',
  productionInstall: 'deno install --frozen',
  lockFile: 'deno.lock',
  settings: '',
  setUp: '',
};

/** npm installs the packages, and Deno runs the tasks: Deno cannot install packages from files. */
const denoWithNpm: PackageManager = { ...npm, run: deno.run, exec: deno.exec };

/**
 * Bun and Deno are package managers too. Images and CI runners with these runtimes need no other one.
 *
 * @param hasPackageFiles Whether the application installs packages from files, and not from a registry.
 */
export function packageManagerOf(
  runtime: Runtime,
  userAgent: string | undefined,
  hasPackageFiles: boolean,
): PackageManager {
  if (runtime === 'deno') return hasPackageFiles ? denoWithNpm : deno;
  return runtime === 'bun' ? { ...bun(''), setUp: '' } : detectPackageManager(userAgent);
}

/**
 * @param userAgent A variable that package managers set for the programs that they run: `pnpm/10.34.8 npm/? node/v24.21.0 linux x64`.
 * @returns The package manager that runs this program; npm if it is not known.
 */
function detectPackageManager(userAgent = ''): PackageManager {
  const [, name, version] = /^(\w+)\/(\d[\w.-]*)/.exec(userAgent) ?? [];
  if (version === undefined) return npm;
  if (name === 'pnpm') return pnpm(version);
  if (name === 'yarn') return version.startsWith('1.') ? classicYarn(version) : yarn(version);
  if (name === 'bun') return bun(version);
  return npm;
}
