// The command line of the benchmark: its options, their defaults, and the errors for anything else. README.md explains them.
import { parseArgs } from 'node:util';
import { nodeMajors, otherRuntimes } from './machine.mjs';
import { peers } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

const sections = ['requests', 'latency', 'startup', 'types'];

/** The length of a run by default; `warm-up` and `slice` are seconds. `fresh-rounds` applies to start-up and types. */
const counts = { processes: 1, rounds: 2, 'warm-up': 3, slice: 2, 'fresh-rounds': 2 };

/** @param {string[]} args */
export function readOptions(args) {
  const names = ['node', 'peers', 'scenarios', 'sections', ...Object.keys(counts)];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ args, options });
  const readCount = (/** @type {string} */ name) => {
    const number = Number(values[name] ?? counts[name]);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw new Error(`--${name} takes an integer above 0, received '${values[name]}'`);
  };
  const readNames = (/** @type {string} */ name, /** @type {string[]} */ known) => {
    const list = values[name]?.split(',');
    const wrong = list?.find((each) => !known.includes(each));
    if (wrong === undefined) return list;
    throw new Error(`--${name} knows ${known.join(', ')}; received '${wrong}'`);
  };
  const chosenPeers = readNames('peers', Object.keys(peers));
  // The others are compared with the first one.
  if (chosenPeers?.length < 2) throw new Error(`--peers takes two or more names, received '${values.peers}'`);
  const chosenScenarios = readNames('scenarios', Object.keys(scenarios));
  const isAboutRequests = (chosenPeers ?? chosenScenarios) !== undefined;
  return {
    processes: readCount('processes'),
    rounds: readCount('rounds'),
    warmUpSeconds: readCount('warm-up'),
    sliceSeconds: readCount('slice'),
    freshRounds: readCount('fresh-rounds'),
    nodes: values.node?.split(',').map(Number) ?? nodeMajors,
    peers: chosenPeers ?? Object.keys(peers).filter(runsHere),
    scenarios: chosenScenarios ?? Object.keys(scenarios),
    sections: readNames('sections', sections) ?? (isAboutRequests ? ['requests'] : sections),
  };
}

const runsHere = (/** @type {string} */ peer) =>
  peers[peer].runtime === undefined || otherRuntimes[peers[peer].runtime] !== undefined;
