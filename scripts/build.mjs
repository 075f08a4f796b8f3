// `npm run build`: tsc checks the sources and writes their declarations, then each package is bundled,
// and the templates of create-ambit are created. Nothing runs if the build is already that of the sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { bundlePackages, declareFormat } from './bundle.mjs';
import { writeFastifyTypes } from './fastify-types.mjs';
import { listPackages } from './package-sources.mjs';
import { root } from './steps.mjs';
import { buildTemplates } from './templates.mjs';
import { vendorScalar } from './vendor.mjs';

const stampFile = 'node_modules/.build-stamp';

process.chdir(root);
const sources = hashSources();
if (!isBuilt(sources)) process.exitCode = await build();

async function build() {
  rmSync(stampFile, { force: true });
  linkPackages();
  declareFormat();
  mkdirSync('packages/ambit/types', { recursive: true });
  writeFileSync('packages/ambit/types/fastify.d.cts', writeFastifyTypes('packages/fastify'));
  // Several checkers of one project repeat each other's work.
  const settings = '-b --checkers 1 --builders 2 tsconfig.build.json'.split(' ');
  const command = ['node_modules/typescript/bin/tsc', ...settings];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  vendorScalar();
  await bundlePackages();
  buildTemplates();
  writeFileSync(stampFile, sources);
  return 0;
}

/** Links packages that are newer than the last `npm ci`, which others would not find. */
function linkPackages() {
  for (const { folder, manifest } of listPackages()) {
    const link = `node_modules/${manifest.name}`;
    if (!existsSync(link)) symlinkSync(resolve('packages', folder), link, 'junction');
  }
}

/** One hash of everything that the build reads: packages without their tests and what they were built to, scripts, settings. */
function hashSources() {
  const hash = createHash('sha256');
  const isNoSource =
    /^packages\/[^/]+\/(?:dist\/|test\/|bench\/|src\/.*\.test(?:-d)?\.ts$|types\/fastify\.d\.cts$)|node_modules|\.gz$/;
  const files = ['packages', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/')),
  );
  const settings = ['package-lock.json', 'biome.json', 'tsconfig.base.json', 'tsconfig.build.json'];
  for (const file of [...files, ...settings].filter((name) => !isNoSource.test(name)).sort())
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function isBuilt(hash) {
  return (
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === hash &&
    listPackages().every(({ folder }) => existsSync(`packages/${folder}/dist`))
  );
}
