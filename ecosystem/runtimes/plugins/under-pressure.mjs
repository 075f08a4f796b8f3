import plugin from '@fastify/under-pressure';

export function setUp(app) {
  app.register(plugin, { maxEventLoopDelay: 30, sampleInterval: 400 });
  app.register(async (child) => {
    child.get('/', () => 'served');
    child.get('/block', { config: { pressureHandler: () => {} } }, () => {
      const end = Date.now() + 100;
      while (Date.now() < end);
      return 'blocked';
    });
  });
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 100));

export async function check(ask) {
  await waitFor(200, ask, rest);
  await waitFor(503, ask, () => ask('/block'));
  await waitFor(200, ask, rest);
}

/** Waits until the application responds with this status. */
async function waitFor(status, ask, act) {
  for (let tries = 0; tries < 20; tries++) {
    if ((await ask('/')).status === status) return;
    await act();
  }
  throw new Error(`no response had the status ${status}`);
}
