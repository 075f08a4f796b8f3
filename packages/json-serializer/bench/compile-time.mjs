// Compares this package with fast-json-stringify in turns: the time to compile a schema, and to compile it and write one value.
//   node packages/json-serializer/bench/compile-time.mjs [--turns 40] [--json]
// Each compilation gets its own schema (with a new property name), so that the engine cannot reuse code that it has already compiled.
import { parseArgs } from 'node:util';
import buildPeer from 'fast-json-stringify';
import { compile } from '../dist/index.cjs';
import { geometricMean, median } from './measure.mjs';
import { shapes } from './shapes.mjs';

const { values: options } = parseArgs({
  options: { turns: { type: 'string', default: '40' }, json: { type: 'boolean', default: false } },
});
let counter = 0;

/** Nanoseconds for one compilation of a schema. If there is a value, it is also written. */
function time(build, shape, value) {
  const fresh = { type: 'object', properties: { [`unique${counter++}`]: shape } };
  const start = process.hrtime.bigint();
  const write = build(fresh);
  if (value !== undefined) write({ [`unique${counter - 1}`]: value });
  return Number(process.hrtime.bigint() - start);
}

function compare({ schema, values }, isWriting) {
  const [value] = isWriting ? values : [];
  for (let warm = 0; warm < 20; warm++) for (const build of [compile, buildPeer]) time(build, schema, value);
  const ratios = [];
  for (let turn = 0; turn < Number(options.turns); turn++) {
    const ours = time(compile, schema, value);
    ratios.push(ours / time(buildPeer, schema, value));
  }
  return median(ratios);
}

const results = shapes.map((shape) => {
  const result = { name: shape.name, compile: compare(shape, false), compileAndWrite: compare(shape, true) };
  if (!options.json) {
    const figures = [result.compile, result.compileAndWrite].map((ratio) => ratio.toFixed(2));
    console.log(
      shape.name.padEnd(26),
      `compile ${figures[0]}, compile and write once ${figures[1]} of fast-json-stringify`,
    );
  }
  return result;
});
const compileMean = geometricMean(results.map((result) => result.compile));
const writeMean = geometricMean(results.map((result) => result.compileAndWrite));
if (options.json) console.log(JSON.stringify({ compileMean, writeMean, results }));
else {
  console.log(
    `Node ${process.versions.node}: compile ${compileMean.toFixed(2)}, compile and write once ${writeMean.toFixed(2)} of fast-json-stringify`,
  );
}
