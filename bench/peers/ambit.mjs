// Starts Ambit for the benchmark: with default options, and without a logger.
import { ambit } from 'ambit';
import { routes } from '../apps/fastify-api.mjs';

/**
 * @param {string} scenario
 * @param {{ key: string, cert: string } | undefined} https
 */
export const start = (scenario, https) => listen(routes[scenario], https);

/** @param {(app: any) => void} addRoutes */
export async function listen(addRoutes, https) {
  const app = ambit(https === undefined ? {} : { https });
  addRoutes(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
}
