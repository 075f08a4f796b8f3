// The process of a server, on Node, Bun or Deno: `server.mjs <module> <peer> <routes> [secure]`. It answers each message with the CPU time
// that it has used, in microseconds. It does not call gc(): with a call before each 3,000 requests, a GET of Fastify took three times as long.
import { readCertificate } from './certificate.mjs';

const [module, peer, routes, secure] = process.argv.slice(2);
const { start } = await import(new URL(`peers/${module}.mjs`, import.meta.url).href);
const port = await start(routes, peer, secure === undefined ? undefined : readCertificate());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
process.on('disconnect', () => process.exit());
process.send(Number(port));
