// CPU time per request of node:http and of the engine, on the same Node, in turns:
//   node packages/http-engine/bench/run.mjs [--turns 3] [--slice 2] [--only get] [--nodes path,path] [--json]
// Build first (`npm run build`); `wrk` must be installed. CPU time, not throughput: other work on the machine disturbs it less.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { scenarios } from './heads.mjs';

const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '3' },
    slice: { type: 'string', default: '2' },
    warmup: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    ways: { type: 'string', default: 'node,engine,engine-raw' },
    nodes: { type: 'string', default: process.execPath },
    json: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'http-engine-bench-'));
const serverFile = fileURLToPath(new URL('server.mjs', import.meta.url));

async function start(execPath, way) {
  const child = fork(serverFile, [way], { execPath });
  const [{ port }] = await once(child, 'message');
  return { child, port, scheme: way.endsWith('-tls') ? 'https' : 'http' };
}

async function readFigures({ child }) {
  child.send('figures');
  const [figures] = await once(child, 'message');
  return figures;
}

/** Asks for some seconds; returns the microseconds of CPU time that each request took. */
async function load(server, script, seconds) {
  const before = await readFigures(server);
  const args = [
    '-t1',
    '-c64',
    `-d${seconds}s`,
    '-s',
    script,
    `${server.scheme}://127.0.0.1:${server.port}/notes?page=2`,
  ];
  const { stdout, error } = spawnSync('wrk', args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  // On a busy machine an answer may take long; it may not be missing.
  if (/Non-2xx|(?:connect|read|write) [1-9]/.test(stdout)) throw new Error(stdout);
  const after = await readFigures(server);
  return (after.cpuUs - before.cpuUs) / (after.requests - before.requests);
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[numbers.length >> 1];
}

async function measure(execPath, name) {
  const script = join(folder, `${name}.lua`);
  writeFileSync(script, scenarios[name].join('\n'));
  const ways = options.ways.split(',');
  const servers = await Promise.all(ways.map((way) => start(execPath, way)));
  const figures = ways.map(() => []);
  for (const server of servers) await load(server, script, options.warmup);
  for (let turn = 0; turn < Number(options.turns); turn++) {
    for (const [i, server] of servers.entries()) figures[i].push(await load(server, script, options.slice));
  }
  for (const { child } of servers) child.kill();
  return Object.fromEntries(ways.map((way, i) => [way, median(figures[i])]));
}

const results = [];
try {
  for (const execPath of options.nodes.split(',')) {
    const version = spawnSync(execPath, ['--version'], { encoding: 'utf8' }).stdout.trim();
    for (const name of Object.keys(scenarios).filter((each) => each.includes(options.only))) {
      const figures = await measure(execPath, name);
      results.push({ version, name, figures });
      if (options.json) continue;
      const first = Object.values(figures)[0];
      const columns = Object.entries(figures).map(
        ([way, us]) => `${way} ${us.toFixed(2)} µs (${(us / first).toFixed(2)})`,
      );
      console.log(version.padEnd(10), name.padEnd(10), columns.join('  '));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.json) console.log(JSON.stringify(results));
