// Tries each plugin on the runtime that runs this program, with both flavors, and prints what happened as JSON in one line.
import { readdirSync } from 'node:fs';
import { serveByFetch } from './serve-by-fetch.mjs';
import { serveByListen } from './serve-by-listen.mjs';
import { tryPlugin } from './try-plugin.mjs';

const { ambit } = await import('ambit');
const { fastify } = await import('fastify');
const [runtime, settings] = process.argv.slice(2);
const surroundings = JSON.parse(settings);

const byFetch = { options: {}, serve: (app) => serveByFetch(app, runtime) };
const byListen = { options: {}, serve: serveByListen };
/** Served by the runtime itself, and by node:http. Node has no server that calls `fetch`. */
const ways =
  runtime === 'node'
    ? { own: [byListen], nodeHttp: { options: { engine: 'node' }, serve: serveByListen } }
    : { own: [byFetch, byListen], nodeHttp: { options: { engine: 'node' }, serve: serveByListen } };

async function tryAllWays(entry, create) {
  const own = [];
  for (const way of ways.own) own.push(await tryBy(way, entry, create));
  const nodeHttp = await tryBy(ways.nodeHttp, entry, create);
  const errors = [...own, nodeHttp].filter((error) => error !== null);
  return { outcome: nameOutcome(own, nodeHttp), errors };
}

async function tryBy({ options, serve }, entry, create) {
  const app = create(options);
  let served;
  const error = await tryPlugin(entry, async () => {
    entry.setUp(app, surroundings);
    served = await serve(app);
    return served;
  });
  await served?.stop?.();
  await app.close().catch(() => {});
  return error;
}

function nameOutcome(own, nodeHttp) {
  const runs = (error) => error === null;
  if (own.every(runs)) return runs(nodeHttp) ? 'runs' : 'not with node:http';
  if (own.some(runs)) return 'runs by app.fetch or listen, but not by both';
  return runs(nodeHttp) ? 'needs node:http' : 'cannot';
}

const results = {};
for (const file of readdirSync(new URL('plugins', import.meta.url)).sort()) {
  const entry = await import(`./plugins/${file}`);
  results[file.replace('.mjs', '')] = {
    ambit: await tryAllWays(entry, ambit),
    fastify: await tryAllWays(entry, fastify),
  };
}
// Plugins may print too.
console.log(`\n${JSON.stringify(results)}`);
process.exit();
