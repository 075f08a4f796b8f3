// How nginx and HAProxy are set up in front of replicas that are restarted: with kept connections.
import { startReverseProxy } from '../reverse-proxy.mjs';

const settings = {
  // Replicas come back on the same ports within seconds: nginx must not leave them out for longer.
  nginx: (ports) => ({
    servers: [...ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`), 'keepalive 32;'],
  }),
  haproxy: (ports) => ({
    more: ['timeout check 2s', 'retries 3', 'option redispatch 1'].join('\n  '),
    servers: [
      'option httpchk GET /ready',
      ...ports.map((port, i) => `server replica${i} 127.0.0.1:${port} check inter 100ms fall 1 rise 1`),
    ],
  }),
};

export function startProxy(name, folder, ports) {
  return startReverseProxy(name, folder, settings[name](ports));
}
