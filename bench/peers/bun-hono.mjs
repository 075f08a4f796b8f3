// Owns how the benchmark starts Hono on Bun.
import { buildHono } from '../apps/hono.mjs';

/** @param {string} scenario */
export async function start(scenario, _https, hasAsyncHandlers = false) {
  const { fetch } = buildHono(scenario, hasAsyncHandlers);
  const server = globalThis.Bun.serve({ fetch, port: 0, hostname: '127.0.0.1' });
  return { port: server.port, close: () => server.stop(true) };
}
