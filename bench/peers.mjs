/**
 * The list of peers: their runtime, their label, and the packages that they use.
 *
 * @typedef {{ label: string, runtime: 'node' | 'bun' | 'deno', packages: string[], validation: string,
 *   hasResponseSchemas: boolean }} Peer `packages` are those whose versions the report names.
 */
const ajvByHand = 'Ajv, called in the handler';

/** @type {Record<string, Peer>} Keys are the names of files in `peers/`. */
export const peers = {
  ambit: {
    label: 'Ambit',
    runtime: 'node',
    packages: ['ambit'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  facade: {
    label: '@ambit/fastify',
    runtime: 'node',
    packages: ['@ambit/fastify'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  fastify: {
    label: 'Fastify',
    runtime: 'node',
    packages: ['fastify'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  'node-http': {
    label: 'node:http',
    runtime: 'node',
    packages: [],
    validation: ajvByHand,
    hasResponseSchemas: false,
  },
  hono: {
    label: 'Hono',
    runtime: 'node',
    packages: ['hono', '@hono/node-server', '@hono/zod-validator'],
    validation: 'Zod (@hono/zod-validator)',
    hasResponseSchemas: false,
  },
  h3: {
    label: 'h3',
    runtime: 'node',
    packages: ['h3'],
    validation: 'Zod (its own helpers)',
    hasResponseSchemas: false,
  },
  koa: {
    label: 'Koa',
    runtime: 'node',
    packages: ['koa', '@koa/router', '@koa/bodyparser'],
    validation: ajvByHand,
    hasResponseSchemas: false,
  },
  express: {
    label: 'Express',
    runtime: 'node',
    packages: ['express'],
    validation: ajvByHand,
    hasResponseSchemas: false,
  },
  'srvx-ambit': {
    label: 'app.fetch on srvx',
    runtime: 'node',
    packages: ['ambit', 'srvx'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  'bun-ambit': {
    label: 'Ambit on Bun',
    runtime: 'bun',
    packages: ['ambit'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  'bun-elysia': {
    label: 'Elysia on Bun',
    runtime: 'bun',
    packages: ['elysia'],
    validation: 'TypeBox (its own)',
    hasResponseSchemas: true,
  },
  'bun-hono': {
    label: 'Hono on Bun',
    runtime: 'bun',
    packages: ['hono', '@hono/zod-validator'],
    validation: 'Zod (@hono/zod-validator)',
    hasResponseSchemas: false,
  },
  'bun-serve': {
    label: 'Bun.serve',
    runtime: 'bun',
    packages: [],
    validation: ajvByHand,
    hasResponseSchemas: false,
  },
  'deno-ambit': {
    label: 'Ambit on Deno',
    runtime: 'deno',
    packages: ['ambit'],
    validation: 'JSON Schema (its own, Ajv)',
    hasResponseSchemas: true,
  },
  'deno-hono': {
    label: 'Hono on Deno',
    runtime: 'deno',
    packages: ['hono', '@hono/zod-validator'],
    validation: 'Zod (@hono/zod-validator)',
    hasResponseSchemas: false,
  },
};

const onNode = ['fastify', 'node-http', 'hono', 'h3', 'koa', 'express'];
const onBun = ['bun-elysia', 'bun-hono', 'bun-serve'];

/** @type {Record<string, string[]>} The peers with Ambit, and the peers with which each of them is compared. */
export const baselinesOf = {
  ambit: [...onNode, ...onBun],
  facade: [...onNode, ...onBun],
  'srvx-ambit': ['hono', 'h3'],
  'bun-ambit': onBun,
  'deno-ambit': ['deno-hono'],
};
export const ambitPeers = Object.keys(baselinesOf);

/** Peers that are measured on every version of Node; the others only on the first one. */
export const peersOnOtherNodes = ['ambit', 'fastify', 'node-http'];

/** The peers and scenarios whose latency is measured at a steady rate. */
export const peersOfLatency = ['ambit', 'facade', 'fastify'];
export const latencyScenarios = ['get', 'post'];

/** @returns {boolean} Whether the peer supports what the scenario measures. */
export function canRun(
  /** @type {string} */ peer,
  /** @type {import('./scenarios.mjs').Scenario} */ { needsResponseSchema, peers: only },
) {
  return (peers[peer].hasResponseSchemas || !needsResponseSchema) && (only?.includes(peer) ?? true);
}
