// Owns how the benchmark starts Hono on Bun.
import { buildHono } from '../apps/hono.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  const server = globalThis.Bun.serve({ fetch: buildHono(scenario).fetch, port: 0, hostname: '127.0.0.1' });
  return { port: server.port, close: () => server.stop(true) };
}
