// The strategies of src/engine.ts on one engine: which of them is fastest for each shape, in turns in one process, and in a new
// process for each round.
//   node packages/json-serializer/bench/strategies.mjs [--rounds 5] [--turns 30] [--only rows] [--strategy 'Node 26'] [--strategy 'Node 26,nativeFields=5']
// For other engines run the script with their binary. Without `--strategy`, it measures that of each engine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';
import { geometricMean, measureInTurns, median, ratio } from './measure.mjs';
import { shapes } from './shapes.mjs';

/** The engine whose strategy it is, by the name in the report. */
const engines = { 'Node 24': '13.6', 'Node 26': '14.6', JavaScriptCore: 'JavaScriptCore' };

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    strategy: { type: 'string', multiple: true, default: Object.keys(engines) },
    once: { type: 'boolean', default: false },
  },
});

/** The strategy of an engine, with other thresholds: `Node 26,nativeFields=5`. */
function makeStrategy(name, pickStrategy) {
  const [engine, ...changes] = name.split(',');
  const changed = changes.map((change) => change.split('=')).map(([key, value]) => [key, Number(value)]);
  return { ...pickStrategy(engines[engine]), ...Object.fromEntries(changed) };
}

async function measureAll() {
  const { makeWriter, pickStrategy, readShape, runtimeFor } = await importSource([
    "export { makeWriter } from 'compile.ts';",
    "export { pickStrategy } from 'engine.ts';",
    "export { runtimeFor } from 'runtime/runtime.ts';",
    "export { readShape } from 'shape/read-shape.ts';",
  ]);
  const measure = ({ schema, values }) => {
    const { shape } = readShape(schema, {});
    const writers = options.strategy.map((name) => [
      name,
      makeWriter(shape, makeStrategy(name, pickStrategy), runtimeFor('trunc'), true),
    ]);
    const candidates = { ...Object.fromEntries(writers), 'JSON.stringify': JSON.stringify };
    for (const value of values)
      for (const write of Object.values(candidates))
        assert.equal(write(value), candidates[options.strategy[0]](value));
    const times = measureInTurns(candidates, values, Number(options.turns));
    return Object.fromEntries(options.strategy.map((name) => [name, ratio(times, 'JSON.stringify', name)]));
  };
  return Object.fromEntries(
    shapes.filter(({ name }) => name.includes(options.only)).map((shape) => [shape.name, measure(shape)]),
  );
}

function measureInNewProcess() {
  const strategies = options.strategy.flatMap((name) => ['--strategy', name]);
  const args = [process.argv[1], '--once', '--turns', options.turns, '--only', options.only, ...strategies];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const show = (figures) =>
  `${median(figures).toFixed(2)} (${Math.min(...figures).toFixed(2)}–${Math.max(...figures).toFixed(2)})`.padStart(
    20,
  );

if (options.once) console.log(JSON.stringify(await measureAll()));
else {
  const rounds = Array.from({ length: Number(options.rounds) }, measureInNewProcess);
  console.log(
    'Time of each strategy, divided by that of JSON.stringify: median of the rounds, smallest and greatest',
  );
  console.log('shape'.padEnd(26), ...options.strategy.map((name) => name.slice(0, 20).padStart(20)));
  const shapeNames = Object.keys(rounds[0]);
  for (const shape of shapeNames)
    console.log(
      shape.padEnd(26),
      ...options.strategy.map((name) => show(rounds.map((round) => round[shape][name]))),
    );
  const means = options.strategy.map((name) =>
    show(rounds.map((round) => geometricMean(shapeNames.map((shape) => round[shape][name])))),
  );
  console.log('geometric mean'.padEnd(26), ...means);
}
