// Runs the steps of `test-steps.mjs` beside each other: `npm test`, and with a level, CI and `npm run nightly`.
//
//   npm test                           what every change must pass: a few minutes
//   npm test -- --level ci             all that CI runs, also with other versions of Node, plugins, proxies and browsers
//   npm run nightly                    what is too long for CI: goes on where it stopped; `-- --fresh` begins again
//   npm test -- --only types,lint      the named steps of any level, with what they need
//   npm test -- --list                 the names of all steps
//
// The output of the steps comes in their order, each in one piece. Two steps run at a time.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installWhenNeeded } from './install.mjs';
import { formatDuration } from './steps.mjs';
import { levels, listSteps } from './test-steps.mjs';

const cores = 2;
/** How often a line tells who waits that something still runs. */
const progressMs = 30_000;
const nightlyResults = '.cache/nightly.json';
const nightlyPage = 'docs/nightly.md';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values: options } = parseArgs({
  options: {
    level: { type: 'string', default: 'test' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
});
if (!levels.includes(options.level)) throw new Error(`--level must be one of ${levels.join(', ')}`);

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

/** The steps of the level, or those of `--only`, and what they need, in the order of the list. */
function selectSteps() {
  const all = listSteps();
  const byName = new Map(all.map((step) => [step.name, step]));
  const names = options.only?.split(',') ?? all.filter(isInLevel).map(({ name }) => name);
  const unknown = names.filter((name) => !byName.has(name));
  if (unknown.length > 0)
    throw new Error(`unknown step: ${unknown.join(', ')}; the steps are ${[...byName.keys()].join(', ')}`);
  const selected = new Set(names);
  // A set also iterates over what is added meanwhile.
  for (const name of selected) for (const needed of byName.get(name).needs) selected.add(needed);
  return all.filter(({ name }) => selected.has(name));
}

function isInLevel({ level }) {
  return level === options.level || (options.level === 'ci' && level === 'test');
}

/** The commit, or undefined if the files differ from it. */
function describeCommit() {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim();
  return git('status', '--porcelain') === '' ? git('rev-parse', '--short', 'HEAD') : undefined;
}

/** The results of an earlier nightly run of this commit. */
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

/** Runs steps as soon as what they need has passed and cores are free. Resolves to the result of each that ran. */
async function runSteps(steps, onResult) {
  const startedMs = performance.now();
  const results = new Map();
  const running = new Map();
  const waiting = [...steps];
  const output = new OrderedOutput(steps.map(({ name }) => name));
  const timer = setInterval(() => {
    const names = [...running.keys()].join(', ');
    const left = waiting.length;
    output.note(`... ${formatDuration(startedMs)}: ${names} running, ${left} waiting, ${results.size} done`);
  }, progressMs);

  const start = (step) => {
    const header = `\n=== [${steps.indexOf(step) + 1}/${steps.length}] ${step.title}\n`;
    output.write(step.name, header);
    const beganMs = performance.now();
    const end = (passed) => {
      running.delete(step.name);
      const result = { passed, seconds: Math.round((performance.now() - beganMs) / 1000) };
      results.set(step.name, result);
      output.write(
        step.name,
        `--- ${step.title}: ${passed ? 'ok' : 'FAILED'} in ${formatDuration(beganMs)}\n`,
      );
      output.end(step.name);
      onResult(step.name, result);
    };
    return runCommand(step, (text) => output.write(step.name, text)).then(end);
  };

  while (waiting.length > 0 || running.size > 0) {
    for (const step of waiting.filter(({ needs }) =>
      needs.some((name) => results.get(name)?.passed === false),
    )) {
      waiting.splice(waiting.indexOf(step), 1);
      results.set(step.name, { passed: false });
      output.write(step.name, `\n=== ${step.title}: not run, because what it needs failed\n`);
      output.end(step.name);
    }
    const isReady = ({ needs }) =>
      needs.every((name) => results.has(name) || !steps.some((s) => s.name === name));
    const next = waiting.find(isReady);
    const used = [...running.values()].reduce((sum, { step }) => sum + step.cores, 0);
    if (next !== undefined && used + next.cores <= cores) {
      waiting.splice(waiting.indexOf(next), 1);
      running.set(next.name, { step: next, done: start(next) });
    } else await Promise.race([...running.values()].map(({ done }) => done));
  }
  clearInterval(timer);
  return results;
}

/** Runs the command of a step in a shell. Resolves to whether it passed. */
function runCommand({ command, env }, onOutput) {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : undefined, ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      onOutput(`${error.message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** Prints what the first unfinished step writes at once, and what later steps write when it is their turn. */
class OrderedOutput {
  #names;
  #texts = new Map();
  #ended = new Set();

  constructor(names) {
    this.#names = names;
  }

  write(name, text) {
    if (name === this.#names[0]) process.stdout.write(text);
    else this.#texts.set(name, (this.#texts.get(name) ?? '') + text);
  }

  end(name) {
    this.#ended.add(name);
    while (this.#names.length > 0 && this.#ended.has(this.#names[0])) {
      this.#names.shift();
      const [next] = this.#names;
      process.stdout.write(this.#texts.get(next) ?? '');
      this.#texts.delete(next);
    }
  }

  note(line) {
    process.stdout.write(`${line}\n`);
  }
}
