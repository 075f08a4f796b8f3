// Owns how the benchmark starts `app.fetch` of Ambit on Node: srvx makes web requests of those of node.
import { ambit } from 'ambit';
import { FastResponse, serve } from 'srvx/node';
import { routes } from '../apps/fastify-api.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  // As the server of Hono does it by itself: responses that are made without streams.
  globalThis.Response = FastResponse;
  const app = ambit();
  routes[scenario](app);
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  return { port: server.node.server.address().port, close: () => server.close(true) };
}
