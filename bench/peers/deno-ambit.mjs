// Owns how the benchmark starts Ambit on Deno: `listen` serves with Deno.serve there. Its handlers are written as those of the other peers.
import { routes, syncRoutes } from '../apps/fastify-api.mjs';
import { listen } from './ambit.mjs';

/** @param {string} scenario */
export const start = (scenario, _https, hasAsyncHandlers = false) =>
  listen((hasAsyncHandlers ? routes : syncRoutes)[scenario]);
