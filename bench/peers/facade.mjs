// Owns how the benchmark starts the facade for Fastify on Ambit: default options, logger off.
import fastify from '@ambit/fastify';
import { routes } from '../apps/fastify-api.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  const app = fastify();
  routes[scenario](app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
}
