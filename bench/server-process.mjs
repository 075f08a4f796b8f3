// Servers in processes of their own, on their own core. A server sends its port when it listens, and then one answer to each message.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { onServerCore, otherRuntimes, serverEnv } from './machine.mjs';
import { peers } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

/** @param {string[]} command The program ends when it is disconnected, so a run that fails leaves no server behind. */
export async function startProcess(command) {
  const [executable, ...args] = onServerCore(...command);
  // The output of a server goes to the log, because stdout is for the report.
  const stdio = ['ignore', 2, 2, 'ipc'];
  const child = spawn(executable, args, { stdio, serialization: 'json', env: serverEnv });
  const exit = once(child, 'exit');
  const nextMessage = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      exit.then(() => Promise.reject(new Error(`the server process ended: ${command.join(' ')}`))),
    ]);
  return {
    port: /** @type {number} */ (await nextMessage()),
    ask(/** @type {string} */ message) {
      child.send(message);
      return nextMessage();
    },
    async stop() {
      // Not SIGTERM: a server would wait for the kept connections.
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/**
 * Starts a peer, and checks that it sends the responses that the scenario requires.
 *
 * @param {string} peer
 * @param {string} name The name of the scenario.
 * @param {import('./machine.mjs').Runtime} node The runtime of peers on Node.
 */
export async function startPeer(peer, name, node) {
  const { routes = name, isSecure = false, checks = [], load } = scenarios[name];
  const { module, runtime } = peers[peer];
  const { command } = runtime === undefined ? node : otherRuntimes[runtime];
  const script = fileURLToPath(new URL('server.mjs', import.meta.url));
  const args = [script, module, peer, routes, ...(isSecure ? ['secure'] : [])];
  const server = await startProcess([...command, ...args]);
  for (const check of [...checks, load]) await checkResponse(peer, server.port, isSecure, check);
  return server;
}

async function checkResponse(peer, port, isSecure, { request, status = 200, body }) {
  const { method = 'GET', path } = request;
  const answer = await send(port, isSecure, request);
  const isRight = body === undefined || (answer.isJson && isDeepStrictEqual(JSON.parse(answer.text), body));
  if (answer.status === status && isRight) return;
  const expected = body === undefined ? status : `${status} ${JSON.stringify(body)} as application/json`;
  throw new Error(
    `${peer}: ${method} ${path} answered ${answer.status} ${answer.text}, expected ${expected}`,
  );
}

/** Sends a request on its own connection. The certificate is not verified, because it is self-signed. */
async function send(port, isSecure, { method, path, headers, body }) {
  const contentHeaders = body === undefined ? {} : { 'content-type': 'application/json' };
  const options = {
    method,
    headers: { ...headers, ...contentHeaders },
    agent: false,
    rejectUnauthorized: false,
  };
  const { request } = await import(isSecure ? 'node:https' : 'node:http');
  const sent = request({ ...options, host: '127.0.0.1', port, path }).end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const isJson = /^application\/json\b/.test(response.headers['content-type']);
  return { status: response.statusCode, isJson, text: await text(response) };
}
