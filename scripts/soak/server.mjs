// One server of the soak test, in a separate process: `node --expose-gc server.mjs <ambit|ambit-node|fastify>`. It listens
// on a free port, responds to the message `sample` with its metrics, and ends on `stop`.
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addRoutes } from './application.mjs';

const [name] = process.argv.slice(2);
const isAmbit = name !== 'fastify';
const logger = { level: 'info', stream: { write() {} } };
const { createApp } = isAmbit
  ? { createApp: (await import('ambit')).ambit }
  : { createApp: (await import('fastify')).fastify };
const app = createApp({ logger, requestTimeout: 300_000, ...(name === 'ambit-node' && { engine: 'node' }) });
addRoutes(app, isAmbit);

process.on('warning', ({ name: kind, message }) => process.send({ warning: `${kind}: ${message}` }));

function countDescriptors() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0; // not on this system
  }
}

async function sample() {
  // Several rounds, because finalizers run after a collection and free more objects.
  for (let round = 0; round < 4; round++) {
    globalThis.gc();
    await nextTurn();
  }
  const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    heapUsed,
    rss,
    external,
    arrayBuffers,
    descriptors: countDescriptors(),
    resources: resources.length,
    timers: resources.filter((kind) => kind === 'Timeout').length,
    cpuMs: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  };
}

process.on('message', async (message) => {
  if (message === 'sample') process.send({ sample: await sample() });
  else {
    await app.close();
    process.disconnect(); // now the process ends by itself, unless something keeps it running
  }
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: app.server.address().port });
