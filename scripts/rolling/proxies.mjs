// nginx and HAProxy in front of replicas, with kept connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './replicas.mjs';

/** Replicas come back on the same ports within seconds: nginx must not leave them out for longer. */
const nginx = (folder, port, replicas) => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 512; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream replicas {
    ${replicas.map((replica) => `server 127.0.0.1:${replica} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}`;

const haproxy = (_folder, port, replicas) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout check 2s
  retries 3
  option redispatch 1
frontend clients
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  option httpchk GET /ready
  ${replicas.map((replica, i) => `server replica${i} 127.0.0.1:${replica} check inter 100ms fall 1 rise 1`).join('\n  ')}
`;

const programs = {
  nginx: [nginx, (file, folder) => ['/usr/sbin/nginx', ['-c', file, '-p', folder]]],
  haproxy: [haproxy, (file) => ['/usr/sbin/haproxy', ['-f', file, '-db', '-q']]],
};

export async function startProxy(name, folder, replicas) {
  const [configure, command] = programs[name];
  const port = await findFreePort();
  const file = join(folder, `${name}.conf`);
  await writeFile(file, configure(folder, port, replicas));
  const child = spawn(...command(file, folder), { stdio: 'ignore' });
  await untilListening(port);
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
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
