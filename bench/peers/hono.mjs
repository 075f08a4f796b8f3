// Starts Hono on Node for the benchmark, with its own adapter.
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { buildHono } from '../apps/hono.mjs';

/** @param {string} scenario */
export async function start(scenario) {
  const server = serve({ fetch: buildHono(scenario).fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}
