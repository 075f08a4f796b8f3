// Owns the command line of the benchmark: what it accepts, its defaults, and what it says to anything else.
import { parseArgs } from 'node:util';
import { peers } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

const sections = ['requests', 'serializers', 'startup', 'types'];

/** How much is measured. `fresh-rounds` are those of everything but requests; `turns` are within one of serializers. */
const amounts = {
  full: { rounds: 5, requests: 15_000, 'warm-up': 15_000, 'fresh-rounds': 5, turns: 10 },
  quick: { rounds: 1, requests: 5_000, 'warm-up': 5_000, 'fresh-rounds': 1, turns: 5 },
};
/** What narrows a run to a part of the comparison, so that its report is not the whole. */
const narrowing = ['peers', 'only', 'scenarios', 'sections'];

/**
 * @param {string[]} args
 * @returns `writesDocs` says whether the run may replace docs/benchmarks.md: it is whole and not shorter than the default, or told to.
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string' },
      requests: { type: 'string' },
      'warm-up': { type: 'string' },
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
    requests: counts.requests,
    warmUp: counts['warm-up'],
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
    given: args.filter((arg) => arg !== '--write'),
  };
}

/** The first peer is the one that is compared with the others. */
function readPeers(/** @type {string | undefined} */ text) {
  if (text === undefined) return Object.keys(peers);
  const names = readNames('--peers', text, Object.keys(peers));
  if (names.length < 2) throw new Error(`--peers takes two or more names, received '${text}'`);
  return names;
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
