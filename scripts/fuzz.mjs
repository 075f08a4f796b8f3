// `npm run fuzz`: runs every fuzz target with random inputs of a seed, and prints a line for each target: inputs, time,
// result. The smallest input that fails is written to the corpus (packages/ambit/test/corpus), which `npm test` repeats.
//   npm run fuzz [-- --seconds 3600] [--inputs 1000000] [--targets urls,json] [--seed 20260101]
// `--seconds` is the time for all targets together; `--inputs` is the number of inputs of each target, without a time
// limit. `--properties` also runs all other property tests with the seed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './steps.mjs';

const fuzz = 'packages/ambit/test/fuzz';
const spellings = 'packages/ambit/test/spellings.property.test.ts';
const targets = {
  wire: 'packages/http-engine/test/fuzz.test.ts',
  urls: `${fuzz}/wire.test.ts`,
  'request-headers': `${fuzz}/wire.test.ts`,
  'response-headers': `${fuzz}/wire.test.ts`,
  guards: spellings,
  'media-types-past-schemas': spellings,
  queries: `${fuzz}/parsing.test.ts`,
  'media-types': `${fuzz}/parsing.test.ts`,
  json: `${fuzz}/parsing.test.ts`,
  forms: `${fuzz}/forms.test.ts`,
  validators: `${fuzz}/schemas.test.ts`,
  serializers: `${fuzz}/schemas.test.ts`,
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
process.exitCode = status === 0 ? 0 : 1;
for (const name of names) {
  const reports = lines.filter(({ target }) => target === name);
  const sum = (key) => reports.reduce((all, line) => all + line[key], 0);
  const failed = reports.filter((each) => each.failed).length;
  const result = reports.length === 0 ? 'not finished' : failed > 0 ? `${failed} FAILED` : 'ok';
  if (result !== 'ok') process.exitCode = 1;
  const grown = (sum('grownBytes') / 1_048_576).toFixed(1);
  const inputs = sum('inputs').toLocaleString('en');
  console.log(`${name}: ${inputs} inputs in ${sum('seconds').toFixed(0)} s, heap ${grown} MiB, ${result}`);
}

/** Tests of which `npm test` tries a share of the inputs. */
function listPropertyTests() {
  const isProperty = /from 'fast-check'|support\/pieces\.ts|support\/pair-of-file\.ts/;
  return readdirSync(`${root}packages`, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `packages/${name}`)
    .filter((file) => isProperty.test(readFileSync(`${root}${file}`, 'utf8')));
}

if (options.properties) {
  const properties = { FUZZ_INPUTS: '100000', PROPERTY_SHARE: '1' };
  if (runVitest(listPropertyTests(), properties) !== 0) process.exitCode = 1;
}
