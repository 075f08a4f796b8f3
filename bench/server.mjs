/**
 * The child process, on Node, Bun or Deno, that runs one peer with one scenario and measures its own CPU time. Started
 * as `server.mjs <peer> <routes> [secure] [async]` with an IPC channel. It handles the messages 'begin' and 'end' of a measurement,
 * and 'stop'.
 */
import { readCertificate } from './certificate.mjs';

const [peer, routes, ...flags] = process.argv.slice(2);
const [isSecure, hasAsyncHandlers] = ['secure', 'async'].map((flag) => flags.includes(flag));
const { start } = await import(new URL(`peers/${peer}.mjs`, import.meta.url).href);
const server = await start(routes, isSecure ? readCertificate() : undefined, hasAsyncHandlers);

let startUsage = process.cpuUsage();

process.on('message', async (message) => {
  if (message === 'begin') {
    // Does not call gc(): with a call before each 3,000 requests, a GET of Fastify took 45 µs instead of 13 (Node 20).
    startUsage = process.cpuUsage();
    process.send?.({});
  } else if (message === 'end') {
    const { user, system } = process.cpuUsage(startUsage);
    process.send?.({ cpuMicros: user + system });
  } else {
    await server.close();
    process.disconnect();
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ port: server.port });
