// The chat room: its messages as live events, and the route that adds one.
import { EventEmitter, on } from 'node:events';

const keptMessages = 100;

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

/** An event is a message, whose id browsers send back when they connect again, or the number of visitors. */
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
      // Before the first `yield`, so that nothing that is sent meanwhile is missed.
      const events = on(bus, 'event', { signal });
      countVisitors(1);
      try {
        // A browser that loses the connection comes back after a second.
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
      // The address stays here: the schemas of the responses do not declare it.
      const added = { id: ++lastId, ...body, at: new Date().toISOString(), ip };
      messages.push(added);
      if (messages.length > keptMessages) messages.shift();
      send({ event: 'message', id: added.id, data: added });
      return reply.code(201).send(added);
    },
  );
}
