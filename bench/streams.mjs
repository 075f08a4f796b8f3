// Measures the cost of a client of an event stream, with 10,000 clients on one route: `node bench/streams.mjs [clients] [--light]`. It
// compares Ambit with Fastify and @fastify/sse, and with node:http, which shows the minimum cost of a connection. Each server runs in its
// own process. It sends an event to each new client. Then all clients wait for the next event, as in an application. Run `npm run build`
// first, and `npm install --no-save @fastify/sse@0.6.0`, which is not a dependency of the repository.
import { spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const isLight = process.argv.includes('--light');
const bus = new EventEmitter().setMaxListeners(0);
const event = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    data: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
};

/** With `--light`, it waits without `on`, because the queue of `on` is the largest part of the cost of a client. */
async function* events(signal) {
  const coming = isLight ? undefined : on(bus, 'event', { signal });
  yield { id: 0, data: { text: 'hello' } };
  if (isLight) yield (await once(bus, 'event'))[0];
  else for await (const [data] of coming) yield data;
}

async function serveAmbit(options) {
  const { ambit } = await import('ambit');
  const app = ambit(options);
  const schema = { response: { 200: { content: { 'text/event-stream': { itemSchema: event } } } } };
  app.get('/events', { schema }, ({ signal }) => events(signal));
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const servers = {
  ambit: () => serveAmbit(),
  'ambit, engine: node': () => serveAmbit({ engine: 'node' }),

  async '@fastify/sse'() {
    const { fastify } = await import('fastify');
    const { default: sse } = await import('@fastify/sse');
    const app = fastify();
    await app.register(sse);
    app.get('/events', { sse: 'only' }, (request, reply) => reply.sse.send(events(request.signal)));
    return app.listen({ port: 0, host: '127.0.0.1' });
  },

  async 'node:http'() {
    const write = (response, { id, data }) => response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write(response, { id: 0, data: { text: 'hello' } });
      const listener = (event) => write(response, event);
      bus.on('event', listener);
      response.on('close', () => bus.off('event', listener));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${server.address().port}`;
  },
};

/** Runs the process of a server, which replies to the messages `memory` and `send`. */
async function runServer(name) {
  const origin = await servers[name]();
  process.on('message', async (message) => {
    if (message === 'send') {
      const { user, system } = process.cpuUsage();
      process.once('message', () => {
        const used = process.cpuUsage({ user, system });
        process.send({ cpuMs: (used.user + used.system) / 1000 });
      });
      bus.emit('event', { id: 1, data: { text: 'the event' } });
    } else if (message === 'memory') {
      // Collects twice with a pause, because objects that the first collection frees may keep others alive until then.
      for (let i = 0; i < 2; i++) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      const { rss, heapUsed } = process.memoryUsage();
      process.send({ rss, heapUsed });
    }
  });
  process.send({ port: Number(new URL(origin).port) });
}

/** A client that reads events without storing them. */
class Client {
  #waiting = [];

  constructor(port) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n');
    let isHead = true;
    this.socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (isHead && !text.startsWith('HTTP/1.1 200')) throw new Error(text);
      isHead = false;
      if (text.includes('data: ')) for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  nextEvent() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

async function requestFrom(child, message) {
  const replied = once(child, 'message');
  child.send(message);
  return (await replied)[0];
}

async function measure(name, count) {
  const nodeArgs = [
    '--expose-gc',
    fileURLToPath(import.meta.url),
    '--serve',
    name,
    ...(isLight ? ['--light'] : []),
  ];
  const child = spawn(process.execPath, nodeArgs, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port }] = await once(child, 'message');
  // The first clients load and compile the code that all clients need, so they are not measured.
  const clients = [];
  const add = async (upTo) => {
    while (clients.length < upTo) {
      const newClients = Array.from({ length: Math.min(100, upTo - clients.length) }, () => new Client(port));
      clients.push(...newClients);
      await Promise.all(newClients.map((client) => client.nextEvent()));
    }
  };
  await add(100);
  const before = await requestFrom(child, 'memory');
  await add(100 + count);
  const after = await requestFrom(child, 'memory');
  const received = Promise.all(clients.map((client) => client.nextEvent()));
  const startMs = performance.now();
  child.send('send');
  await received;
  const allMs = performance.now() - startMs;
  const { cpuMs } = await requestFrom(child, 'sent');
  for (const { socket } of clients) socket.destroy();
  child.kill();
  await once(child, 'exit');
  const kilobytes = (field) => ((after[field] - before[field]) / count / 1024).toFixed(1);
  return {
    server: name,
    'RSS per client, KB': kilobytes('rss'),
    'heap per client, KB': kilobytes('heapUsed'),
    'event to all, ms': allMs.toFixed(0),
    'CPU of it, ms': cpuMs.toFixed(0),
  };
}

if (process.argv[2] === '--serve') await runServer(process.argv[3]);
else {
  const count = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 10_000);
  console.log(`Node ${process.version}, ${count} clients`);
  const rows = [];
  for (const name of Object.keys(servers)) rows.push(await measure(name, count));
  console.table(rows);
}
