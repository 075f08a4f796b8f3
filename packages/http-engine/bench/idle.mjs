// Bytes of memory that an idle connection takes, on node:http, with Fastify and with the engine: `node idle.mjs [connections] [--json]`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const connections = Number(args.find((arg) => arg !== '--json') ?? 10_000);
const serverFile = fileURLToPath(new URL('server.mjs', import.meta.url));
const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${'x'.repeat(120)}\r\nAccept: */*\r\nCookie: ${'y'.repeat(300)}\r\n\r\n`;

async function readMemory(child) {
  child.send('memory');
  const [{ memoryBytes }] = await once(child, 'message');
  return memoryBytes;
}

async function measure(way) {
  const child = fork(serverFile, [way], { execArgv: ['--expose-gc'] });
  const [{ port }] = await once(child, 'message');
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    await once(socket, 'data');
    return socket;
  };
  // The server has warmed up by then, and what it keeps for itself is there.
  for (const socket of await Promise.all(Array.from({ length: 500 }, open))) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = await readMemory(child);
  const sockets = [];
  while (sockets.length < connections)
    sockets.push(...(await Promise.all(Array.from({ length: 500 }, open))));
  const after = await readMemory(child);
  for (const socket of sockets) socket.destroy();
  child.kill();
  return (after - before) / connections;
}

const bytes = {};
for (const way of ['node', 'fastify', 'engine']) {
  bytes[way] = Math.round(await measure(way));
  if (!args.includes('--json')) console.log(way.padEnd(8), `${bytes[way]} bytes a connection`);
}
if (args.includes('--json')) console.log(JSON.stringify({ connections, bytes }));
