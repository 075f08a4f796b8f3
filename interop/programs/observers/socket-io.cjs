'use strict';

// Prints what clients of socket.io and of the framework get from one server. The third argument says when socket.io attaches itself.
const { once } = require('node:events');
const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');
const { create, declareNotes, requestNotes } = require('./serve.cjs');

function attachSocketIo(app) {
  const io = new Server(app.server);
  io.on('connection', (socket) => {
    socket.on('ask', (number, reply) => {
      socket.emit('told', number + 1);
      reply(`${socket.conn.transport.name} ${number}`);
    });
  });
}

/** Asks the server, and waits for its own event as well. */
async function exchangeEvents(origin, transport) {
  const client = connect(origin, { transports: [transport], forceNew: true, reconnection: false });
  client.on('connect_error', (error) => {
    throw error;
  });
  await once(client, 'connect');
  const told = once(client, 'told');
  const reply = await client.emitWithAck('ask', 41);
  const events = [reply, ...(await told)];
  const left = once(client, 'disconnect');
  client.disconnect();
  await left;
  return events;
}

(async () => {
  const { app, served } = create();
  declareNotes(app);
  const attachments = {
    'before listen': [attachSocketIo, () => {}],
    'after listen': [() => {}, attachSocketIo],
  };
  const [before, after] = attachments[process.argv[3]];
  before(app);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  after(app);
  const events = [await exchangeEvents(origin, 'polling'), await exchangeEvents(origin, 'websocket')];
  const statuses = await requestNotes(origin);
  await app.close();
  console.log(JSON.stringify({ events, statuses, served: served() }));
})();
