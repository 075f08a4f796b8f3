/**
 * The process of one measurement: `worker.mjs <case> <subject>` boots once, and prints the figures as JSON. It imports nothing that a
 * framework would also have to import. With the subject `write-artifact`, it writes the compiled schemas that the subject `artifact` starts
 * with.
 */
const [name, subject] = process.argv.slice(2);
const artifact = new URL('../../.cache/bench/compiled.mjs', import.meta.url);

function startClock() {
  const startUsage = process.cpuUsage();
  return (/** @type {string} */ step) => {
    const { user, system } = process.cpuUsage(startUsage);
    return {
      [`${step}: CPU ms`]: (user + system) / 1000,
      [`${step}: MB`]: process.memoryUsage.rss() / 2 ** 20,
    };
  };
}

/** The options of each subject. Starting with an artifact includes loading it. */
const optionsOf = {
  boot: () => ({ compile: 'boot' }),
  artifact: async () => ({ compiled: await import(artifact.href) }),
};

async function measure() {
  const readImport = startClock();
  const create = subject === 'fastify' ? (await import('fastify')).default : (await import('ambit')).ambit;
  if (name === 'import') return readImport('loaded');
  const { makeApplication } = await import('./routes.mjs');
  const { declare, use } = makeApplication(name);
  const read = startClock();
  const app = create(await optionsOf[subject]?.());
  declare(app);
  if (subject === 'write-artifact') return writeArtifact(app);
  await app.ready();
  const booted = read('ready');
  if (use === undefined) return booted;
  await use(app);
  return { ...booted, ...read('each route used once') };
}

async function writeArtifact(app) {
  const { mkdirSync, writeFileSync } = await import('node:fs');
  const { compileSchemas } = await import('ambit');
  mkdirSync(new URL('.', artifact), { recursive: true });
  writeFileSync(artifact, await compileSchemas(app));
  return {};
}

function finish(/** @type {object} */ result) {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}

const reportFailure = (/** @type {Error} */ error) =>
  finish({ failure: error instanceof RangeError ? 'overflows' : String(error.message).split('\n')[0] });
process.on('uncaughtException', reportFailure);
measure().then(finish, reportFailure);
