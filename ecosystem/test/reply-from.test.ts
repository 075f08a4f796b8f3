/** `@fastify/reply-from`: requests are forwarded, and an upstream that answers early is heard, also by a client who is still sending. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import replyFrom from '@fastify/reply-from';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

async function startUpstream(listener: RequestListener): Promise<string> {
  const upstream = createServer(listener).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
}

/** Forwards everything inside its context: bodies as streams, and forms that nobody reads. */
async function makeApp(create: Flavor['create'], listener: RequestListener): Promise<FastifyInstance> {
  const base = await startUpstream(listener);
  const app = create();
  app.register(async (context) => {
    await context.register(multipart);
    await context.register(replyFrom, { base });
    context.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
      done(null, payload),
    );
    context.all('/forwarded', (_request, reply) => reply.from('/target'));
  });
  app.get('/outside', (_request, reply) => ({ isDecorated: 'from' in reply && typeof reply.from }));
  return app;
}

const refuse: RequestListener = (_request, response) => {
  response.writeHead(413, { 'content-type': 'application/json' });
  response.end('{"too":"large"}');
};

const types = {
  'a stream': 'application/octet-stream',
  'a form that nobody reads': 'multipart/form-data; boundary=x',
};
const framings = {
  'of known length': { header: 'Content-Length: 12', pieces: ['half', 'more', 'last'] },
  'in chunks': {
    header: 'Transfer-Encoding: chunked',
    pieces: ['4\r\nhalf\r\n', '4\r\nmore\r\n', '4\r\nlast\r\n0\r\n\r\n'],
  },
};

async function open(origin: string): Promise<{ socket: Socket; received: () => string; failures: Error[] }> {
  const { port } = new URL(origin);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  const failures: Error[] = [];
  let received = '';
  socket.setEncoding('latin1').on('error', (error) => failures.push(error));
  socket.on('data', (chunk) => {
    received += chunk;
  });
  return { socket, received: () => received, failures };
}

describe.each(flavors)('reply-from on $flavor', ({ create }) => {
  test('forwards a request with its body, and the answer with its status and headers', async () => {
    const app = await makeApp(create, async (request, response) => {
      response.writeHead(201, { 'x-upstream': 'yes' });
      response.end(`${request.method} ${request.url} ${await text(request)}`);
    });
    const answer = await fetch(`${await serve(app)}/forwarded?page=2`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'bytes',
    });
    expect([answer.status, answer.headers.get('x-upstream')]).toEqual([201, 'yes']);
    expect(await answer.text()).toBe('POST /target?page=2 bytes');
  });

  test('is not seen outside its context', async () => {
    const app = await makeApp(create, refuse);
    expect(await (await fetch(`${await serve(app)}/outside`)).json()).toEqual({ isDecorated: false });
  });

  for (const [name, type] of Object.entries(types)) {
    for (const [framing, { header, pieces }] of Object.entries(framings)) {
      test(`an upstream that answers before ${name} ${framing} has come is heard, and nothing is reset`, async () => {
        const app = await makeApp(create, refuse);
        const { socket, received, failures } = await open(await serve(app));
        socket.write(
          `POST /forwarded HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${header}\r\n\r\n${pieces[0]}`,
        );
        while (!received().includes('{"too":"large"}')) await once(socket, 'data');
        expect(received()).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
        for (const piece of pieces.slice(1)) {
          socket.write(piece);
          await wait(5);
        }
        socket.end();
        await once(socket, 'close');
        expect(failures).toEqual([]);
      });
    }
  }
});
