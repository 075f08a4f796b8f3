/** The diagnostics channels to which monitoring tools for Fastify subscribe. */
import { channel, subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { ambit, type Reply, type Request } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

interface Trace {
  request: Request;
  reply: Reply;
  route: { url: string; method: string };
  async: boolean;
  error?: Error;
}

function trace(): { names: string[]; messages: Trace[] } {
  const names: string[] = [];
  const messages: Trace[] = [];
  const note = (name: string) => (message: unknown) => {
    names.push(name);
    messages.push(message as Trace);
  };
  const subscribers = Object.fromEntries(
    ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => [name, note(name)]),
  );
  const handlers = tracingChannel('fastify.request.handler');
  handlers.subscribe(subscribers as never);
  onTestFinished(() => void handlers.unsubscribe(subscribers as never));
  return { names, messages };
}

describe('fastify.initialization', () => {
  test('publishes each new application', () => {
    const seen: unknown[] = [];
    const note = (message: unknown): void => void seen.push(message);
    subscribe('fastify.initialization', note);
    onTestFinished(() => void unsubscribe('fastify.initialization', note));
    const app = ambit();
    expect(seen).toHaveLength(1);
    expect((seen[0] as { fastify: unknown }).fastify === app).toBe(true);
  });

  test('costs nothing without subscribers', () => {
    expect(channel('fastify.initialization').hasSubscribers).toBe(false);
  });
});

describe('tracing:fastify.request.handler', () => {
  test('a handler that replies synchronously is published with start and end', async () => {
    const { names, messages } = trace();
    const app = ambit();
    app.get('/items/:id', (_request, reply) => {
      reply.send('done');
    });
    await app.inject('/items/1');
    expect(names).toEqual(['start', 'end']);
    expect(messages[0]).toBe(messages[1]);
    const { request, reply, route, async } = messages[0]!;
    expect(request.url).toBe('/items/1');
    expect(reply.statusCode).toBe(200);
    expect(route).toEqual({ url: '/items/:id', method: 'GET' });
    expect(async).toBe(false);
  });

  test('a handler that returns a promise is published with asyncStart and asyncEnd, too', async () => {
    const { names, messages } = trace();
    const app = ambit();
    app.get('/', async () => 'done');
    expect((await app.inject('/')).body).toBe('done');
    expect(names).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(messages[0]?.async).toBe(true);
  });

  test('a handler that throws is published with its error', async () => {
    const { names, messages } = trace();
    const app = ambit();
    app.get('/', () => {
      throw new Error('it broke');
    });
    await app.inject('/');
    expect(names).toEqual(['start', 'error', 'end']);
    expect(messages[1]?.error?.message).toBe('it broke');
  });

  test('a handler that rejects is published with its error', async () => {
    const { names, messages } = trace();
    const app = ambit();
    app.get('/', async () => {
      throw new Error('it broke');
    });
    await app.inject('/');
    expect(names).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    expect(messages[2]?.error?.message).toBe('it broke');
  });

  test('a not-found handler is not published', async () => {
    const { names } = trace();
    await ambit().inject('/nowhere');
    expect(names).toEqual([]);
  });
});
