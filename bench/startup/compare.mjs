/**
 * Compares start-up of two or more folders of the repository: new processes of `worker.mjs` in turns, so that a busy machine
 * slows all of them. Prints the medians, and their ratio to the first folder. Each folder must have been built.
 *
 * `node bench/startup/compare.mjs [--node <executable>] [--rounds 15] [--case identical]… <folder>…`
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { orderOfTurn } from '../turns.mjs';
import { cases } from './cases.mjs';

const { values, positionals: folders } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '15' },
    case: { type: 'string', multiple: true, default: ['import', 'identical', 'routes-1000'] },
  },
  allowPositionals: true,
});

const env = { ...process.env, NODE_ENV: 'production' };

const bootOnce = (/** @type {string} */ folder, /** @type {string} */ name) =>
  JSON.parse(
    execFileSync(values.node, [resolve(folder, 'bench/startup/worker.mjs'), name, 'ambit'], {
      env,
      encoding: 'utf8',
    }),
  );

const median = (/** @type {number[]} */ numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

for (const name of values.case) {
  /** @type {any[][]} */
  const results = folders.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const i of orderOfTurn(folders.length, round)) results[i].push(bootOnce(folders[i], name));
  }
  for (const measure of cases[name].measures) {
    const medians = results.map((samples) => median(samples.map((sample) => sample[measure])));
    const figures = medians.map((figure) => `${figure.toFixed(1)} (${(figure / medians[0]).toFixed(3)})`);
    process.stdout.write(`${name} ${measure}: ${figures.join('  ')}\n`);
  }
}
