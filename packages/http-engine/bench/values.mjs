// From a value to bytes in the socket: `@ambit/json-serializer` against `JSON.stringify`, both sent by the engine, for each shape of the
// serializer's benchmark:
//   node packages/http-engine/bench/values.mjs [--turns 15] [--only rows]
// Build first (`npm run build`); `wrk` must be installed. The figure is CPU time per response, the engine's own part included.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { attach } from '@ambit/http-engine';
import { compile } from '@ambit/json-serializer';
import { geometricMean, median, ratio } from '../../json-serializer/bench/measure.mjs';
import { shapes } from '../../json-serializer/bench/shapes.mjs';

const { values: options } = parseArgs({
  options: { turns: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
});
const sliceMs = 30;
const warmupSlices = 10;
const fields = { 'content-type': 'application/json; charset=utf-8' };

/** What requests are answered with now. */
let write = JSON.stringify;
let values = [null];
let responses = 0;

function serve(exchange) {
  exchange.respond(200, fields, write(values[responses++ % values.length]));
}

/** @returns Microseconds of CPU time per response. */
async function measureSlice(candidate, ownValues) {
  write = candidate;
  values = ownValues;
  const firstResponse = responses;
  const start = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, sliceMs));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / (responses - firstResponse);
}

async function measureShape({ name, schema, values: ownValues }) {
  const candidates = { ours: compile(schema), native: JSON.stringify };
  const names = Object.keys(candidates);
  const times = { ours: [], native: [] };
  for (let turn = -warmupSlices; turn < Number(options.turns); turn++) {
    for (const each of turn % 2 === 0 ? names : names.toReversed()) {
      const us = await measureSlice(candidates[each], ownValues);
      if (turn >= 0) times[each].push(us);
    }
  }
  const overNative = ratio(times, 'ours', 'native');
  console.log(
    name.padEnd(26),
    `${JSON.stringify(ownValues[0]).length} bytes`.padStart(14),
    `${median(times.ours).toFixed(2)} µs`.padStart(12),
    `  x${overNative.toFixed(2)} JSON.stringify`,
  );
  return overNative;
}

const server = createServer();
attach(server, serve);
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const client = spawn('wrk', ['-t1', '-c16', '-d1h', url], { stdio: 'ignore' });
// The first seconds of a server are its compiler's.
for (let slice = 0; slice < 50; slice++) await measureSlice(JSON.stringify, [null]);
const ratios = [];
for (const shape of shapes.filter(({ name }) => name.includes(options.only)))
  ratios.push(await measureShape(shape));
console.log(`Node ${process.versions.node}: geometric mean x${geometricMean(ratios).toFixed(2)}`);
client.kill();
server.close();
server.closeAllConnections();
