// Starts `app.fetch` of Ambit on Node for the benchmark, with the server of `@ambit/http-engine/fetch`.
import { serve } from '@ambit/http-engine/fetch';
import { ambit } from 'ambit';
import { routes } from '../apps/fastify-api.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  const app = ambit();
  routes[scenario](app);
  const server = await serve(app.fetch, { hostname: '127.0.0.1' });
  return { port: server.port, close: () => server.close() };
}
