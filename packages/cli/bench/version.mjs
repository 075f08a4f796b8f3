// Measures how long `ambit --version` takes, in turns with an empty program: node packages/cli/bench/version.mjs [node]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const rounds = 21;
const node = process.argv[2] ?? process.execPath;
const bin = fileURLToPath(new URL('../bin/ambit.mjs', import.meta.url));
const programs = { 'an empty program': ['--eval', ''], 'ambit --version': [bin, '--version'] };

function measure(args) {
  const startedMs = performance.now();
  const { status } = spawnSync(node, args);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - startedMs;
}

const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let i = 0; i < rounds; i++)
  for (const [name, args] of Object.entries(programs)) times[name].push(measure(args));
for (const [name, measured] of Object.entries(times)) {
  const sorted = measured.sort((a, b) => a - b);
  console.log(`${name}: median ${sorted[rounds >> 1].toFixed(1)} ms, minimum ${sorted[0].toFixed(1)} ms`);
}
