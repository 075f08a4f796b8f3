// Restarts three replicas one after the other under a constant load of GETs and POSTs over keep-alive connections, and
// counts the lost requests: behind HAProxy and nginx, as workers of `node:cluster`, and without a proxy. The frameworks
// run at the same time under the same load, and are restarted at the same times, as docs/reliability.md tells.
// Build first. On Debian, missing proxies are installed.
//   node scripts/rolling-restarts.mjs [--restarts 100] [--delay 1500] [--scenes haproxy,nginx,cluster,direct]
//     [--frameworks ambit,fastify]
// It takes 20 to 25 minutes on a quiet machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installPackages } from './debian.mjs';
import { startProxy } from './load/proxies.mjs';
import { startProcesses, startWorkers } from './load/replicas.mjs';
import { countWrong, send, startTraffic } from './load/traffic.mjs';

/**
 * How the replicas are deployed, the requests a second, and the configuration of the proxy. Without a proxy, connections are
 * idle most of the time: a client uses each of its three connections about every 0.3 seconds.
 */
const scenes = {
  haproxy: {
    start: startProcesses,
    rate: 600,
    servers: (ports) => [
      'option httpchk GET /ready',
      ...ports.map((port, i) => `server replica${i} 127.0.0.1:${port} check inter 100ms fall 1 rise 1`),
    ],
    settings: 'timeout check 2s\n  retries 3\n  option redispatch 1',
  },
  nginx: {
    start: startProcesses,
    rate: 600,
    // Replicas are available again on the same ports within seconds, so nginx must not mark them as unavailable.
    servers: (ports) => [...ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`), 'keepalive 32;'],
  },
  cluster: { start: startWorkers, rate: 600 },
  direct: { start: startProcesses, rate: 200 },
};
/** The number of clients. Each keeps one connection to each port. */
const clientCount = 20;
/** A request without a response after this time is lost. */
const timeoutMs = 5_000;
/** The pause between two restarts, in which a proxy notices that the replica is available again. */
const settleMs = 300;
/** No restart begins later in a scene. */
const longestMs = 600_000;

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    scenes: { type: 'string', default: Object.keys(scenes).join() },
    // How long an old replica of Ambit serves requests as before after SIGTERM, in milliseconds.
    delay: { type: 'string', default: '1500' },
    frameworks: { type: 'string', default: 'ambit,fastify' },
  },
});
const frameworks = values.frameworks.split(',');

function createActions(ports) {
  const agents = Array.from({ length: clientCount }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const body = JSON.stringify({ note: 'kept' });
  const ask = async (number, options, expected) => {
    const agent = agents[number % clientCount];
    const first = Math.floor(number / clientCount);
    // If a connection is refused, no request was sent, and the client tries the next port.
    for (let i = 0; ; i++)
      try {
        const response = await send(
          { agent, port: ports[(first + i) % ports.length] },
          { ...options, timeoutMs },
        );
        const received = await text(response);
        if (response.statusCode !== 200 || received !== expected)
          throw new Error(`status ${response.statusCode}`);
        return;
      } catch (error) {
        if (error.code !== 'ECONNREFUSED' || i >= ports.length) throw error;
      }
  };
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return [
    { name: 'GET', weight: 1, run: (number) => ask(number, {}, 'read') },
    { name: 'POST', weight: 1, run: (number) => ask(number, post, body) },
  ];
}

async function startFleet(name, framework, folder) {
  const { start, rate, servers, settings } = scenes[name];
  const { ports, restart, kill } = await start(framework, values.delay);
  const proxy = servers && (await startProxy(name, folder, servers(ports), settings));
  const load = startTraffic({
    createActions: () => createActions(proxy === undefined ? ports : [proxy.port]),
    rate,
    seed: 1,
  });
  return {
    restart,
    async stop() {
      await load.pause();
      await proxy?.stop();
      kill();
      return { sent: load.state.started, lost: countWrong(load.state), reasons: load.state.wrong };
    },
  };
}

async function run(name, folder) {
  const fleets = [];
  for (const framework of frameworks) fleets.push(await startFleet(name, framework, folder));
  const startedMs = performance.now();
  const endMs = startedMs + longestMs;
  let restarts = 0;
  await wait(settleMs);
  while (restarts < Number(values.restarts) && performance.now() < endMs) {
    const number = restarts++;
    await Promise.all(fleets.map((fleet) => fleet.restart(number)));
    await wait(settleMs);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const results = await Promise.all(fleets.map((fleet) => fleet.stop()));
  for (const [i, { sent, lost, reasons }] of results.entries()) {
    const what = `${name}, ${frameworks[i]}: ${restarts} restarts in ${seconds} s`;
    console.log(
      `${what}, lost ${lost} of ${sent.toLocaleString('en')}`,
      lost === 0 ? '' : JSON.stringify(reasons),
    );
    if (frameworks[i] === 'ambit' && lost > 0) process.exitCode = 1;
  }
}

// With `process.exit`, the `exit` listeners end the child processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const names = values.scenes.split(',');
const packages = names.filter((name) => scenes[name].servers !== undefined);
if (packages.length > 0 && !installPackages(packages))
  throw new Error(`install ${packages.join(', ')} and run again`);
const folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
try {
  for (const name of names) await run(name, folder);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
