// Runs steps beside each other, as many as two cores can, each when what it needs has passed.
import { spawn } from 'node:child_process';
import { formatDuration } from './steps.mjs';

const cores = 2;
/** How often a line tells who waits that something still runs. */
const progressMs = 30_000;

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Runs steps as soon as what they need has passed and cores are free. Resolves to the result of each that ran. */
export async function runSteps(steps, onResult) {
  const startedMs = performance.now();
  const results = new Map();
  const running = new Map();
  const waiting = [...steps];
  const output = new OrderedOutput(steps.map(({ name }) => name));
  const timer = setInterval(() => {
    const names = [...running.keys()].map(({ name }) => name).join(', ');
    const left = waiting.length;
    console.log(`... ${formatDuration(startedMs)}: ${names} running, ${left} waiting, ${results.size} done`);
  }, progressMs);

  const end = ({ name }, result, line) => {
    results.set(name, result);
    output.write(name, line);
    output.end(name);
  };
  const start = async (step) => {
    output.write(step.name, `\n=== [${steps.indexOf(step) + 1}/${steps.length}] ${step.title}\n`);
    const beganMs = performance.now();
    const passed = await runCommand(step, (text) => output.write(step.name, text));
    running.delete(step);
    const result = { passed, seconds: Math.round((performance.now() - beganMs) / 1000) };
    const outcome = passed ? 'ok' : 'FAILED';
    end(step, result, `--- ${step.title}: ${outcome} in ${formatDuration(beganMs)}\n`);
    onResult(step.name, result);
  };

  while (waiting.length > 0) {
    const step = chooseNext(waiting, results, running);
    if (step === undefined) await Promise.race(running.values());
    else {
      waiting.splice(waiting.indexOf(step), 1);
      if (lacksNeed(step, results))
        end(step, { passed: false }, `\n=== ${step.title}: not run, because what it needs failed\n`);
      else running.set(step, start(step));
    }
  }
  await Promise.all(running.values());
  clearInterval(timer);
  return results;
}

/**
 * The next step to start, or one to skip because what it needs failed. Undefined if a step that runs must end first. What
 * a step needs and is not in this run counts as passed.
 */
function chooseNext(waiting, results, running) {
  const isOpen = (name) => [...waiting, ...running.keys()].some((step) => step.name === name);
  const used = [...running.keys()].reduce((sum, step) => sum + step.cores, 0);
  const isReady = ({ needs }) => !needs.some(isOpen);
  return waiting.find((step) => isReady(step) && (lacksNeed(step, results) || used + step.cores <= cores));
}

function lacksNeed(step, results) {
  return step?.needs.some((name) => results.get(name)?.passed === false);
}

/** Runs the command of a step in a shell. Resolves to whether it passed. One that takes longer than its limit is ended. */
function runCommand({ name, command, env, limitMinutes }, onOutput) {
  const child = spawn(command, {
    shell: true,
    // A process group of its own, so that what the command started ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      FORCE_COLOR: process.stdout.isTTY ? '1' : undefined,
      ...process.env,
      // The counts of its tests have its name.
      TEST_COUNTS_RUN: name,
      ...env,
    },
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // No process of the group is left.
      if (error.code !== 'ESRCH') throw error;
    }
  };
  process.once('exit', end);
  const timer = setTimeout(() => {
    onOutput(`\nended after ${limitMinutes} minutes, the limit of the step\n`);
    end();
    // A process that has left the group may still hold them.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }, limitMinutes * 60_000);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('exit', end);
      clearTimeout(timer);
      resolve(code === 0);
    });
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
    while (this.#ended.has(this.#names[0])) {
      this.#names.shift();
      process.stdout.write(this.#texts.get(this.#names[0]) ?? '');
    }
  }
}
