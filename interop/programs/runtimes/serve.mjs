// Serves the application with what the runtime has, and prints the port. Ends with its input.
import app from './app.mjs';

const { Bun, Deno } = globalThis;
const { fetch } = app;
const place = { hostname: '127.0.0.1', port: 0 };
let port;
if (Bun !== undefined) port = Bun.serve({ ...place, fetch, idleTimeout: 0 }).port;
else if (Deno !== undefined) port = Deno.serve({ ...place, onListen() {} }, fetch).addr.port;
else port = new URL(await app.listen({ host: place.hostname, port: 0 })).port;
console.log(port);
process.stdin.resume().on('end', () => process.exit());
