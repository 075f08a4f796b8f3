// What `compileSchemas` saves: CPU time until 1,000 routes are ready, each with params, query string, body and response
// schemas of its own, and until each has answered its first request. Each sample is a process of its own; contenders take
// turns; figures are medians of times, and of ratios to Fastify.
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

async function askEach(app, count) {
  for (let i = 0; i < count; i++) {
    const payload = { [`name${i}`]: 'ada', email: 'ada@example.com', tags: ['a'] };
    const { statusCode } = await app.inject({ method: 'POST', url: `/things${i}/7?sort=up`, payload });
    if (statusCode !== 200) throw new Error(`route ${i} answered ${statusCode}`);
  }
}

/** Boots once and prints the CPU time that it took until ready and until used, in milliseconds. */
async function sample(contender, count, file) {
  const make = contender === 'fastify' ? (await import('fastify')).default : (await import('ambit')).ambit;
  const { compileSchemas } = await import('ambit');
  const start = process.cpuUsage();
  const compiled = contender === 'artifact' ? await import(pathToFileURL(file)) : undefined;
  const app = make(compiled && { compiled });
  declareRoutes(app, count);
  await app.ready();
  const ready = millisecondsSince(start);
  if (contender === 'build') {
    writeFileSync(file, await compileSchemas(app));
    return;
  }
  await askEach(app, count);
  console.log(JSON.stringify({ ready, used: millisecondsSince(start) }));
}

function millisecondsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function compare({ routes, turns }) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-artifact-'));
  const file = join(folder, 'compiled.mjs');
  const run = (contender) =>
    execFileSync(process.execPath, [self, '--contender', contender, '--routes', routes, '--file', file]);
  try {
    run('build');
    const times = { fastify: [], ambit: [], artifact: [] };
    for (let turn = 0; turn < Number(turns); turn++)
      for (const contender of Object.keys(times)) times[contender].push(JSON.parse(run(contender)));
    console.log(
      `${routes} routes, node ${process.version}, artifact ${Math.round(statSync(file).size / 1024)} KiB`,
    );
    for (const [contender, own] of Object.entries(times)) {
      const figures = ['ready', 'used'].map((moment) => {
        const ratio = median(own.map((sample, turn) => sample[moment] / times.fastify[turn][moment]));
        const time = median(own.map((sample) => sample[moment])).toFixed(0);
        return `${moment} ${time.padStart(5)} ms ${ratio.toFixed(3)}`;
      });
      console.log(contender.padEnd(9), figures.join('   '));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (values.contender === undefined) compare(values);
else await sample(values.contender, Number(values.routes), values.file);
