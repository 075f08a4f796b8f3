/**
 * The list of peers, by their names on the command line.
 *
 * @typedef {{ label: string, module: string, runtime?: 'bun' | 'deno' }} Peer `module` is the file in `peers/`; `runtime` is Node if it is
 *   left out.
 */

/** @type {Record<string, Peer>} */
export const peers = {
  ambit: { label: 'Ambit', module: 'fastify-api' },
  facade: { label: '@ambit/fastify', module: 'fastify-api' },
  fastify: { label: 'Fastify', module: 'fastify-api' },
  'node-http': { label: 'node:http', module: 'node-http' },
  'bun-ambit': { label: 'Ambit on Bun', module: 'fastify-api', runtime: 'bun' },
  'bun-elysia': { label: 'Elysia on Bun', module: 'elysia', runtime: 'bun' },
  'bun-serve': { label: 'Bun.serve', module: 'bun-serve', runtime: 'bun' },
  'deno-ambit': { label: 'Ambit on Deno', module: 'fastify-api', runtime: 'deno' },
  'deno-hono': { label: 'Hono on Deno', module: 'hono', runtime: 'deno' },
};

/** Peers that are measured on every version of Node; the others only on the first one. */
export const peersOnOtherNodes = ['ambit', 'fastify', 'node-http'];

/** The peers and scenarios whose latency is measured at a steady rate. */
export const peersOfLatency = ['ambit', 'facade', 'fastify'];
export const latencyScenarios = ['get', 'post'];

/**
 * The peer with which another one is compared: the first one, or Ambit on its runtime if that is measured and the first one
 * runs elsewhere.
 *
 * @param {string} peer
 * @param {string[]} measured
 * @returns {string}
 */
export function comparedWith(peer, measured) {
  const [first] = measured;
  const { runtime } = peers[peer];
  const ambitThere = `${runtime}-ambit`;
  return runtime !== peers[first].runtime && measured.includes(ambitThere) ? ambitThere : first;
}
