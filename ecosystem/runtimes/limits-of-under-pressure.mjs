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

/** Whether a request is refused before the last round. */
async function isRefused(options) {
  const app = ambit();
  app.register(plugin, { ...options, sampleInterval: 400, healthCheckInterval: 60_000 });
  app.register(async (child) => {
    child.get('/', () => 'served');
  });
  await app.ready();
  let status;
  for (let round = 0; round < 15 && status !== 503; round++) {
    const end = Date.now() + 100;
    while (Date.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 10));
    ({ status } = await app.fetch(new Request('http://localhost/')));
  }
  await app.close();
  return status === 503;
}

const works = {};
for (const [name, value] of Object.entries(limits)) works[name] = await isRefused({ [name]: value });
console.log(`\n${JSON.stringify(works)}`);
process.exit();
