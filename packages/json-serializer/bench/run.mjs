// Compares the speed of this package, JSON.stringify and fast-json-stringify for every shape, in the same run and in turns:
//   node packages/json-serializer/bench/run.mjs [--turns 60] [--only rows] [--json]
// Build first (`npm run build`). For other engines run the script with their binary.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import buildPeer from 'fast-json-stringify';
import { compile } from '../dist/index.cjs';
import { geometricMean, measureInTurns, median, ratio } from './measure.mjs';
import { shapes } from './shapes.mjs';

const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

/** Measures all three with one shape. First, they must write the same text for every value. */
function measureShape({ name, schema, values }) {
  const candidates = { ours: compile(schema), native: JSON.stringify, peer: buildPeer(schema) };
  for (const value of values) {
    for (const write of Object.values(candidates)) assert.equal(write(value), candidates.peer(value), name);
  }
  const times = measureInTurns(candidates, values, Number(options.turns));
  const overNative = ratio(times, 'ours', 'native');
  const overPeer = ratio(times, 'ours', 'peer');
  return { name, ns: median(times.ours), overNative, overPeer, overBetter: Math.min(overNative, overPeer) };
}

const results = [];
for (const shape of shapes.filter(({ name }) => name.includes(options.only))) {
  const result = measureShape(shape);
  results.push(result);
  if (options.json) continue;
  const { name, ns, overNative, overPeer, overBetter } = result;
  console.log(
    name.padEnd(26),
    `${ns.toFixed(0)} ns`.padStart(12),
    `  x${overNative.toFixed(2)} JSON.stringify`,
    `  x${overPeer.toFixed(2)} fast-json-stringify`,
    `  x${overBetter.toFixed(2)} the better${overBetter < 0.95 ? '   LOSES' : ''}`,
  );
}
const mean = geometricMean(results.map(({ overBetter }) => overBetter));
const engine = `Node ${process.versions.node}, V8 ${process.versions.v8}`;
if (options.json) console.log(JSON.stringify({ engine, mean, results }));
else console.log(`${engine}: geometric mean over the better of the two x${mean.toFixed(2)}`);
