// Owns the command line of the benchmark: what it accepts, its defaults, and what it says to anything else.
import { parseArgs } from 'node:util';
import { peers } from './peers.mjs';
import { nodeMajors } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';

const sections = ['requests', 'latency', 'serializers', 'startup', 'types'];

/** How much is measured; `warm-up` and `slice` are seconds. `fresh-rounds` and `turns` are of the other sections. */
const amounts = {
  full: { rounds: 3, 'warm-up': 3, slice: 2, 'fresh-rounds': 3, turns: 10 },
  quick: { rounds: 1, 'warm-up': 1, slice: 1, 'fresh-rounds': 1, turns: 5 },
};
/** What narrows a run to a part of the comparison, so that its report is not the whole. */
const narrowing = ['peers', 'only', 'scenarios', 'sections', 'node'];

/**
 * @param {string[]} args
 * @returns `writesDocs` says whether the run may replace docs/benchmarks.md: it is whole and not shorter than the default, or told to.
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
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
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'report-of': { type: 'string' },
    },
  });
  const defaults = values.quick ? amounts.quick : amounts.full;
  const counts = Object.fromEntries(
    Object.entries(defaults).map(([name, count]) => [name, readCount(`--${name}`, values[name] ?? count)]),
  );
  const isWhole = narrowing.every((name) => values[name] === undefined);
  const isShort = Object.entries(counts).some(([name, count]) => count < amounts.full[name]);
  return {
    rounds: counts.rounds,
    warmUpSeconds: counts['warm-up'],
    sliceSeconds: counts.slice,
    nodes: readNodes(values.node, values.quick),
    freshRounds: counts['fresh-rounds'],
    turns: counts.turns,
    peers: readPeers(values.peers),
    scenarios: readScenarios(values),
    sections: readSections(values, isWhole),
    check: values.check,
    json: values.json,
    writesDocs: values.write || (isWhole && !isShort && values['report-of'] === undefined),
    reportOf: values['report-of'],
    isQuick: values.quick,
    userArgs: args.filter((arg) => arg !== '--write'),
  };
}

/** The first peer is the one that is compared with the others. */
function readPeers(/** @type {string | undefined} */ text) {
  if (text === undefined) return Object.keys(peers);
  const names = readNames('--peers', text, Object.keys(peers));
  if (names.length < 2) throw new Error(`--peers takes two or more names, received '${text}'`);
  return names;
}

/** The first is the one that the page is about. */
function readNodes(/** @type {string | undefined} */ text, isQuick) {
  if (text === undefined) return isQuick ? nodeMajors.slice(0, 1) : nodeMajors;
  return text.split(',').map((major) => {
    const number = Number(major);
    if (Number.isSafeInteger(number) && number >= 20) return number;
    throw new Error(`--node takes majors from 20 up, as in 26,24; received '${major}'`);
  });
}

function readScenarios({ only, scenarios: list }) {
  const known = Object.keys(scenarios);
  if (only === undefined && list === undefined) return known;
  const lists = [...(only ?? []), ...(list === undefined ? [] : [list])];
  return lists.flatMap((text) => readNames('--scenarios', text, known));
}

/** Who names peers or scenarios asks about requests. */
function readSections({ sections: list }, isWhole) {
  if (list !== undefined) return readNames('--sections', list, sections);
  return isWhole ? sections : ['requests'];
}

function readNames(option, text, known) {
  const names = text.split(',');
  for (const name of names) {
    if (!known.includes(name)) throw new Error(`${option} knows ${known.join(', ')}; received '${name}'`);
  }
  return names;
}

function readCount(option, text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${option} takes an integer above 0, received '${text}'`);
}
