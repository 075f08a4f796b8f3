// Configures nginx and HAProxy in front of replicas that are restarted, with keep-alive connections.
import { startReverseProxy } from '../reverse-proxy.mjs';

const settings = {
  // Replicas are available again on the same ports within seconds, so nginx must not mark them as unavailable.
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
