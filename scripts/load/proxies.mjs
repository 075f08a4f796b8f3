// Starts nginx and HAProxy as reverse proxies in front of servers on this machine, with keep-alive connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const proxies = {
  nginx: {
    command: (file, folder) => ['/usr/sbin/nginx', ['-c', file, '-p', folder]],
    configure: (folder, port, servers, settings) => `
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
    location / { proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Connection ""; ${settings} }
  }
}`,
  },
  haproxy: {
    command: (file) => ['/usr/sbin/haproxy', ['-f', file, '-db', '-q']],
    configure: (_folder, port, servers, settings) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  ${settings}
frontend clients
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  ${servers.join('\n  ')}
`,
  },
};

/**
 * Starts a proxy on a free port.
 *
 * @param {'nginx' | 'haproxy'} name
 * @param {string} folder The folder for its files.
 * @param {string[]} servers Lines of the list of servers.
 * @param {string} [settings] Lines of the `location` of nginx, or of the defaults of HAProxy.
 */
export async function startProxy(name, folder, servers, settings = '') {
  const { command, configure } = proxies[name];
  const port = await findFreePort();
  const file = join(folder, `${name}-${port}.conf`);
  await writeFile(file, configure(folder, port, servers, settings));
  const child = spawn(...command(file, folder), { stdio: 'ignore' });
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
