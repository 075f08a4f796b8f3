// The chat room: a stream of its messages as server-sent events, and a route that adds a message.
import { EventEmitter, on } from 'node:events';

const maxMessages = 100;

const message = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    from: { type: 'string' },
    text: { type: 'string' },
    at: { type: 'string' },
  },
  required: ['id', 'from', 'text', 'at'],
};

const newMessage = {
  type: 'object',
  properties: {
    from: { type: 'string', minLength: 1, maxLength: 40 },
    text: { type: 'string', minLength: 1, maxLength: 500 },
  },
  required: ['from', 'text'],
  additionalProperties: false,
};

/**
 * An event is a message, whose id browsers send when they reconnect, the number of visitors, or the time after which
 * browsers reconnect.
 */
const event = {
  oneOf: [
    {
      type: 'object',
      properties: { event: { const: 'message' }, id: { type: 'integer' }, data: message },
      required: ['event', 'id', 'data'],
    },
    {
      type: 'object',
      properties: { event: { const: 'visitors' }, data: { type: 'integer' } },
      required: ['event', 'data'],
    },
    { type: 'object', properties: { retry: { type: 'integer' } }, required: ['retry'] },
  ],
};

export async function room(context) {
  const bus = new EventEmitter().setMaxListeners(0);
  const messages = [];
  let lastId = 0;
  let visitors = 0;

  const send = (event) => bus.emit('event', event);
  const countVisitors = (change) => {
    visitors += change;
    send({ event: 'visitors', data: visitors });
  };

  context.get(
    '/events',
    {
      schema: {
        summary: 'The messages of the room, and those to come',
        headers: { type: 'object', properties: { 'last-event-id': { type: 'integer' } } },
        response: { 200: { content: { 'text/event-stream': { itemSchema: event } } } },
      },
    },
    async function* ({ headers, signal }) {
      // Listens before the first `yield`, so that it does not miss events.
      const events = on(bus, 'event', { signal });
      countVisitors(1);
      try {
        // A browser that loses the connection reconnects after one second.
        yield { retry: 1000 };
        const last = headers['last-event-id'] ?? 0;
        for (const data of messages.filter(({ id }) => id > last))
          yield { event: 'message', id: data.id, data };
        for await (const [event] of events) yield event;
      } finally {
        countVisitors(-1);
      }
    },
  );

  context.post(
    '/messages',
    { schema: { summary: 'Says something in the room', body: newMessage, response: { 201: message } } },
    async ({ body, ip }, reply) => {
      // The IP address is not sent, because the response schemas do not declare it.
      const added = { id: ++lastId, ...body, at: new Date().toISOString(), ip };
      messages.push(added);
      if (messages.length > maxMessages) messages.shift();
      send({ event: 'message', id: added.id, data: added });
      return reply.code(201).send(added);
    },
  );
}
