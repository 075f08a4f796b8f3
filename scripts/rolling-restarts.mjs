// Restarts three replicas one after the other under a constant load of GETs and POSTs over keep-alive connections, and
// counts the lost requests: behind HAProxy and nginx, as workers of `node:cluster`, and without a proxy. The frameworks
// run at the same time under the same load, and are restarted at the same times. Prints the table of docs/reliability.md.
// Build first. On Debian, missing proxies and wrk are installed.
//   node scripts/rolling-restarts.mjs [--restarts 100] [--seconds 600] [--delay 1500] [--scenes haproxy,nginx,cluster,direct]
//     [--frameworks ambit,fastify]
// It takes 20 to 25 minutes on a quiet machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installPackages } from './debian.mjs';
import { scenes, startFleet } from './rolling/fleet.mjs';

/** The pause between two restarts, in which a proxy notices that the replica is available again. */
const settleMs = 300;

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    // For each scene.
    seconds: { type: 'string', default: '600' },
    scenes: { type: 'string', default: Object.keys(scenes).join() },
    // How long an old replica of Ambit serves requests as before after SIGTERM, in milliseconds.
    delay: { type: 'string', default: '1500' },
    frameworks: { type: 'string', default: 'ambit,fastify' },
  },
});
const frameworks = values.frameworks.split(',');

/** Restarts the replicas until the number of restarts is reached, or the time is over. */
async function run(name, folder) {
  const fleets = [];
  for (const framework of frameworks)
    fleets.push(await startFleet(name, framework, folder, Number(values.delay)));
  const startedMs = performance.now();
  const endMs = startedMs + Number(values.seconds) * 1_000;
  let restarts = 0;
  await wait(settleMs);
  while (restarts < Number(values.restarts) && performance.now() < endMs) {
    const number = restarts++;
    await Promise.all(fleets.map((fleet) => fleet.restart(number)));
    await wait(settleMs);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const results = await Promise.all(fleets.map((fleet) => fleet.stop()));
  for (const [i, { clients, wrk }] of results.entries()) {
    const framework = frameworks[i];
    report(name, framework, { restarts, seconds, clients, wrk });
    if (framework === 'ambit' && clients.lost + (wrk?.lost ?? 0) > 0) process.exitCode = 1;
  }
  return { name, restarts, results };
}

function report(name, framework, { restarts, seconds, clients, wrk }) {
  const wrkResult = wrk === undefined ? '' : `, ${wrk.lost} of ${wrk.sent} of wrk`;
  const reasons = clients.lost === 0 ? '' : JSON.stringify(clients.reasons);
  console.log(
    `${name}, ${framework}: ${restarts} restarts in ${seconds} s, lost ${clients.lost} of ${clients.sent}${wrkResult}`,
    reasons,
  );
}

const titles = { ambit: 'Ambit', fastify: 'Fastify 5' };

function writeTable(rows) {
  const columns = frameworks.flatMap((each) => [`${titles[each]}: lost`, 'of', 'lost of wrk', 'of']);
  const lines = rows.map(({ name, restarts, results }) => [
    scenes[name].title,
    restarts,
    ...results.flatMap(({ clients, wrk }) => [clients.lost, clients.sent, wrk?.lost ?? '', wrk?.sent ?? '']),
  ]);
  const text = (cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell);
  const write = (cells) => `| ${cells.map(text).join(' | ')} |`;
  const rule = ['---', ...[...columns, ''].map(() => '---:')];
  return [['', 'restarts', ...columns], rule, ...lines].map(write).join('\n');
}

// With `process.exit`, the `exit` listeners end the child processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const names = values.scenes.split(',');
const packages = names.flatMap((name) => [
  ...(scenes[name].isProxied ? [name] : []),
  ...(scenes[name].hasWrk ? ['wrk'] : []),
]);
if (packages.length > 0 && !installPackages([...new Set(packages)]))
  throw new Error(`install ${packages.join(', ')} and run again`);
const folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
try {
  const rows = [];
  for (const name of names) rows.push(await run(name, folder));
  console.log(`\n${writeTable(rows)}`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
