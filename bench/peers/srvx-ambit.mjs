// Starts `app.fetch` of Ambit on Node for the benchmark, with srvx, which converts Node's requests to web requests.
import { ambit } from 'ambit';
import { FastResponse, serve } from 'srvx/node';
import { routes } from '../apps/fastify-api.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  // Responses are created without streams, as the server of Hono does by default.
  globalThis.Response = FastResponse;
  const app = ambit();
  routes[scenario](app);
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  return { port: server.node.server.address().port, close: () => server.close(true) };
}
