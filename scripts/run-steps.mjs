// Runs steps beside each other, as many as two cores can, each when what it needs has passed. What a step prints comes in one
// piece, when it has ended.
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
  const timer = setInterval(() => {
    const names = [...running.keys()].map(({ name }) => name).join(', ');
    const left = waiting.length;
    console.log(`... ${formatDuration(startedMs)}: ${names} running, ${left} waiting, ${results.size} done`);
  }, progressMs);

  const start = async (step) => {
    const beganMs = performance.now();
    const { passed, output } = await runCommand(step);
    running.delete(step);
    const result = { passed, seconds: Math.round((performance.now() - beganMs) / 1000) };
    results.set(step.name, result);
    const outcome = `${passed ? 'ok' : 'FAILED'} in ${formatDuration(beganMs)}`;
    const header = `=== [${results.size}/${steps.length}] ${step.title}`;
    console.log(`\n${header}\n${output.trimEnd()}\n--- ${step.title}: ${outcome}`);
    onResult(step.name, result);
  };

  while (waiting.length > 0) {
    const step = chooseNext(waiting, results, running);
    if (step === undefined) await Promise.race(running.values());
    else {
      waiting.splice(waiting.indexOf(step), 1);
      if (lacksNeed(step, results)) {
        results.set(step.name, { passed: false });
        console.log(`\n=== ${step.title}: not run, because what it needs failed`);
      } else running.set(step, start(step));
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

/** Runs the command of a step in a shell. One that takes longer than its limit is ended. */
function runCommand({ name, command, env, limitMinutes }) {
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
  let output = '';
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // No process of the group is left.
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const stop = () => {
    end();
    process.stdout.write(output);
  };
  process.once('exit', stop);
  const streams = [child.stdout, child.stderr];
  const timer = setTimeout(() => {
    output += `\nended after ${limitMinutes} minutes, the limit of the step\n`;
    end();
    // A process that has left the group may still hold them.
    for (const stream of streams) stream.destroy();
  }, limitMinutes * 60_000);
  for (const stream of streams) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('exit', stop);
      clearTimeout(timer);
      resolve({ passed: code === 0, output });
    });
  });
}
