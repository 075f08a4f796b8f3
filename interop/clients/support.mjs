// A server with the engine for one test, and the requests that every client sends.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { attach } from '@ambit/http-engine';
import { onTestFinished } from 'vitest';

/** What each client asks for, in this order, and what the server answers. */
export const answers = ['GET /1?q=a%20b 0', 'POST /2 5', 'PUT /3 100000', 'DELETE /4 0', 'POST /5 13'];

/** Answers with the method, the target and the length of the body. */
export function echo(exchange, onBody = () => {}) {
  exchange.readBody(
    (body) => {
      const text = `${exchange.method} ${exchange.target} ${body.length}`;
      exchange.respond(200, { 'content-type': 'text/plain' }, text);
      onBody(body);
    },
    () => {},
  );
}

export async function serve(onRequest = (exchange) => echo(exchange)) {
  const server = createServer();
  const { counters } = attach(server, onRequest);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, counters };
}

/** @returns The lines that a program prints. */
export async function run(command, args, env = {}) {
  const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, ...env } });
  return stdout.trim().split('\n');
}

export function programPath(name) {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}
