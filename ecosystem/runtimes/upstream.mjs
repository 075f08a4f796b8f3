// What the plugins talk to: a server of HTTP, which also hands out tokens, and a database.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

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
    origin: `http://127.0.0.1:${server.address().port}`,
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
