/**
 * The sections about requests: their cost at full load, and their latency at a steady rate. In each scenario, every server starts and
 * warms up; then the servers are measured in turns, slice by slice.
 */
import { findNode } from './machine.mjs';
import { comparedWith, latencyScenarios, peers, peersOfLatency, peersOnOtherNodes } from './peers.mjs';
import { scenarios, writeRequest } from './scenarios.mjs';
import { startPeer } from './server-process.mjs';
import { measureInTurns, median, quantile } from './statistics.mjs';
import { loadAtRate } from './steady-load.mjs';
import { loadWithWrk } from './wrk.mjs';

const cost = 'CPU µs';
const latency = 'p99 ms';

/** @param {ReturnType<typeof import('./options.mjs').readOptions>} options */
export async function measureRequests(options, show) {
  const sections = [];
  for (const [i, major] of options.nodes.entries()) {
    const measured = options.peers.filter((peer) => i === 0 || peersOnOtherNodes.includes(peer));
    if (measured.length < 2) break;
    const node = findNode(major);
    const results = [];
    for (const name of options.scenarios) {
      const { title, peers: only = measured } = scenarios[name];
      const names = measured.filter((peer) => only.includes(peer));
      show(`${name} on Node ${node.version}`);
      results.push({ what: title, subjects: await measureScenario(name, names, node, options, measureCost) });
    }
    const note =
      'CPU time of the server per request, at full load. `ratio`: that of Ambit, divided by that of this one.';
    sections.push({ title: `Requests, Node ${node.version}`, cost, note, results });
  }
  return sections;
}

/** At half of Fastify's highest rate, which a slice of its own measures first. */
export async function measureLatency(options, show) {
  const names = options.peers.filter((peer) => peersOfLatency.includes(peer));
  const node = findNode(options.nodes[0]);
  const results = [];
  for (const name of latencyScenarios) {
    const { title, load } = scenarios[name];
    show(`latency of ${name} on Node ${node.version}`);
    const onlyOnce = { ...options, processes: 1, rounds: 1 };
    const [fastify] = await measureScenario(name, ['fastify'], node, onlyOnce, measureCost);
    const perSecond = median(fastify.figures['requests/s']) / 2;
    const measure = async ({ port }, _scenario, seconds) => {
      const { durationsMs } = await loadAtRate(port, writeRequest(load.request), perSecond, seconds, 64);
      const { 200: answered, ...others } = durationsMs;
      const wrong = Object.keys(others);
      if (wrong.length > 0) throw new Error(`responses with status ${wrong} (0 is none) at a steady rate`);
      return { [latency]: quantile(answered, 0.99) };
    };
    const subjects = await measureScenario(name, names, node, options, measure);
    results.push({ what: `${title}, ${Math.round(perSecond)} requests/s`, subjects });
  }
  const note = '99 % of the requests have at most this latency, at half of the highest rate of Fastify.';
  return [{ title: 'Latency at a steady rate', cost: latency, note, results }];
}

/** @returns {Promise<import('./report.mjs').Subject[]>} */
async function measureScenario(name, names, node, options, measure) {
  const scenario = scenarios[name];
  const { processes, rounds, warmUpSeconds, sliceSeconds } = options;
  const subjects = names.map((peer, i) => {
    const other = names.indexOf(comparedWith(peer, names));
    return { label: peers[peer].label, figures: {}, ratio: other === i ? undefined : [other, i] };
  });
  for (let process = 0; process < processes; process++) {
    const servers = [];
    for (const peer of names) servers.push(await startPeer(peer, name, node));
    await measureInTurns(subjects, 1, async (i) => {
      const first = await measureCost(servers[i], scenario, 1);
      if (warmUpSeconds > 1) await loadWithWrk(servers[i].port, scenario, warmUpSeconds - 1);
      return { 'first second': first[cost] };
    });
    await measureInTurns(subjects, rounds, (i) => measure(servers[i], scenario, sliceSeconds));
    for (const server of servers) await server.stop();
  }
  return subjects;
}

async function measureCost(server, scenario, seconds) {
  const before = await server.ask('cpu');
  const { requests, micros, p99Micros } = await loadWithWrk(server.port, scenario, seconds);
  const cpuMicros = (await server.ask('cpu')) - before;
  return {
    [cost]: cpuMicros / requests,
    'requests/s': (requests / micros) * 1e6,
    [latency]: p99Micros / 1000,
    'busy %': (cpuMicros / micros) * 100,
  };
}
