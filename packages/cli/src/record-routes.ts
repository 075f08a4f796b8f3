/** Loaded before a test run (`node --import`): writes down which routes of any application get a request. */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { Context } from 'ambit';

const file = process.env.AMBIT_REQUESTED_ROUTES;
const seen = new Set<string>();

if (file !== undefined) {
  subscribe('fastify.initialization', (message) => {
    (message as { fastify: Context }).fastify.addHook('onRequest', (request, _reply, done) => {
      const { url } = request.routeOptions;
      // At once, because test runners kill their processes. A route is written once for each process.
      if (url !== undefined) write(`${request.method} ${url}`, file);
      done();
    });
  });
}

function write(route: string, path: string): void {
  if (seen.has(route)) return;
  seen.add(route);
  appendFileSync(path, `${route}\n`);
}
