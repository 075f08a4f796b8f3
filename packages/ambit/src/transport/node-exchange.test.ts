/** The bytes on the wire are those that node's own response would have sent, with every way of calling `end`. */
import http, { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ambit } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { converse, lastRequest, open, request } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

/** Sends the same request to the same listener on our server and on node's. Returns both answers without their date. */
async function answersTo(method: string, listener: RequestListener): Promise<[ours: string, nodes: string]> {
  const app = ambit();
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    },
  });
  const server = http.createServer({ keepAliveTimeout: 72_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const ports = [await servePort(app), (server.address() as AddressInfo).port];
  const [ours, nodes] = await Promise.all(ports.map((port) => converse(port, lastRequest(method, '/'))));
  return [withoutDate(ours!), withoutDate(nodes!)];
}

function withoutDate(answer: string): string {
  return answer.replace(/^Date: .*\r\n/m, '');
}

describe('an answer is the one that node would give', () => {
  const listeners: Record<string, RequestListener> = {
    'to a text behind its head': (_, response) => response.writeHead(200, { 'content-length': 2 }).end('ok'),
    'to a text without a head': (_, response) => response.end('ok'),
    'to a text without a length': (_, response) => response.writeHead(200).end('ok'),
    'to an empty text': (_, response) => response.writeHead(200, { 'content-length': 0 }).end(''),
    'to text beyond ASCII': (_, response) =>
      response.writeHead(200, { 'content-length': 12 }).end('naïve 😀'),
    'to Latin-1 text': (_, response) => response.writeHead(200, { 'content-length': 2 }).end('é'),
    'to half of a surrogate pair': (_, response) =>
      response.writeHead(200, { 'content-length': 3 }).end('\ud83d'),
    'to text in an encoding of its own': (_, response) =>
      response.writeHead(200, { 'content-length': 2 }).end('6f6b', 'hex'),
    'to bytes': (_, response) => response.writeHead(200, { 'content-length': 2 }).end(Buffer.from('ok')),
    'to a head of Latin-1': (_, response) =>
      response.writeHead(200, { 'content-length': 2, 'x-name': 'é' }).end('ok'),
    'to chunks': (_, response) => {
      response.writeHead(200, { 'content-length': 4 }).write('ab');
      response.end('cd');
    },
    'to a head that is out already': (_, response) => {
      response.writeHead(200, { 'content-length': 2 }).flushHeaders();
      response.end('ok');
    },
    'to a status without content': (_, response) => response.writeHead(304).end('ok'),
    'to trailers': (_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked', trailer: 'x-sum' });
      response.addTrailers({ 'x-sum': '1' });
      response.end('ok');
    },
    'to early hints': (_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.writeHead(200, { 'content-length': 2 }).end('ok');
    },
    'to a second end': (_, response) =>
      response
        .on('error', () => {})
        .writeHead(200, { 'content-length': 2 })
        .end('ok')
        .end('more'),
    'to a length that is strictly checked': (_, response) => {
      response.strictContentLength = true;
      response.writeHead(200, { 'content-length': 2 }).end('ok');
    },
    'to an end that says when': (_, response) =>
      response.writeHead(200, { 'content-length': 2 }).end('ok', 'utf8', () => response.socket?.end()),
    'to a callback alone': (_, response) =>
      response.writeHead(200, { 'content-length': 0 }).end(() => response.socket?.end()),
  };
  for (const [name, listener] of Object.entries(listeners)) {
    for (const method of ['GET', 'HEAD']) {
      test(`${name}, asked by ${method}`, async () => {
        const [ours, nodes] = await answersTo(method, listener);
        expect(ours).toBe(nodes);
      });
    }
  }
});

test('a wrong length is still refused where lengths are strict', async () => {
  const failures: unknown[] = [];
  await answersTo('GET', (_, response) => {
    response.strictContentLength = true;
    try {
      response.writeHead(200, { 'content-length': 1 }).end('ok');
    } catch (error) {
      failures.push((error as { code?: string }).code);
      response.destroy();
    }
  });
  expect(failures).toEqual(['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'ERR_HTTP_CONTENT_LENGTH_MISMATCH']);
});

test('middleware that wraps `end` gets the text', async () => {
  const app = ambit();
  app.addHook('onRequest', (_request, reply, done) => {
    const end = reply.raw.end.bind(reply.raw) as (text: string) => ServerResponse;
    reply.raw.end = ((text: string) => end(text.toUpperCase())) as typeof reply.raw.end;
    done();
  });
  app.get('/', async () => 'ok');
  const answer = await converse(await servePort(app), lastRequest('GET', '/'));
  expect(answer).toMatch(/\r\n\r\nOK$/);
});

test('a middleware that puts another text in place of one that was measured has it written as it is', async () => {
  const app = ambit();
  app.addHook('onRequest', (_request, reply, done) => {
    const end = reply.raw.end.bind(reply.raw) as (text: string) => ServerResponse;
    reply.raw.end = (() => end('é')) as typeof reply.raw.end;
    done();
  });
  app.get('/', async () => 'ok');
  const answer = await converse(await servePort(app), lastRequest('GET', '/'));
  expect(answer.endsWith('\r\n\r\n\xc3\xa9')).toBe(true);
});

test('answers to pipelined requests keep their order, and their texts', async () => {
  const app = ambit();
  app.get('/:ms', async (request) => {
    const { ms } = request.params as { ms: string };
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    return `after ${ms}`;
  });
  const { socket, until } = await open(await servePort(app));
  onTestFinished(() => void socket.destroy());
  socket.write(request('GET', '/20') + request('GET', '/10') + request('GET', '/0'));
  const received = await until('after 0');
  expect(received.match(/after \d+/g)).toEqual(['after 20', 'after 10', 'after 0']);
});

test('a response class of the application takes the place of ours', async () => {
  class Loud<Received extends IncomingMessage = IncomingMessage> extends ServerResponse<Received> {
    override end(...args: unknown[]): this {
      return super.end(`${args[0]}!`);
    }
  }
  const app = ambit({ http: { ServerResponse: Loud } });
  app.get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).end('ok');
  });
  expect(await converse(await servePort(app), lastRequest('GET', '/'))).toContain('ok!');
});
