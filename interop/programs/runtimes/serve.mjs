// Serves the application, and prints the port. Ends with its input. `serve.mjs ambit` uses `listen`, and `serve.mjs ambit node-http`
// with `engine: 'node'`; `serve.mjs ambit fetch` passes `app.fetch` to the server of Bun or Deno.
import app from './app.mjs';

const { Bun, Deno } = globalThis;
const { fetch } = app;
const place = { hostname: '127.0.0.1', port: 0 };
const listen = async () => new URL(await app.listen({ host: place.hostname, port: 0 })).port;
const servers = {
  listen,
  // `app.mjs` sets the option `engine`.
  'node-http': listen,
  async fetch() {
    if (Bun !== undefined) return Bun.serve({ ...place, fetch, idleTimeout: 0 }).port;
    return Deno.serve({ ...place, onListen() {} }, fetch).addr.port;
  },
};
const [, way = 'listen'] = process.argv.slice(2);
console.log(await servers[way]());
process.stdin.resume().on('end', () => process.exit());
