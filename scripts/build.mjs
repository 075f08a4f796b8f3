// `npm run build`: tsc checks the sources and writes their declarations, then each package is bundled,
// and the templates of create-ambit are created.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePackages, declareFormat } from './bundle.mjs';
import { writeFastifyTypes } from './fastify-types.mjs';
import { buildTemplates } from './templates.mjs';
import { vendorScalar } from './vendor.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
declareFormat();
mkdirSync('packages/ambit/types', { recursive: true });
writeFileSync('packages/ambit/types/fastify.d.cts', writeFastifyTypes('packages/fastify'));
const command = ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json'];
const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
if (status === 0) {
  vendorScalar();
  await bundlePackages();
  buildTemplates();
}
process.exitCode = status ?? 1;
