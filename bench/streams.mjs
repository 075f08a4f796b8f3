// Measures the cost of a client of an event stream, with 10,000 clients on one route: `node bench/streams.mjs [--light]`. It
// compares Ambit with Fastify and @fastify/sse, and with node:http, which shows the minimum cost of a connection. Each server runs in its
// own process. It sends an event to each new client. Then all clients wait for the next one, as in an application. Run `npm run build`
// first, and `npm install --no-save @fastify/sse@0.6.0`, which is not a dependency of the repository.
import { EventEmitter, on, once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const count = 10_000;
const isLight = process.argv.includes('--light');
const bus = new EventEmitter().setMaxListeners(0);
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const itemSchema = { type: 'object', properties: { id: { type: 'integer' }, data: text } };

/** With `--light`, it waits without `on`, because the queue of `on` is the largest part of the cost of a client. */
async function* events(signal) {
  const coming = isLight ? undefined : on(bus, 'event', { signal });
  yield { id: 0, data: { text: 'hello' } };
  if (isLight) yield (await once(bus, 'event'))[0];
  else for await (const [data] of coming) yield data;
}

const address = { port: 0, host: '127.0.0.1' };

/** Each resolves to its origin. */
const servers = {
  async ambit() {
    const { ambit } = await import('ambit');
    const schema = { response: { 200: { content: { 'text/event-stream': { itemSchema } } } } };
    return ambit()
      .get('/events', { schema }, ({ signal }) => events(signal))
      .listen(address);
  },

  async '@fastify/sse'() {
    const { fastify } = await import('fastify');
    const { default: sse } = await import('@fastify/sse');
    const app = fastify();
    await app.register(sse);
    app.get('/events', { sse: 'only' }, (request, reply) => reply.sse.send(events(request.signal)));
    return app.listen(address);
  },

  async 'node:http'() {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const listener = ({ id, data }) => response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
      listener({ id: 0, data: { text: 'hello' } });
      bus.on('event', listener);
      response.on('close', () => bus.off('event', listener));
    });
    await once(server.listen(address), 'listening');
    return `http://127.0.0.1:${server.address().port}`;
  },
};

/** Runs the process of a server, which answers each message with its memory. */
async function runServer(/** @type {string} */ name) {
  const origin = await servers[name]();
  process.on('message', async () => {
    // Collects twice with a pause, because objects that the first collection frees may keep others alive until then.
    for (let i = 0; i < 2; i++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    process.send(process.memoryUsage());
  });
  process.on('disconnect', () => process.exit());
  process.send(Number(new URL(origin).port));
}

/** A client that stays connected. Resolves when its first event has arrived. */
async function addClient(port) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n');
  let received = '';
  while (!received.includes('data: ')) {
    received += (await once(socket, 'data'))[0];
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(received);
  }
}

async function measure(/** @type {string} */ name) {
  // Not for the server: this module moves its process to the core of the load.
  const { startProcess } = await import('./server-process.mjs');
  const script = fileURLToPath(import.meta.url);
  const flags = ['--serve', name, ...(isLight ? ['--light'] : [])];
  const server = await startProcess([process.execPath, '--expose-gc', script, ...flags]);
  const addClients = async (/** @type {number} */ added) => {
    for (let i = 0; i < added; i += 100)
      await Promise.all(Array.from({ length: Math.min(100, added - i) }, () => addClient(server.port)));
  };
  // The first clients load and compile the code that all clients need, so they are not measured.
  await addClients(100);
  const before = await server.ask('memory');
  await addClients(count);
  const after = await server.ask('memory');
  await server.stop();
  const kilobytes = (field) => ((after[field] - before[field]) / count / 1024).toFixed(1);
  return {
    server: name,
    'RSS per client, KB': kilobytes('rss'),
    'heap per client, KB': kilobytes('heapUsed'),
  };
}

if (process.argv[2] === '--serve') await runServer(process.argv[3]);
else {
  console.log(`Node ${process.version}, ${count} clients`);
  const rows = [];
  for (const name of Object.keys(servers)) rows.push(await measure(name));
  console.table(rows);
}
