// Tries each plugin on the runtime that runs this program, with both flavors, and prints what happened as JSON in one line.
import { readdirSync } from 'node:fs';
import { serveByListen } from './serve-by-listen.mjs';
import { serveByFetch, tryPlugin } from './try-plugin.mjs';

const { ambit } = await import('ambit');
const { fastify } = await import('fastify');
const surroundings = JSON.parse(process.argv[2]);

async function tryBothWays(entry, create) {
  const byFetch = await tryPlugin(entry, create(), serveByFetch, surroundings);
  if (byFetch === null) return { outcome: 'runs' };
  const byListen = await tryPlugin(entry, create({ engine: 'node' }), serveByListen, surroundings);
  return { outcome: byListen === null ? 'needs node:http' : 'cannot', byFetch, byListen };
}

const results = {};
for (const file of readdirSync(new URL('plugins', import.meta.url)).sort()) {
  const entry = await import(`./plugins/${file}`);
  results[file.replace('.mjs', '')] = {
    ambit: await tryBothWays(entry, ambit),
    fastify: await tryBothWays(entry, fastify),
  };
}
// Plugins may print too.
console.log(`\n${JSON.stringify(results)}`);
process.exit();
