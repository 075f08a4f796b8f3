// `npm run test:fuzz`: the differential fuzzer of the HTTP engine with a million inputs and a seed of the day, for a nightly run:
//   node scripts/fuzz.mjs [--inputs 1000000] [--seed 20260101]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', 'packages/http-engine/test/fuzz.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_INPUTS: options.inputs, FUZZ_SEED: options.seed },
  },
);
process.exitCode = status ?? 1;
