/**
 * The process of one measurement: `worker.mjs <case> <subject>` boots once and prints the figures as JSON.
 * It imports nothing that a framework would also have to import.
 */
import { artifactFile } from './artifact-file.mjs';

const [name, subject] = process.argv.slice(2);
const framework = subject === 'fastify' ? 'fastify' : 'ambit';

const readRssMb = () => process.memoryUsage.rss() / 2 ** 20;

function startClock() {
  const startUsage = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startUsage);
    return (user + system) / 1000;
  };
}

async function importFramework() {
  const module = await import(framework);
  return framework === 'ambit' ? module.ambit : module.default;
}

async function measureImport() {
  const readCpuMs = startClock();
  await importFramework();
  return { cpuMs: readCpuMs(), rssMb: readRssMb() };
}

async function createApp(create) {
  if (subject === 'boot') return create({ compile: 'boot' });
  if (subject !== 'artifact') return create();
  // Starting with an artifact includes loading it.
  return create({ compiled: await import(artifactFile.href) });
}

/** Measures from creating the application until it is ready; with `use`, until every route has sent one response. */
async function measureBoot(declare, use) {
  const create = await importFramework();
  const readCpuMs = startClock();
  const app = await createApp(create);
  declare(app);
  await app.ready();
  const booted = { cpuMs: readCpuMs(), rssMb: readRssMb() };
  if (use === undefined) return booted;
  await use(app);
  return { ...booted, usedCpuMs: readCpuMs(), usedRssMb: readRssMb() };
}

async function measure() {
  if (name === 'import') return measureImport();
  const { declarePlainRoutes, declareRoutes, declareShared, declareSiblings, makeRoutes, useRoutes } =
    await import('./routes.mjs');
  const [kind, count] = name.split('-');
  if (kind === 'routes') return measureBoot((app) => declarePlainRoutes(app, Number(count)));
  if (kind === 'plugins') return measureBoot((app) => declareSiblings(app, Number(count)));
  if (kind === 'shared') return measureBoot((app) => declareShared(app, 2_000, 1_000));
  const routes = makeRoutes(1_000, name === 'distinct');
  return measureBoot(
    (app) => declareRoutes(app, routes),
    (app) => useRoutes(app, routes),
  );
}

function finish(/** @type {object} */ result) {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}

const reportFailure = (/** @type {Error} */ error) =>
  finish({ failure: error instanceof RangeError ? 'overflows' : String(error.message).split('\n')[0] });
process.on('uncaughtException', reportFailure);
measure().then(finish, reportFailure);
