// Owns the command line of the benchmark: what it accepts, its defaults, and what it says to anything else.
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.mjs';

const knownPeers = readdirSync(new URL('peers/', import.meta.url)).map((file) => file.replace(/\.mjs$/, ''));

/** @param {string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '60000' },
      only: { type: 'string', multiple: true, default: Object.keys(scenarios) },
      peers: { type: 'string', default: 'ambit,fastify' },
      json: { type: 'boolean', default: false },
    },
  });
  const peers = values.peers.split(',');
  if (peers.length < 2) throw new Error(`--peers takes two or more names, received '${values.peers}'`);
  for (const peer of peers) requireKnown('--peers', peer, knownPeers);
  for (const name of values.only) requireKnown('--only', name, Object.keys(scenarios));
  return {
    rounds: readCount('--rounds', values.rounds),
    requests: readCount('--requests', values.requests),
    only: values.only,
    peers,
    json: values.json,
  };
}

function requireKnown(option, name, known) {
  if (!known.includes(name)) throw new Error(`${option} knows ${known.join(', ')}; received '${name}'`);
}

function readCount(option, text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${option} takes an integer above 0, received '${text}'`);
}
