// The section about type checking: programs with the same routes, in turns, each time in a new process of the compiler.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onServerCore } from '../machine.mjs';
import { measureInTurns } from '../statistics.mjs';
import { isChained, subjects, writeProgram } from './programs.mjs';

const routeCounts = [200, 1_000];

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
// Inside bench/, where programs find the packages of the peers. They find Ambit (its build) and Fastify in the workspace.
const folder = fileURLToPath(new URL('../.cache/types/', import.meta.url));
const flags =
  '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2023 --types node --pretty false --singleThreaded --extendedDiagnostics';
const longestMs = 180_000;

const note = `The time that \`tsc\` needs, as it reports it, with one thread and \`skipLibCheck\`. "Chained" is \`app.post(…).post(…)\`, which typed
clients need. \`ratio\`: the check time of Ambit in the same style, divided by that of this one.`;

/** @param {{ freshRounds: number }} options */
export async function measureTypes({ freshRounds }, show) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "type": "module" }\n');
  const names = Object.keys(subjects);
  for (const name of names) await checkHasTypes(name);
  const results = [];
  for (const count of routeCounts) {
    const measured = names.map((name, i) => {
      const other = names.indexOf(isChained(name) ? 'ambit-chained' : 'ambit');
      return { label: subjects[name].label, figures: {}, ratio: other === i ? undefined : [other, i] };
    });
    await measureInTurns(measured, freshRounds, async (i, round) => {
      // Chains of 1,000 routes take a minute, so they are checked only once.
      if (round > 0 && count === 1_000 && isChained(names[i])) return {};
      show(`type checking, ${count} routes, ${measured[i].label}`);
      return readDiagnostics(await check(names[i], count));
    });
    results.push({ what: `${count} routes`, subjects: measured });
  }
  return [{ title: 'Type checking', cost: 'check s', note, results }];
}

/** @throws {Error} if a correct program has an error, or if the compiler does not report a mistake: types that are `any` are cheap. */
async function checkHasTypes(/** @type {string} */ name) {
  for (const isProbe of [false, true]) {
    const { failure } = readDiagnostics(await check(name, 2, isProbe));
    if (failure !== undefined)
      throw new Error(`${name}, ${isProbe ? 'with mistakes' : 'without mistakes'}: ${failure}`);
  }
}

/** @returns {Promise<string>} The output of the compiler; empty if it was stopped. */
async function check(/** @type {string} */ name, /** @type {number} */ count, isProbe = false) {
  const file = `${name}-${count}${isProbe ? '-probe' : ''}.ts`;
  writeFileSync(folder + file, writeProgram(name, count, isProbe));
  const [command, ...args] = onServerCore(process.execPath, compiler, ...flags.split(' '), file);
  // Runs in its own process group, because the compiler is a child of the script that starts it, and would continue without it.
  const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let isStopped = false;
  const timer = setTimeout(() => {
    isStopped = true;
    process.kill(-child.pid, 'SIGKILL');
  }, longestMs);
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) output += text;
  clearTimeout(timer);
  return isStopped ? '' : output;
}

/** The figures of `tsc --extendedDiagnostics`, or the first error of the program. */
function readDiagnostics(/** @type {string} */ output) {
  const failure =
    output === '' ? `nothing after ${longestMs / 1000} s` : /\berror (TS\d+: .*)/.exec(output)?.[1];
  if (failure !== undefined) return { failure };
  const read = (/** @type {string} */ name) => {
    const figure = new RegExp(`^${name}:\\s+([\\d.]+)(?:K|s)?\\s*$`, 'm').exec(output)?.[1];
    if (figure === undefined) throw new Error(`the compiler does not report '${name}':\n${output}`);
    return Number(figure);
  };
  return {
    'check s': read('Check time'),
    'total s': read('Total time'),
    instantiations: read('Instantiations'),
    MB: read('Memory used') / 1024,
  };
}
