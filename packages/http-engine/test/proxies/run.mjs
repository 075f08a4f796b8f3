// `npm run test:proxies`: tests the engine behind nginx and HAProxy, with keep-alive connections and with crafted
// requests, which two servers could parse differently. Every forwarded request gets one response, in order, to the right
// client, and is parsed as Node's server parses it behind the same proxy. The engine serves ordinary requests without
// Node's server. Build first. On Debian, missing proxies are installed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { installPackages } from '../../../../scripts/debian.mjs';
import { startProxy } from '../../../../scripts/load/proxies.mjs';
import { attach } from '../../dist/index.cjs';
import { crafted, withInvalidHost } from './crafted.mjs';

/** The servers and settings of each proxy, which keeps four connections. */
const proxies = {
  nginx: (port) => [[`server 127.0.0.1:${port};`, 'keepalive 4;'], 'proxy_set_header Host $host;'],
  haproxy: (port) => [[`server one 127.0.0.1:${port} pool-max-conn 4`], 'http-reuse always'],
};
const clients = ['ada', 'grace', 'alan'];
/** The number of requests of each client before the crafted requests. The engine serves all of them. */
const requestsPerClient = 200;

/** Starts a server that records the targets and body lengths of its requests, and responds with them. */
async function startServer(isEngine) {
  const received = [];
  const record = (target, body) => {
    received.push(`${target} ${body.length}`);
    return `<${target} ${body.length}>`;
  };
  const ignore = () => {};
  const server = createServer();
  const engine = isEngine
    ? attach(server, (exchange) => {
        exchange.readBody((body) => exchange.respond(200, {}, record(exchange.target, body)), ignore);
      })
    : undefined;
  if (!isEngine)
    server.on('request', (request, response) => {
      buffer(request).then((body) => response.end(record(request.url, body)), ignore);
    });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { received, server, engine };
}

/** Sends bytes, and reads until the connection closes, but at most for half a second. */
async function sendBytes(port, bytes) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text) => (received += text)).on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(Buffer.from(bytes, 'latin1'));
  await Promise.race([closed, wait(500)]);
  socket.destroy();
  return received;
}

/** Sends one request after another, and fails if a response belongs to another client. */
async function runOrdinaryClient(port, name, state) {
  for (let i = 0; !state.isOver; i++) {
    const target = `/${name}-${i}`;
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method: 'POST', body: name });
    assert.equal(await response.text(), `<${target} ${name.length}>`);
    state.count++;
  }
}

async function run(name, isEngine, folder) {
  const { received, server, engine } = await startServer(isEngine);
  const { port, stop } = await startProxy(name, folder, ...proxies[name](server.address().port));
  try {
    const state = { isOver: false, count: 0 };
    const others = clients.map((client) => runOrdinaryClient(port, client, state));
    while (state.count < requestsPerClient * clients.length) await Promise.race([...others, wait(10)]);
    if (isEngine)
      assert.deepEqual(engine.counters.handedOver, {}, `${name}: ordinary requests stay with the engine`);
    const bodies = [];
    let hosts = '';
    // Header fields are ignored, because proxies add their own.
    for (const bytes of crafted)
      bodies.push((await sendBytes(port, bytes)).match(/^HTTP\/1\.1 \d+|<\/.*?>/gm) ?? []);
    for (const bytes of withInvalidHost) hosts += await sendBytes(port, bytes);
    state.isOver = true;
    await Promise.all(others);
    const forwarded = received.filter((target) => !/^\/(?:ada|grace|alan|host)-/.test(target));
    return { forwarded, bodies, hosts, others: state.count, counters: engine?.counters };
  } finally {
    await stop();
    server.close();
    server.closeAllConnections();
  }
}

async function check(name, folder) {
  const [node, engine] = [await run(name, false, folder), await run(name, true, folder)];
  for (const [i, bytes] of crafted.entries())
    assert.deepEqual(engine.bodies[i], node.bodies[i], `${name}: the response to ${JSON.stringify(bytes)}`);
  assert.deepEqual(engine.forwarded, node.forwarded, `${name}: the requests that the application received`);
  const smuggled = engine.forwarded.filter((target) => target.startsWith('/smuggled'));
  assert.deepEqual(smuggled, [], `${name}: no body is read as a request`);
  assert.ok(!engine.hosts.includes('/host-'), `${name}: an invalid Host is rejected`);
  const { connections, requests, handedOver } = engine.counters;
  console.log(
    `${name}: ${crafted.length} crafted requests, ${engine.forwarded.length} forwarded, ${engine.others} ordinary requests: same as Node's server;`,
    `${connections} connections, ${requests} requests served by the engine, handed over: ${JSON.stringify(handedOver)}`,
  );
}

if (!installPackages(Object.keys(proxies))) throw new Error('install nginx and HAProxy and run again');
const folder = mkdtempSync(join(tmpdir(), 'http-engine-proxies-'));
try {
  for (const name of Object.keys(proxies)) await check(name, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
