// Starts nginx and HAProxy as reverse proxies in front of servers on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Returns a port on which nothing listens. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Creates the configuration of each proxy. `servers` are lines of the list of servers; `more` are lines of the `location`
 * of nginx, or of the defaults of HAProxy.
 */
const configure = {
  nginx: (folder, port, { servers, more = '' }) => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 512; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream servers {
    ${servers.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Connection ""; ${more} }
  }
}`,
  haproxy: (_folder, port, { servers, more = '' }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  ${more}
frontend clients
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  ${servers.join('\n  ')}
`,
};

const commands = {
  nginx: (file, folder) => ['/usr/sbin/nginx', ['-c', file, '-p', folder]],
  haproxy: (file) => ['/usr/sbin/haproxy', ['-f', file, '-db', '-q']],
};

/**
 * Starts a proxy on a free port.
 *
 * @param {'nginx' | 'haproxy'} name
 * @param {string} folder The folder for its files.
 * @param {{ servers: string[], more?: string }} settings Lines of its configuration.
 */
export async function startReverseProxy(name, folder, settings) {
  const port = await findFreePort();
  const file = join(folder, `${name}-${port}.conf`);
  await writeFile(file, configure[name](folder, port, settings));
  const child = spawn(...commands[name](file, folder), { stdio: 'ignore' });
  const kill = () => child.kill();
  process.once('exit', kill);
  await untilListening(port);
  return {
    port,
    async stop() {
      process.removeListener('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}

async function untilListening(port) {
  for (let i = 0; i < 100; i++) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await wait(50);
  }
  throw new Error('the proxy does not listen');
}
