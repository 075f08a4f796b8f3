// Owns how the benchmark starts Ambit: default options, logger off.
import { ambit } from 'ambit';
import { routes } from '../apps/fastify-api.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  const app = ambit();
  routes[scenario](app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
}
