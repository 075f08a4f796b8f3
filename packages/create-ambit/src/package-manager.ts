/** Owns what differs between package managers: how they are called, and what the files of an application say of them. */

export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Installs the packages. */
  install: string;
  /** Runs a script: this, and its name. */
  run: string;
  /** Installs exactly what the lock file says. */
  cleanInstall: string;
  /** The same without what only development needs. */
  productionInstall: string;
  lockFile: string;
  /** Brings the package manager to a machine that has only Node. Empty for npm, which Node brings. */
  setUp: string;
}

const npm: PackageManager = {
  name: 'npm',
  install: 'npm install',
  run: 'npm run',
  cleanInstall: 'npm ci',
  productionInstall: 'npm ci --omit=dev',
  lockFile: 'package-lock.json',
  setUp: '',
};

const pnpm: PackageManager = {
  name: 'pnpm',
  install: 'pnpm install',
  run: 'pnpm run',
  cleanInstall: 'pnpm install --frozen-lockfile',
  productionInstall: 'pnpm install --frozen-lockfile --prod',
  lockFile: 'pnpm-lock.yaml',
  setUp: 'npm install --global pnpm',
};

const classicYarn: PackageManager = {
  name: 'yarn',
  install: 'yarn install',
  run: 'yarn run',
  cleanInstall: 'yarn install --frozen-lockfile',
  productionInstall: 'yarn install --frozen-lockfile --production',
  lockFile: 'yarn.lock',
  setUp: 'npm install --global --force yarn',
};

const yarn: PackageManager = {
  ...classicYarn,
  cleanInstall: 'yarn install --immutable',
  productionInstall: 'yarn workspaces focus --production',
  setUp: 'npm install --global --force @yarnpkg/cli-dist',
};

const bun: PackageManager = {
  name: 'bun',
  install: 'bun install',
  run: 'bun run',
  cleanInstall: 'bun install --frozen-lockfile',
  productionInstall: 'bun install --frozen-lockfile --production',
  lockFile: 'bun.lock',
  setUp: 'npm install --global bun',
};

/**
 * @param userAgent What package managers write to the environment of what they run: `pnpm/10.34.8 npm/? node/v24.21.0 linux x64`.
 * @returns The one that runs this program; npm if it is none of them.
 */
export function detectPackageManager(userAgent = ''): PackageManager {
  if (userAgent.startsWith('pnpm/')) return pnpm;
  if (userAgent.startsWith('yarn/1.')) return classicYarn;
  if (userAgent.startsWith('yarn/')) return yarn;
  if (userAgent.startsWith('bun/')) return bun;
  return npm;
}
