/** Records which routes of any application get a request. Node loads this module before a test run (`node --import`). */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { Context } from 'ambit';
import { routeKey } from './routes/route-key.ts';

const file = process.env.AMBIT_REQUESTED_ROUTES;
const seen = new Set<string>();

/** The key in a route's `config` for its constraints, because `request.routeOptions` does not contain them. */
const constraintsOf = Symbol('ambit.constraints');

if (file !== undefined) {
  subscribe('fastify.initialization', (message) => {
    const app = (message as { fastify: Context }).fastify;
    app.addHook('onRoute', (route) => {
      const { config, constraints } = route;
      if (constraints !== undefined) route.config = { ...config, [constraintsOf]: constraints };
    });
    app.addHook('onRequest', (request, _reply, done) => {
      const { url, config } = request.routeOptions;
      const { [constraintsOf]: constraints } = config as { [constraintsOf]?: object };
      // It is written immediately, because test runners kill their processes. Each process writes a route once.
      if (url !== undefined) write(routeKey(request.method, url, constraints), file);
      done();
    });
  });
}

function write(route: string, path: string): void {
  if (seen.has(route)) return;
  seen.add(route);
  appendFileSync(path, `${route}\n`);
}
