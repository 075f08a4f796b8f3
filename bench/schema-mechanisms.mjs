/**
 * Measures the effect of each mechanism of the schema layer: runs an application of a thousand routes with and without
 * it, in turns, each time in a new process, and prints a table. `docs/architecture/validation.md` has the results.
 *
 * `node bench/schema-mechanisms.mjs [rounds]`; `node bench/schema-mechanisms.mjs <case> <file>` is one measurement.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onServerCore } from './pinning.mjs';
import { declareRoutes, makeRoutes, useRoutes } from './startup/routes.mjs';
import { median } from './statistics.mjs';
import { orderOfTurn } from './turns.mjs';

/** The schemas and the options of the application, by the name of the case. */
const cases = {
  'identical, compiled once': { schemas: 'identical', options: {} },
  'identical but for a title, so compiled each': { schemas: 'titled', options: {} },
  "distinct, `compile: 'first-use'`": { schemas: 'distinct', options: {} },
  "distinct, `compile: 'boot'`": { schemas: 'distinct', options: { compile: 'boot' } },
  "distinct, `compile: 'background'`, when all is compiled": {
    schemas: 'distinct',
    options: { compile: 'background' },
  },
  'distinct, with the artifact': { schemas: 'distinct', options: {}, isCompiled: true },
};

function routesOf(/** @type {string} */ schemas) {
  const routes = makeRoutes(1_000, schemas === 'distinct');
  if (schemas !== 'titled') return routes;
  return routes.map(({ schema, ...route }, i) => ({ ...route, schema: addTitles(schema, `route ${i}`) }));
}

function addTitles({ response, ...parts }, /** @type {string} */ title) {
  const titled = Object.entries({ ...parts, 200: response[200] }).map(([name, part]) => [
    name,
    { ...part, title },
  ]);
  const { 200: ok, ...request } = Object.fromEntries(titled);
  return { ...request, response: { 200: ok } };
}

function startClock() {
  const startUsage = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startUsage);
    return (user + system) / 1000;
  };
}

/** Measures the CPU time until ready, of the first request to a route, and until every route was used, and the memory at the end. */
async function measure(/** @type {string} */ name, /** @type {string} */ artifact) {
  const { schemas, options, isCompiled } = cases[name];
  const { ambit } = await import('ambit');
  const routes = routesOf(schemas);
  const readCpuMs = startClock();
  const compiled = isCompiled && (await import(pathToFileURL(artifact).href));
  const app = ambit({ ...options, ...(compiled && { compiled }) });
  declareRoutes(app, routes);
  await app.ready();
  const readyMs = readCpuMs();
  if (options.compile === 'background') await compileAll(app);
  const beforeMs = readCpuMs();
  await useRoutes(app, routes.slice(500, 501));
  const firstMs = readCpuMs() - beforeMs;
  await useRoutes(app, routes);
  const figures = { readyMs, firstMs, usedMs: readCpuMs(), rssMb: process.memoryUsage.rss() / 2 ** 20 };
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());
}

/** Waits until the process has no work left. */
async function compileAll(app) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  for (let used = Number.NEGATIVE_INFINITY, readCpuMs = startClock(); readCpuMs() - used > 2; ) {
    used = readCpuMs();
    await sleep(50);
  }
}

async function writeArtifact(/** @type {string} */ file) {
  const { ambit, compileSchemas } = await import('ambit');
  const app = ambit();
  declareRoutes(app, routesOf('distinct'));
  writeFileSync(file, await compileSchemas(app));
  await app.close();
}

async function compare(/** @type {number} */ rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'schema-mechanisms-'));
  const artifact = join(folder, 'compiled.mjs');
  await writeArtifact(artifact);
  const names = Object.keys(cases);
  const samples = names.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const index of orderOfTurn(names.length, round))
      samples[index].push(measureFresh(names[index], artifact));
  }
  rmSync(folder, { recursive: true });
  console.log(`Node ${process.version}, median of ${rounds}\n`);
  console.log(
    '| 1,000 routes | ready | first request | every route used | memory |\n| --- | --- | --- | --- | --- |',
  );
  for (const [index, name] of names.entries()) {
    const figure = (/** @type {string} */ key) => median(samples[index].map((sample) => sample[key]));
    const ms = (/** @type {string} */ key, digits = 0) => `${figure(key).toFixed(digits)} ms`;
    const cells = [name, ms('readyMs'), ms('firstMs', 1), ms('usedMs'), `${figure('rssMb').toFixed(0)} MiB`];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/**
 * Measures the CPU time of the checks at boot for 3,000 request schemas. It imports the source files directly, because Node strips their
 * types.
 */
async function measureChecks() {
  const source = (/** @type {string} */ file) => import(`../packages/ambit/src/schemas/${file}`);
  const { contentKey } = await source('content-key.ts');
  const { passesPrecheck } = await source('validation/schema-precheck.ts');
  const { checkReferences } = await source('validation/reserved-names.ts');
  const schemas = routesOf('distinct').flatMap(({ schema: { params, querystring, body } }) => [
    params,
    querystring,
    body,
  ]);
  const checks = {
    'content keys': contentKey,
    'pre-check': passesPrecheck,
    'reserved names': checkReferences,
  };
  for (const [name, check] of Object.entries(checks)) {
    const readCpuMs = startClock();
    for (const schema of schemas) check(schema, {});
    console.log(`${name} of ${schemas.length} schemas: ${readCpuMs().toFixed(0)} ms`);
  }
}

function measureFresh(/** @type {string} */ name, /** @type {string} */ artifact) {
  const [command, ...args] = onServerCore(process.execPath);
  const all = [...args, fileURLToPath(import.meta.url), name, artifact];
  return JSON.parse(
    execFileSync(command, all, { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } }),
  );
}

const [name, artifact] = process.argv.slice(2);
if (artifact !== undefined) await measure(name, artifact);
else {
  await compare(Number(name ?? 5));
  await measureChecks();
}
