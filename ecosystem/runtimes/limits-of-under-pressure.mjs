// Prints which limits of @fastify/under-pressure refuse requests while the event loop is busy, as JSON in one line.
import plugin from '@fastify/under-pressure';
import { ambit } from 'ambit';

const limits = {
  maxEventLoopDelay: 30,
  maxEventLoopUtilization: 0.5,
  maxRssBytes: 1,
  maxHeapUsedBytes: 1,
  healthCheck: async () => false,
};

async function findStatuses(options) {
  const app = ambit();
  app.register(plugin, { ...options, sampleInterval: 400, healthCheckInterval: 60_000 });
  app.register(async (child) => {
    child.get('/', () => 'served');
  });
  await app.ready();
  const statuses = new Set();
  for (let round = 0; round < 15; round++) {
    const end = Date.now() + 100;
    while (Date.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 10));
    statuses.add((await app.fetch(new Request('http://localhost/'))).status);
  }
  await app.close();
  return statuses;
}

const works = {};
for (const [name, value] of Object.entries(limits))
  works[name] = (await findStatuses({ [name]: value })).has(503);
console.log(`\n${JSON.stringify(works)}`);
process.exit();
