/** The types of streams: `yield` must match the item schema, and a client gets the type of that schema. */
import { ambit, type RouteHandler } from 'ambit';
import { client } from 'ambit/client';
import { expectTypeOf } from 'vitest';

const price = {
  type: 'object',
  properties: { symbol: { type: 'string' }, cents: { type: 'integer' } },
  required: ['symbol', 'cents'],
  additionalProperties: false,
} as const;

const events = {
  response: {
    200: {
      content: {
        'text/event-stream': {
          itemSchema: {
            oneOf: [
              {
                type: 'object',
                properties: { event: { const: 'price' }, data: price },
                required: ['event', 'data'],
                additionalProperties: false,
              },
              {
                type: 'object',
                properties: { event: { const: 'bye' }, id: { type: 'string' } },
                required: ['event'],
                additionalProperties: false,
              },
            ],
          },
        },
      },
    },
  },
} as const;
const lines = { response: { 200: { content: { 'application/x-ndjson': { itemSchema: price } } } } } as const;
const array = { response: { 200: { content: { 'application/json': { itemSchema: price } } } } } as const;
const either = {
  response: {
    200: {
      content: { 'application/json': { schema: price }, 'application/x-ndjson': { itemSchema: price } },
    },
  },
} as const;

const prices: AsyncIterable<{ symbol: string; cents: number }> = null as never;

const app = ambit()
  .get('/events', { schema: events }, async function* () {
    yield { event: 'price', data: { symbol: 'AMB', cents: 1 } };
    yield { event: 'bye', id: '7' };
  })
  .get('/lines', { schema: lines }, async function* (request) {
    expectTypeOf(request.signal).toEqualTypeOf<AbortSignal>();
    yield { symbol: 'AMB', cents: 1n };
  })
  .get('/array', { schema: array }, () => prices)
  .get('/later', { schema: array }, async () => prices)
  .get('/sent', { schema: array }, (_request, reply) => reply.send(prices))
  .get('/bytes', { schema: lines }, () => new Response('{}\n'))
  .get('/either', { schema: either }, () => ({ symbol: 'AMB', cents: 1 }))
  .get('/either/lines', { schema: either }, () => prices);

ambit()
  // @ts-expect-error an item has another type
  .get('/', { schema: lines }, async function* () {
    yield { symbol: 'AMB', cents: 'one' };
  })
  // @ts-expect-error an item lacks a property
  .get('/2', { schema: lines }, async function* () {
    yield { symbol: 'AMB' };
  })
  // @ts-expect-error an event has a name that is not declared
  .get('/3', { schema: events }, async function* () {
    yield { event: 'other' };
  })
  // @ts-expect-error the response has no schema for a whole value
  .get('/4', { schema: lines }, () => ({ symbol: 'AMB', cents: 1 }))
  // @ts-expect-error an array does not stream
  .get('/5', { schema: lines }, () => [{ symbol: 'AMB', cents: 1 }])
  .get('/6', { schema: array }, (_request, reply) => {
    const others: AsyncIterable<{ symbol: 1 }> = null as never;
    // @ts-expect-error the items of an iterable have another type
    reply.send(others);
  });

const inFile: RouteHandler<typeof lines> = async function* () {
  yield { symbol: 'AMB', cents: 1 };
};
ambit().get('/', { schema: lines }, inFile);

// @ts-expect-error an item has another type
const wrongInFile: RouteHandler<typeof lines> = async function* () {
  yield { symbol: 1 };
};
void wrongInFile;

type Price = { symbol: string; cents: number };
const api = client<typeof app>('http://localhost');

const reply = await api.get('/lines');
if (reply.status === 200) expectTypeOf(reply.body).toEqualTypeOf<AsyncIterable<Price>>();

const whole = await api.get('/array');
if (whole.status === 200) expectTypeOf(whole.body).toEqualTypeOf<Price[]>();

const live = await api.get('/events');
if (live.status === 200) {
  for await (const event of live.body) {
    if (event.event === 'price') expectTypeOf(event.data).toEqualTypeOf<Price>();
    else expectTypeOf(event.id).toEqualTypeOf<string | undefined>();
  }
}
