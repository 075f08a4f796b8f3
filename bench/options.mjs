// The command line of the benchmark: its options, their defaults, and the errors for anything else.
import { parseArgs } from 'node:util';
import { nodeMajors, otherRuntimes } from './machine.mjs';
import { peers } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

const sections = ['requests', 'latency', 'startup', 'types'];

/** The length of a run by default; `warm-up` and `slice` are seconds. `fresh-rounds` applies to start-up and types. */
const counts = { processes: 1, rounds: 2, 'warm-up': 3, slice: 2, 'fresh-rounds': 2 };

/** @param {string[]} args */
export function readOptions(args) {
  const text = { type: 'string' };
  const names = { ...text, multiple: true };
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(Object.keys(counts).map((name) => [name, text])),
      node: text,
      peers: text,
      only: names,
      scenarios: names,
      sections: text,
      help: { type: 'boolean', default: false },
    },
  });
  const read = (/** @type {string} */ name) =>
    readInteger(values[name] ?? counts[name], 1, `--${name} takes an integer above 0`);
  const readMajor = (/** @type {string} */ major) =>
    readInteger(major, 20, '--node takes majors from 20 up, as in 26,24');
  const { peers: peerList, only = [], scenarios: lists = [] } = values;
  const wanted = [...only, ...lists].join();
  // Options for peers or scenarios select the section about requests.
  const wantedSections = peerList === undefined && wanted === '' ? sections.join() : 'requests';
  return {
    processes: read('processes'),
    rounds: read('rounds'),
    warmUpSeconds: read('warm-up'),
    sliceSeconds: read('slice'),
    freshRounds: read('fresh-rounds'),
    nodes: values.node?.split(',').map(readMajor) ?? nodeMajors,
    peers: peerList === undefined ? Object.keys(peers).filter(runsHere) : readPeers(peerList),
    scenarios:
      wanted === '' ? Object.keys(scenarios) : readNames('--scenarios', wanted, Object.keys(scenarios)),
    sections: readNames('--sections', values.sections ?? wantedSections, sections),
    help: values.help,
  };
}

const runsHere = (/** @type {string} */ peer) =>
  peers[peer].runtime === undefined || otherRuntimes[peers[peer].runtime] !== undefined;

/** The others are compared with the first peer. */
function readPeers(/** @type {string} */ list) {
  const names = readNames('--peers', list, Object.keys(peers));
  if (names.length < 2) throw new Error(`--peers takes two or more names, received '${list}'`);
  return names;
}

function readNames(/** @type {string} */ option, /** @type {string} */ list, /** @type {string[]} */ known) {
  const names = list.split(',');
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw new Error(`${option} knows ${known.join(', ')}; received '${wrong}'`);
  return names;
}

function readInteger(
  /** @type {string | number} */ text,
  /** @type {number} */ least,
  /** @type {string} */ rule,
) {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${rule}, received '${text}'`);
}
