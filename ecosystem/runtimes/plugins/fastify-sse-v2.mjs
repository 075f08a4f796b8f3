import { equal, match } from 'node:assert/strict';
import { FastifySSEPlugin } from 'fastify-sse-v2';

export function setUp(app) {
  app.register(FastifySSEPlugin);
  app.register(async (child) => {
    child.get('/', (_request, reply) => {
      reply.sse(makeEvents());
    });
  });
}

async function* makeEvents() {
  yield { id: '1', data: 'a note' };
  await new Promise((resolve) => setTimeout(resolve, 1));
  yield { id: '2', event: 'end', data: 'two\nlines' };
}

export async function check(ask) {
  const response = await ask('/');
  match(response.headers.get('content-type'), /^text\/event-stream/);
  const events = 'id: 1\ndata: a note\n\nid: 2\nevent: end\ndata: two\ndata: lines\n\n';
  equal(await response.text(), `retry: 3000\n\n${events}`);
}
