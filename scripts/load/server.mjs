// One server under load, in a process of its own: `node server.mjs <ambit|fastify> <port> [<delayMs>]`. It sends its
// port when it listens, responds to the message `sample` with its metrics, ends by itself on `stop`, and with a delay also stops
// gracefully on SIGTERM.
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit, closeOnSignals } from 'ambit';
import { fastify } from 'fastify';
import { addRoutes } from './application.mjs';

const [name, port, delayMs] = process.argv.slice(2);
const isAmbit = name !== 'fastify';
const options = { logger: { level: 'info', stream: { write() {} } }, requestTimeout: 300_000 };
const app = isAmbit ? ambit({ ...options, health: { ready: '/ready' } }) : fastify(options);
addRoutes(app, isAmbit);

process.on('warning', ({ name: kind, message }) => process.send?.({ warning: `${kind}: ${message}` }));

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
  const { heapUsed, rss, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    heapUsed,
    rss,
    external,
    descriptors: countDescriptors(),
    resources: resources.length,
    timers: resources.filter((kind) => kind === 'Timeout').length,
  };
}

if (isAmbit && delayMs !== undefined) closeOnSignals(app, { delayMs: Number(delayMs), graceMs: 5_000 });
if (!isAmbit) {
  app.get('/ready', () => 'ready');
  process.once('SIGTERM', () => app.close().then(() => process.exit()));
}
const exit = () => process.exit();
// Who started this process has ended. A worker of a cluster notices that by itself.
if (process.env.NODE_UNIQUE_ID === undefined) process.once('disconnect', exit);
process.on('message', async (message) => {
  if (message === 'sample') process.send({ sample: await sample() });
  if (message !== 'stop') return;
  await app.close();
  process.off('disconnect', exit);
  process.disconnect(); // now the process ends by itself, unless something keeps it running
});

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send({ port: app.server.address().port });
