// The section about start-up and memory: new processes on core 0, one after another, with the subjects in turns.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findNode, onServerCore, serverEnv } from '../machine.mjs';
import { measureInTurns } from '../statistics.mjs';

const run = promisify(execFile);
const longestMs = 120_000;
const cost = 'ms, MB';
const worker = fileURLToPath(new URL('worker.mjs', import.meta.url));

const both = { ambit: 'Ambit', fastify: 'Fastify' };
const withCompilers = {
  ambit: 'Ambit',
  boot: "Ambit, compile: 'boot'",
  artifact: 'Ambit, precompiled',
  fastify: 'Fastify',
};

/** What boots, and the subjects of `worker.mjs`. Ten times as many routes or plugins should take ten times as long. */
const cases = {
  import: ['first import', both],
  distinct: ['1,000 routes, distinct schemas', withCompilers],
  identical: ['1,000 routes, identical schemas', both],
  shared: ['1,000 routes, 2,000 shared schemas that refer to one another', both],
  'routes-1000': ['1,000 routes without schemas', both],
  'routes-10000': ['10,000 routes without schemas', both],
  'plugins-1000': ['1,000 sibling plugins', both],
  'plugins-10000': ['10,000 sibling plugins', both],
};

const note = `CPU time and resident memory of a new process. "Ready" is from creating the application to \`ready()\`, without the import.
\`ratio\`: that of Ambit, divided by that of Fastify.`;

/** @param {{ freshRounds: number, nodes: number[] }} options */
export async function measureStartup({ freshRounds, nodes }, show) {
  const node = findNode(nodes[0]);
  await runWorker(node, 'distinct', 'write-artifact');
  const results = [];
  for (const [name, [title, labels]] of Object.entries(cases)) {
    show(`start-up, ${title}`);
    const keys = Object.keys(labels);
    /** @type {import('../report.mjs').Subject[]} */
    const subjects = keys.map((key, i) => ({
      label: labels[key],
      figures: {},
      ratio: key === 'fastify' ? undefined : [i, keys.indexOf('fastify')],
    }));
    await measureInTurns(subjects, freshRounds, (i) => runWorker(node, name, keys[i]));
    for (const figure of new Set(subjects.flatMap(({ figures }) => Object.keys(figures)))) {
      const alone = subjects.map((subject) => ({ ...subject, figures: { [cost]: subject.figures[figure] } }));
      results.push({ what: `${title}, ${figure}`, subjects: alone });
    }
  }
  return [{ title: `Start-up, Node ${node.version}`, cost, note, results }];
}

/** The figures of a new process, or why there are none. @returns {Promise<Record<string, number> & { failure?: string }>} */
async function runWorker({ command }, /** @type {string[]} */ ...workerArgs) {
  const [executable, ...args] = onServerCore(...command, worker, ...workerArgs);
  try {
    const { stdout } = await run(executable, args, { env: serverEnv, timeout: longestMs });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch (error) {
    return { failure: error.killed ? `not ready after ${longestMs / 1000} s` : 'the process ended' };
  }
}
