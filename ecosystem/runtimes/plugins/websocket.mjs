import { equal } from 'node:assert/strict';
import plugin from '@fastify/websocket';
import { errorOf } from '../error-of.mjs';

export function setUp(app) {
  app.register(plugin);
  app.register(async (child) => {
    child.get('/', { websocket: true }, (socket) => {
      socket.on('message', (message) => socket.send(`got ${message}`));
    });
  });
}

export async function check(ask, { origin }) {
  if (origin === undefined) {
    // What the server of a runtime passes on: the upgrade is then a request as others are.
    const response = await ask('/', { headers: { connection: 'upgrade', upgrade: 'websocket' } });
    throw await errorOf(response);
  }
  const socket = new WebSocket(origin.replace('http', 'ws'));
  const answer = await new Promise((resolve, reject) => {
    socket.onopen = () => socket.send('hello');
    socket.onmessage = ({ data }) => resolve(data);
    socket.onerror = () => reject(new Error('the socket failed'));
  });
  socket.close();
  equal(answer, 'got hello');
}
