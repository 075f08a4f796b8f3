// `npm run test:fuzz`, for a nightly run: the differential fuzzer of the HTTP engine with a million inputs, encapsulation with
// twenty thousand trees of plugins, guards with a million spellings, and all other property tests, with the seed of the day. `npm test` runs the same tests
// with fewer inputs and a fixed seed.
//   node scripts/fuzz.mjs [--inputs 1000000] [--trees 20000] [--spellings 62500] [--seed 20260101]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    trees: { type: 'string', default: '20000' },
    // For each of sixteen tests.
    spellings: { type: 'string', default: '62500' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));

function listPropertyTests() {
  return readdirSync(`${root}packages`, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `packages/${name}`)
    .filter((file) => readFileSync(`${root}${file}`, 'utf8').includes("from 'fast-check'"));
}

const files = ['packages/http-engine/test/fuzz.test.ts', ...listPropertyTests()];
console.log(`fuzz: seed ${options.seed}, ${options.inputs} inputs of the HTTP engine, ${files.length} files`);
const { status } = spawnSync(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, 'run', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_INPUTS: options.inputs,
    FUZZ_TREES: options.trees,
    FUZZ_SPELLINGS: options.spellings,
    FUZZ_SEED: options.seed,
  },
});
process.exitCode = status ?? 1;
