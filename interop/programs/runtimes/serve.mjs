// Serves the application, and prints the port. Ends with its input. `serve.mjs ambit` uses `listen`; `serve.mjs ambit fetch`
// passes `app.fetch` to the server of the runtime.
import app from './app.mjs';

const { Bun, Deno } = globalThis;
const { fetch } = app;
const place = { hostname: '127.0.0.1', port: 0 };
const servers = {
  listen: async () => new URL(await app.listen({ host: place.hostname, port: 0 })).port,
  fetch: () =>
    Bun === undefined
      ? Deno.serve({ ...place, onListen() {} }, fetch).addr.port
      : Bun.serve({ ...place, fetch, idleTimeout: 0 }).port,
};
const [, way = 'listen'] = process.argv.slice(2);
console.log(await servers[way]());
process.stdin.resume().on('end', () => process.exit());
