// What `compileSchemas` saves at boot: CPU time until 1,000 routes are ready, each with params, query string, body and
// response schemas of its own. Each sample is a process of its own; contenders take turns; figures are medians of ratios.
//
//   npm run build && node bench/artifact.mjs [--routes 1000] [--turns 9]
//
// Importing the framework is not counted, importing the artifact is: an application without it has no such file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const self = fileURLToPath(import.meta.url);
const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '9' },
    contender: { type: 'string' },
    file: { type: 'string' },
  },
});

function declareRoutes(app, count) {
  const text = { type: 'string', minLength: 1, maxLength: 100 };
  for (let i = 0; i < count; i++) {
    const params = { type: 'object', properties: { [`id${i}`]: { type: 'integer' } } };
    const querystring = {
      type: 'object',
      properties: {
        [`page${i}`]: { type: 'integer', default: 1 },
        sort: { type: 'string', enum: ['up', 'down'] },
      },
    };
    const body = {
      type: 'object',
      properties: {
        [`name${i}`]: text,
        email: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
      required: [`name${i}`, 'email'],
    };
    const response = {
      200: {
        type: 'object',
        properties: {
          [`id${i}`]: { type: 'integer' },
          name: { type: 'string' },
          at: { type: 'string', format: 'date-time' },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    };
    const schema = { params, querystring, body, response };
    app.post(`/things${i}/:id${i}`, { schema }, () => ({}));
  }
}

/** Boots once and prints the CPU time that it took, in milliseconds. */
async function sample(contender, count, file) {
  const make = contender === 'fastify' ? (await import('fastify')).default : (await import('ambit')).ambit;
  const { compileSchemas } = await import('ambit');
  const start = process.cpuUsage();
  const compiled = contender === 'artifact' ? await import(pathToFileURL(file)) : undefined;
  const app = make(compiled && { compiled });
  declareRoutes(app, count);
  await app.ready();
  const { user, system } = process.cpuUsage(start);
  if (contender === 'build') writeFileSync(file, await compileSchemas(app));
  console.log((user + system) / 1000);
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function compare({ routes, turns }) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-artifact-'));
  const file = join(folder, 'compiled.mjs');
  const run = (contender) =>
    Number(
      execFileSync(process.execPath, [self, '--contender', contender, '--routes', routes, '--file', file]),
    );
  try {
    run('build');
    const times = { fastify: [], ambit: [], artifact: [] };
    for (let turn = 0; turn < Number(turns); turn++)
      for (const contender of Object.keys(times)) times[contender].push(run(contender));
    console.log(
      `${routes} routes, node ${process.version}, artifact ${Math.round(statSync(file).size / 1024)} KiB`,
    );
    for (const [contender, own] of Object.entries(times)) {
      const ratio = median(own.map((time, turn) => time / times.fastify[turn]));
      console.log(`${contender.padEnd(9)} ${median(own).toFixed(0).padStart(6)} ms  ${ratio.toFixed(3)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (values.contender === undefined) compare(values);
else await sample(values.contender, Number(values.routes), values.file);
