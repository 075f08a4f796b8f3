// The conditions that readers need to interpret a figure: date, machine, versions and options.
import { existsSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { peers } from './peers.mjs';
import { isPinned } from './pinning.mjs';
import { findNode, otherRuntimes } from './runtimes.mjs';
import { subjects } from './types/subjects.mjs';

const alsoUsed = ['@ambit/json-serializer', 'fast-json-stringify', 'ajv', 'zod'];
const typed = ['typescript', ...new Set(Object.values(subjects).flatMap(({ packages }) => packages))];

/** @param {ReturnType<typeof import('./options.mjs').readOptions>} options */
export function describeConditions(options) {
  const { processes, rounds, warmUpSeconds, sliceSeconds, freshRounds, turns, nodes } = options;
  const packages = new Set([...options.peers.flatMap((peer) => peers[peer].packages), ...alsoUsed, ...typed]);
  return {
    command: ['npm run bench', ...(options.userArgs.length === 0 ? [] : ['--', ...options.userArgs])].join(
      ' ',
    ),
    isQuick: options.isQuick,
    date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    machine: `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${type()} ${release()}, ${process.arch}`,
    node: findNode(nodes[0]).version,
    otherNodes: nodes.slice(1).map((major) => findNode(major).version),
    bun: otherRuntimes.bun?.version,
    deno: otherRuntimes.deno?.version,
    isPinned,
    peers: options.peers,
    versions: Object.fromEntries([...packages].map((name) => [name, readVersion(name)])),
    typed,
    amounts: [
      `requests: ${processes > 1 ? `${processes} processes with ` : ''}${rounds} slices of ${sliceSeconds} s each, after ${warmUpSeconds} s to warm up`,
      `serializers: ${freshRounds} × ${turns} turns`,
      `start-up and memory: ${freshRounds} rounds`,
      `type checking: ${freshRounds} rounds`,
    ].join('; '),
  };
}

/** Peers are installed in bench/; Ambit, and Fastify with the same libraries as Ambit, in the workspace. */
function readVersion(/** @type {string} */ name) {
  const manifest = ['./', '../']
    .map((folder) => new URL(`${folder}node_modules/${name}/package.json`, import.meta.url))
    .find((url) => existsSync(url));
  return manifest === undefined ? '(not installed)' : JSON.parse(readFileSync(manifest, 'utf8')).version;
}
