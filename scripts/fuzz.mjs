// `npm run fuzz`: runs every fuzz target with random inputs of a seed, and prints a line for each target: inputs, time,
// result. The smallest input that fails is written to the corpus (packages/ambit/test/corpus), which `npm test` repeats.
//   npm run fuzz [-- --seconds 3600] [--inputs 1000000] [--targets urls,json] [--seed 20260101]
// `--seconds` is the time for all targets together; `--inputs` is the number of inputs of each target, without a time
// limit. `--properties` also runs all other property tests with the seed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The test file of each target. */
const targets = {
  wire: 'packages/http-engine/test/fuzz.test.ts',
  urls: 'packages/ambit/test/fuzz/wire.test.ts',
  'request-headers': 'packages/ambit/test/fuzz/wire.test.ts',
  'response-headers': 'packages/ambit/test/fuzz/wire.test.ts',
  guards: 'packages/ambit/test/spellings.property.test.ts',
  'media-types-past-schemas': 'packages/ambit/test/spellings.property.test.ts',
  queries: 'packages/ambit/test/fuzz/parsing.test.ts',
  'media-types': 'packages/ambit/test/fuzz/parsing.test.ts',
  json: 'packages/ambit/test/fuzz/parsing.test.ts',
  forms: 'packages/ambit/test/fuzz/forms.test.ts',
  validators: 'packages/ambit/test/fuzz/schemas.test.ts',
  serializers: 'packages/ambit/test/fuzz/schemas.test.ts',
  registrations: 'packages/ambit/test/encapsulation.property.test.ts',
};
/** Test files that run at the same time: `maxWorkers` of vitest.config.ts. */
const workers = Number(process.env.TEST_WORKERS ?? 2);

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    inputs: { type: 'string' },
    properties: { type: 'boolean', default: false },
    targets: { type: 'string', default: Object.keys(targets).join() },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
  },
});
const names = options.targets.split(',');
const unknown = names.filter((name) => !Object.hasOwn(targets, name));
if (unknown.length > 0)
  throw new Error(`unknown target: ${unknown}; the targets are ${Object.keys(targets)}`);

const files = [...new Set(names.map((name) => targets[name]))];
const secondsEach = (Number(options.seconds) * Math.min(workers, files.length)) / names.length;
const limits =
  options.inputs === undefined ? { FUZZ_SECONDS: String(secondsEach) } : { FUZZ_COUNT: options.inputs };
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const report = join(folder, 'report.jsonl');
writeFileSync(report, '');
console.log(`fuzz: seed ${options.seed}, ${names.length} targets, ${JSON.stringify(limits)}`);
const status = runVitest(files, { ...limits, FUZZ_REPORT: report, FUZZ_TARGETS: names.join() });

/** Runs test files with environment variables. Returns the exit code. */
function runVitest(testFiles, variables) {
  const program = `${root}node_modules/vitest/vitest.mjs`;
  const env = { ...process.env, ...variables, FUZZ_SEED: options.seed };
  const args = [program, 'run', '--reporter=dot', ...testFiles];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status;
}

const lines = readFileSync(report, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });
let sum = 0;
let hasFailed = false;
for (const name of names) {
  const reports = lines.filter(({ target }) => target === name);
  const total = (key) => reports.reduce((all, line) => all + line[key], 0);
  const failed = reports.filter(({ failed }) => failed).length;
  const result = reports.length === 0 ? 'not finished' : failed > 0 ? `${failed} FAILED` : 'ok';
  sum += total('inputs');
  hasFailed ||= result !== 'ok';
  const heapGrowth = (total('grownBytes') / 1_048_576).toFixed(1);
  console.log(
    `${name.padEnd(26)}${total('inputs').toLocaleString('en').padStart(14)} inputs ${total('seconds').toFixed(0).padStart(6)} s  heap ${heapGrowth.padStart(6)} MiB  ${result}`,
  );
}
console.log(`${'total'.padEnd(26)}${sum.toLocaleString('en').padStart(14)} inputs`);
process.exitCode = status !== 0 || hasFailed ? 1 : 0;

/** Tests of which `npm test` tries a share of the inputs. */
function listPropertyTests() {
  return readdirSync(`${root}packages`, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `packages/${name}`)
    .filter((file) =>
      readFileSync(`${root}${file}`, 'utf8').match(
        /from 'fast-check'|support\/pieces\.ts|support\/pair-of-file\.ts/,
      ),
    );
}

if (
  options.properties &&
  runVitest(listPropertyTests(), { FUZZ_INPUTS: '100000', PROPERTY_SHARE: '1' }) !== 0
)
  process.exitCode = 1;
