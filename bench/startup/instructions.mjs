/**
 * Counts the instructions that the import of a framework adds to a process that has loaded `node:http`. Unlike times, they
 * are nearly the same on a machine that is busy. Needs valgrind.
 *
 * `node bench/startup/instructions.mjs [--node <executable>] <folder of a package>…`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const rounds = 3;

/** The number of instructions of a program. It is the minimum of some runs, because the background work of Node varies a little. */
function count(/** @type {string} */ executable, /** @type {string} */ program) {
  const folder = mkdtempSync(join(tmpdir(), 'instructions-'));
  const log = join(folder, 'log');
  const flags = ['--tool=callgrind', '--smc-check=all-non-file', '--callgrind-out-file=/dev/null'];
  const args = [
    ...flags,
    `--log-file=${log}`,
    executable,
    '--single-threaded',
    '--hash-seed=1',
    '-e',
    program,
  ];
  try {
    const counts = Array.from({ length: rounds }, () => {
      execFileSync('valgrind', args);
      return Number(/Collected : (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    });
    return Math.min(...counts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { values, positionals } = parseArgs({
  options: { node: { type: 'string', default: process.execPath } },
  allowPositionals: true,
});
const baseProgram = "require('node:http');";
const baseCount = count(values.node, baseProgram);
for (const folder of positionals) {
  const all = count(values.node, `${baseProgram} require(${JSON.stringify(resolve(folder))});`);
  process.stdout.write(`${folder}: ${((all - baseCount) / 1e6).toFixed(1)} million instructions\n`);
}
