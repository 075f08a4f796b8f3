// `npm run test:proxies`: tests the engine behind nginx and HAProxy, with kept connections and with requests that two
// servers could read differently. Every forwarded request gets one response, in order, to the right client, and is read
// as node's own server would read it behind the same proxy. The engine itself serves ordinary requests. Build first. On
// Debian, proxies that are missing are installed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { attach } from '../packages/http-engine/dist/index.cjs';
import { crafted, withInvalidHost } from '../packages/http-engine/test/proxies/crafted.mjs';
import { installPackages } from './debian.mjs';
import { startReverseProxy } from './reverse-proxy.mjs';

const folder = mkdtempSync(join(tmpdir(), 'http-engine-proxies-'));

const settings = {
  nginx: (port) => ({
    servers: [`server 127.0.0.1:${port};`, 'keepalive 4;'],
    more: 'proxy_set_header Host $host;',
  }),
  haproxy: (port) => ({
    servers: [`server one 127.0.0.1:${port} pool-max-conn 4`],
    more: 'http-reuse always',
  }),
};

/** The crafted requests that an application received, and the responses that their clients got. */
async function startServer(isEngine) {
  const seen = [];
  const server = createServer();
  const note = (target, body) => {
    seen.push(`${target} ${body.length}`);
    return `<${target} ${body.length}>`;
  };
  let engine;
  if (isEngine) {
    engine = attach(server, (exchange) => {
      exchange.readBody(
        (body) => exchange.respond(200, {}, note(exchange.target, body)),
        () => {},
      );
    });
  } else {
    server.on('request', (request, response) => {
      buffer(request).then(
        (body) => response.end(note(request.url, body)),
        () => {},
      );
    });
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { seen, server, engine, port: server.address().port };
}

/** Sends bytes, and reads until the connection closes or is silent for some time. */
async function sendBytes(port, bytes) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(Buffer.from(bytes, 'latin1'));
  await Promise.race([closed, wait(500)]);
  socket.destroy();
  return received;
}

const clients = ['ada', 'grace', 'alan'];
/** Requests of each client before the crafted ones: the engine serves all of them. */
const ordinary = 200;

/** A client that requests one thing after another, and must never get the response of another client. */
async function askForOwn(port, name, state) {
  for (let i = 0; !state.isOver; i++) {
    const target = `/${name}-${i}`;
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method: 'POST', body: name });
    assert.equal(await response.text(), `<${target} ${name.length}>`);
    state.count++;
  }
}

async function run(name, isEngine) {
  const { seen, server, engine, port: upstream } = await startServer(isEngine);
  const proxy = await startReverseProxy(name, folder, settings[name](upstream));
  const { port } = proxy;
  try {
    const state = { isOver: false, count: 0 };
    const others = clients.map((each) => askForOwn(port, each, state));
    while (state.count < ordinary * clients.length) await Promise.race([...others, wait(10)]);
    if (isEngine)
      assert.deepEqual(engine.counters.handedOver, {}, `${name}: ordinary requests stay with the engine`);
    const answers = [];
    for (const bytes of crafted) answers.push(await sendBytes(port, bytes));
    const hosts = [];
    for (const bytes of withInvalidHost) hosts.push(await sendBytes(port, bytes));
    state.isOver = true;
    await Promise.all(others);
    const own = seen.filter((each) => !/^\/(?:ada|grace|alan|host)-/.test(each));
    return {
      seen: own,
      bodies: answers.map(readBodies),
      hosts: hosts.join(''),
      others: state.count,
      counters: engine?.counters,
    };
  } finally {
    await proxy.stop();
    server.close();
    server.closeAllConnections();
  }
}

/** Statuses and bodies of the responses. Header fields are ignored, because proxies add their own. */
function readBodies(text) {
  return text.match(/^HTTP\/1\.1 \d+|<\/.*?>/gm) ?? [];
}

async function check(name) {
  const [node, engine] = [await run(name, false), await run(name, true)];
  for (const [i, bytes] of crafted.entries()) {
    assert.deepEqual(
      engine.bodies[i],
      node.bodies[i],
      `${name}: what the client got that sent ${JSON.stringify(bytes)}`,
    );
  }
  assert.deepEqual(engine.seen, node.seen, `${name}: what the application saw`);
  const smuggled = engine.seen.filter((each) => each.startsWith('/smuggled'));
  assert.deepEqual(smuggled, [], `${name}: no body is read as a request`);
  assert.ok(!engine.hosts.includes('/host-'), `${name}: an invalid Host is refused`);
  const { connections, requests, handedOver } = engine.counters;
  console.log(
    `${name}: ${crafted.length} crafted requests, ${engine.seen.length} sent on, ${engine.others} of others: as behind node;`,
    `${connections} connections, ${requests} requests in the lane, handed over: ${JSON.stringify(handedOver)}`,
  );
}

try {
  if (!installPackages(['nginx', 'haproxy'])) throw new Error('install nginx and HAProxy and run again');
  for (const name of Object.keys(settings)) await check(name);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
