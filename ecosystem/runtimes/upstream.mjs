// What the plugins talk to: a server of HTTP, which also hands out tokens, Postgres, and Redis.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { installPackages } from '../../scripts/debian.mjs';

export async function startUpstream() {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    const content =
      url === '/token' ? { access_token: 'a-token' } : { method, url, header: headers['x-a'], body };
    response.setHeader('content-type', 'application/json').setHeader('x-upstream', 'yes');
    response.end(JSON.stringify(content));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Postgres itself, built for WebAssembly. */
export async function startDatabase() {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 100 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}

/** Redis of Debian, which keeps nothing. */
export async function startRedis() {
  if (!installPackages(['redis-server'])) throw new Error('install redis-server, and run again');
  const port = await findFreePort();
  const args = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(server, 'close');
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes('Ready to accept connections')) break;
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await closed;
    },
  };
}

async function findFreePort() {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
