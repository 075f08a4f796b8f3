// Owns how the benchmark starts Hono on Deno.
import { buildHono } from '../apps/hono.mjs';

/** @param {string} scenario */
export async function start(scenario, _https, hasAsyncHandlers = false) {
  const options = { port: 0, hostname: '127.0.0.1', onListen() {} };
  const server = globalThis.Deno.serve(options, buildHono(scenario, hasAsyncHandlers).fetch);
  return { port: server.addr.port, close: () => server.shutdown() };
}
