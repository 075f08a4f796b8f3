/** `@fastify/websocket`: upgrades go through hooks and routes of the context that registers it, and to no route outside. */
import { once } from 'node:events';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(
    async (context) => {
      await context.register(websocket, { options: { maxPayload: 16 } });
      context.addHook('preValidation', async (request, reply) => {
        await (request.headers.foe === undefined ? undefined : reply.code(401).send('not authenticated'));
      });
      context.decorate('greeting', 'hello');
      context.get('/echo/:name', { websocket: true }, function (socket, request) {
        const { name } = request.params as { name: string };
        socket.on('message', (message) => socket.send(`${this.greeting} ${name}: ${message}`));
      });
      context.get('/plain', () => 'plain');
      context.route({
        method: 'GET',
        url: '/both',
        handler: () => 'over http',
        wsHandler: (socket) => socket.send('over websocket'),
      });
      context.get('/broken', { websocket: true }, async () => {
        throw new Error('broken');
      });
    },
    { prefix: '/inside' },
  );
  // Outside its context the plugin ends no socket, with Fastify neither: who answers an upgrade has to.
  app.addHook('onResponse', async (request) => void request.raw.socket.destroySoon());
  app.get('/outside', (request) => ({ ws: typeof request.ws, server: typeof app.websocketServer }));
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    greeting: string;
  }
}

function connect(origin: string, path: string, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers });
  // A socket that is ended before it is open says so by an error.
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  return socket;
}

/** The status that an upgrade is refused with. */
async function refusal(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

describe.each(flavors)('websocket on $flavor', ({ create }) => {
  test('messages go both ways, and the handler knows its context and its request', async () => {
    const socket = connect(await serve(makeApp(create)), '/inside/echo/ada');
    await once(socket, 'open');
    for (const text of ['one', 'two']) {
      socket.send(text);
      const [message] = await once(socket, 'message');
      expect(`${message}`).toBe(`hello ada: ${text}`);
    }
  });

  test('a message of 16 bytes under a limit of 16 bytes is answered', async () => {
    const socket = connect(await serve(makeApp(create)), '/inside/echo/ada');
    await once(socket, 'open');
    socket.send('m'.repeat(16));
    const [message] = await once(socket, 'message');
    expect(`${message}`).toBe(`hello ada: ${'m'.repeat(16)}`);
  });

  test('a message of 17 bytes closes the socket as too big', async () => {
    const socket = connect(await serve(makeApp(create)), '/inside/echo/ada');
    await once(socket, 'open');
    socket.send('m'.repeat(17));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
  });

  test('a hook refuses an upgrade before there is a websocket', async () => {
    const socket = connect(await serve(makeApp(create)), '/inside/echo/ada', { foe: 'yes' });
    expect(await refusal(socket)).toBe(401);
  });

  test('one route serves both http and websockets', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/inside/both`)).text()).toBe('over http');
    const [message] = await once(connect(origin, '/inside/both'), 'message');
    expect(`${message}`).toBe('over websocket');
  });

  test('a websocket route answers plain requests with 404', async () => {
    const origin = await serve(makeApp(create));
    expect((await fetch(`${origin}/inside/echo/ada`)).status).toBe(404);
  });

  test('a websocket to a route of the context that is none is closed', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/inside/plain`)).text()).toBe('plain');
    const [code] = await once(connect(origin, '/inside/plain'), 'close');
    expect(code).toBe(1005);
  });

  test('an upgrade of an unknown url is answered 404', async () => {
    expect(await refusal(connect(await serve(makeApp(create)), '/nowhere'))).toBe(404);
  });

  test('a handler that fails ends its socket and nothing else', async () => {
    const origin = await serve(makeApp(create));
    const [code] = await once(connect(origin, '/inside/broken'), 'close');
    expect(code).toBe(1006);
    expect((await fetch(`${origin}/inside/plain`)).status).toBe(200);
  });

  test('closing the application closes the sockets first', async () => {
    const app = makeApp(create);
    const socket = connect(await serve(app), '/inside/echo/ada');
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await app.close();
    expect((await closed)[0]).toBe(1005);
  });

  test('injectWS opens a websocket without a network', async () => {
    const app = create();
    onTestFinished(() => app.close());
    await app.register(websocket);
    app.get('/', { websocket: true }, (socket) => {
      socket.on('message', (message) => socket.send(`got ${message}`));
    });
    await app.ready();
    const socket = await app.injectWS('/');
    socket.send('it');
    const [message] = await once(socket, 'message');
    expect(`${message}`).toBe('got it');
    socket.terminate();
  });

  test('outside the context a route is no websocket and nothing is decorated', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/outside`)).json()).toEqual({ ws: 'undefined', server: 'undefined' });
    expect(await refusal(connect(origin, '/outside'))).toBe(200);
  });
});
