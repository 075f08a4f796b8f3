// Runs the steps of `test-steps.mjs` beside each other: `npm test`, and with a level, CI and `npm run nightly`.
//
//   npm test                           what every change must pass: a few minutes
//   npm test -- --level ci             all that CI runs, also with other versions of Node, plugins, proxies and browsers
//   npm run nightly                    what is too long for CI: goes on where it stopped; `-- --fresh` begins again
//   npm test -- --only types,lint      the named steps of any level, with what they need
//   npm test -- --list                 the names of all steps
//
// What a step prints comes in one piece, when it has ended. Two steps run at a time, or more if they mostly wait.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installWhenNeeded } from './install.mjs';
import { runSteps } from './run-steps.mjs';
import { formatDuration, root } from './steps.mjs';
import { levels, listSteps } from './test-steps.mjs';

const nightlyResults = '.cache/nightly.json';
const nightlyPage = 'docs/nightly.md';

process.chdir(root);
const { values: options } = parseArgs({
  options: {
    level: { type: 'string', default: 'test' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
});
if (!levels.includes(options.level)) {
  console.error(`--level must be one of ${levels.join(', ')}`);
  process.exit(2);
}

const isNightly = options.level === 'nightly' && options.only === undefined;
if (options.list)
  for (const { name, level, title } of listSteps()) console.log(`${name} (${level}): ${title}`);
else {
  const startedMs = performance.now();
  installWhenNeeded();
  const commit = describeCommit();
  const earlier = isNightly && !options.fresh ? readEarlier(commit) : {};
  const steps = selectSteps().filter(({ name }) => !earlier[name]?.passed);
  const results = await runSteps(steps, (name, result) => {
    if (!isNightly) return;
    earlier[name] = { ...result, commit, date: new Date().toISOString().slice(0, 10) };
    mkdirSync('.cache', { recursive: true });
    writeFileSync(nightlyResults, JSON.stringify(earlier, undefined, 2));
  });
  if (isNightly) writeNightlyPage(earlier);
  const failed = steps.filter(({ name }) => !results.get(name)?.passed);
  console.log(`\n=== ${failed.length === 0 ? 'all steps passed' : 'FAILED; to repeat one alone:'}`);
  for (const { name } of failed) console.log(`npm test -- --only ${name}`);
  console.log(`--- total ${formatDuration(startedMs)}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function selectSteps() {
  const all = listSteps();
  const byName = new Map(all.map((step) => [step.name, step]));
  const names = options.only?.split(',') ?? all.filter(isInLevel).map(({ name }) => name);
  const unknown = names.filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    console.error(`unknown step: ${unknown.join(', ')}; the steps are ${[...byName.keys()].join(', ')}`);
    process.exit(2);
  }
  const selected = new Set(names);
  // A set also iterates over what is added meanwhile.
  for (const name of selected) for (const needed of byName.get(name).needs) selected.add(needed);
  // How much the tests of a step try: the support of the tests reads it.
  const env = { TEST_LEVEL: options.level, PROPERTY_SHARE: options.level === 'test' ? '0.1' : '0.25' };
  return all.filter(({ name }) => selected.has(name)).map((step) => ({ ...step, env }));
}

function isInLevel({ level }) {
  return level === options.level || (options.level === 'ci' && level === 'test');
}

/** The commit, or undefined if the files differ from it. */
function describeCommit() {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim();
  return git('status', '--porcelain') === '' ? git('rev-parse', '--short', 'HEAD') : undefined;
}

function readEarlier(commit) {
  if (commit === undefined || !existsSync(nightlyResults)) return {};
  const results = JSON.parse(readFileSync(nightlyResults, 'utf8'));
  return Object.fromEntries(Object.entries(results).filter(([, result]) => result.commit === commit));
}

/** Writes into the table of the page when each step ran last, how long it took and whether it passed. */
function writeNightlyPage(results) {
  const rows = readFileSync(nightlyPage, 'utf8').split('\n');
  const update = (row) => {
    const [, name, holds] = /^\| `([\w-]+)` \| ([^|]*) \|/.exec(row) ?? [];
    const result = results[name];
    if (result === undefined) return row;
    const outcome = result.passed ? 'passed' : '**failed**';
    const minutes = Math.max(1, Math.round((result.seconds ?? 0) / 60));
    return `| \`${name}\` | ${holds} | ${result.date}, ${result.commit ?? 'changed files'} | ${outcome} | ${minutes} min |`;
  };
  writeFileSync(nightlyPage, rows.map(update).join('\n'));
}
