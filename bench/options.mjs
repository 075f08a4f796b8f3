// The command line of the benchmark: its options, their defaults, and the errors for anything else.
import { parseArgs } from 'node:util';
import { peers } from './peers.mjs';
import { nodeMajors } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';

const sections = ['requests', 'latency', 'idle', 'serializers', 'startup', 'types'];

/** The length of a run; `warm-up` and `slice` are seconds. `fresh-rounds` and `turns` apply to sections other than requests. */
const amounts = {
  full: { processes: 1, rounds: 2, 'warm-up': 3, slice: 2, 'fresh-rounds': 2, turns: 5 },
  quick: { processes: 1, rounds: 1, 'warm-up': 1, slice: 1, 'fresh-rounds': 1, turns: 2 },
};
/** Options that select a part of the comparison, so that the report is incomplete. */
const narrowing = ['peers', 'only', 'scenarios', 'sections', 'node', 'async-handlers'];

/**
 * @param {string[]} args
 * @returns `writesDocs`: whether the run may replace docs/benchmarks.md. It may if it is complete and at least as long
 *   as the default, or if an option says so.
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      processes: { type: 'string' },
      rounds: { type: 'string' },
      'warm-up': { type: 'string' },
      slice: { type: 'string' },
      node: { type: 'string' },
      'fresh-rounds': { type: 'string' },
      turns: { type: 'string' },
      peers: { type: 'string' },
      only: { type: 'string', multiple: true },
      scenarios: { type: 'string' },
      sections: { type: 'string' },
      'async-handlers': { type: 'boolean' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      'report-of': { type: 'string' },
    },
  });
  const defaults = values.quick ? amounts.quick : amounts.full;
  const counts = Object.fromEntries(
    Object.entries(defaults).map(([name, count]) => [name, readCount(`--${name}`, values[name] ?? count)]),
  );
  const isComplete = narrowing.every((name) => values[name] === undefined);
  const isShort = Object.entries(counts).some(([name, count]) => count < amounts.full[name]);
  return {
    processes: counts.processes,
    rounds: counts.rounds,
    warmUpSeconds: counts['warm-up'],
    sliceSeconds: counts.slice,
    nodes: readNodes(values.node, values.quick),
    freshRounds: counts['fresh-rounds'],
    turns: counts.turns,
    peers: readPeers(values.peers),
    scenarios: readScenarios(values),
    sections: readSections(values, isComplete),
    hasAsyncHandlers: values['async-handlers'] === true,
    check: values.check,
    help: values.help,
    json: values.json,
    writesDocs: values.write || (isComplete && !isShort && values['report-of'] === undefined),
    reportOf: values['report-of'],
    isQuick: values.quick,
    userArgs: args.filter((arg) => arg !== '--write'),
  };
}

/** All others are compared with the first peer. */
function readPeers(/** @type {string | undefined} */ text) {
  if (text === undefined) return Object.keys(peers);
  const names = readNames('--peers', text, Object.keys(peers));
  if (names.length < 2) throw new Error(`--peers takes two or more names, received '${text}'`);
  return names;
}

/** The page is about the first version of Node. */
function readNodes(/** @type {string | undefined} */ text, isQuick) {
  if (text === undefined) return isQuick ? nodeMajors.slice(0, 1) : nodeMajors;
  return text.split(',').map((major) => {
    const number = Number(major);
    if (Number.isSafeInteger(number) && number >= 20) return number;
    throw new Error(`--node takes majors from 20 up, as in 26,24; received '${major}'`);
  });
}

function readScenarios({ only, scenarios: list }) {
  const allNames = Object.keys(scenarios);
  if (only === undefined && list === undefined) return allNames;
  const lists = [...(only ?? []), ...(list === undefined ? [] : [list])];
  return lists.flatMap((text) => readNames('--scenarios', text, allNames));
}

/** Options for peers or scenarios select the section about requests. */
function readSections({ sections: list }, isComplete) {
  if (list !== undefined) return readNames('--sections', list, sections);
  return isComplete ? sections : ['requests'];
}

function readNames(option, text, allNames) {
  const names = text.split(',');
  for (const name of names) {
    if (!allNames.includes(name))
      throw new Error(`${option} knows ${allNames.join(', ')}; received '${name}'`);
  }
  return names;
}

function readCount(option, text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${option} takes an integer above 0, received '${text}'`);
}
