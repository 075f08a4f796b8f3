import { equal } from 'node:assert/strict';
import plugin from '@fastify/websocket';

export function setUp(app) {
  app.register(plugin);
  app.register(async (child) => {
    child.get('/', { websocket: true }, (socket) => {
      socket.on('message', (message) => socket.send(`got ${message}`));
    });
  });
}

export async function check(_ask, { raw, origin }) {
  try {
    equal(await sayHello(origin.replace('http', 'ws')), 'got hello');
  } catch {
    // Without a server of node, the upgrade is a request as others are, and its response has the error.
    const { body } = await raw('/', { headers: { connection: 'upgrade', upgrade: 'websocket' } });
    const { code, message } = JSON.parse(body);
    throw Object.assign(new Error(message), { code });
  }
}

async function sayHello(url) {
  const socket = new WebSocket(url);
  const answer = await new Promise((resolve, reject) => {
    socket.onopen = () => socket.send('hello');
    socket.onmessage = ({ data }) => resolve(data);
    socket.onerror = () => reject(new Error('the socket failed'));
  });
  socket.close();
  return answer;
}
