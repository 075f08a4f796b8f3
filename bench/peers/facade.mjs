// Starts the facade for Fastify for the benchmark: with default options, and without a logger.
import fastify from '@ambit/fastify';
import { routes } from '../apps/fastify-api.mjs';

/**
 * @param {string} scenario
 * @param {{ key: string, cert: string } | undefined} https
 */
export async function start(scenario, https) {
  const app = fastify(https === undefined ? {} : { https });
  routes[scenario](app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
}
