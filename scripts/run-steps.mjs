// Runs steps beside each other: two at a time, each when what it needs has passed.
import { spawn } from 'node:child_process';
import { formatDuration } from './steps.mjs';

const cores = 2;
/** How often a line tells who waits that something still runs. */
const progressMs = 30_000;

/** Runs steps as soon as what they need has passed and cores are free. Resolves to the result of each that ran. */
export async function runSteps(steps, onResult) {
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
