/**
 * Whole answers are the same as node's before bytes, byte for byte: node writes a head in UTF-8 if a text follows. Errors of applications are
 * the same as node's, too.
 */
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AnswerFields, Payload } from '../src/index.ts';
import { connectTo, get, serve } from './support/serve.ts';
import { listen } from './support/wire.ts';

type Answer = readonly [status: number, fields: AnswerFields, payload?: Payload];

const bytes = Buffer.from('bytes \xff\0', 'latin1');

const answers: Readonly<Record<string, Answer>> = {
  'a text': [200, { 'content-type': 'text/plain' }, 'hello'],
  'a text beyond ASCII': [200, { 'content-type': 'text/plain; charset=utf-8' }, 'grüße 😀'],
  'a text with half a surrogate pair': [200, {}, 'a\ud800b'],
  'an empty text': [200, {}, ''],
  'no payload': [200, {}],
  bytes: [200, { 'content-type': 'application/octet-stream' }, bytes],
  'bytes of an array': [200, {}, new Uint8Array([1, 2, 255])],
  'many bytes': [200, {}, Buffer.alloc(100_000, 'x')],
  'a long text': [200, {}, 'long '.repeat(30_000)],
  'a length that was given': [200, { 'content-length': 5 }, 'hello'],
  'a length that was given as text': [200, { 'Content-Length': '5' }, 'hello'],
  'an own date': [200, { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'hello'],
  'several cookies': [200, { 'set-cookie': ['a=1', 'b=2'] }, 'hello'],
  'one cookie': [200, { 'set-cookie': 'a=1' }, 'hello'],
  'a list of values': [200, { 'x-list': ['a', 'b'] }, 'hello'],
  'a value beyond ASCII': [200, { 'x-name': 'J\xfcrgen' }, 'hello'],
  'a value beyond ASCII before a text beyond it': [200, { 'x-name': 'J\xfcrgen' }, 'grüße'],
  'a value beyond ASCII before bytes': [200, { 'x-name': 'J\xfcrgen' }, bytes],
  'a number as value': [200, { 'x-number': 7 }, 'hello'],
  'names in their own case': [200, { 'X-MiXeD': 'a', ETag: '"1"' }, 'hello'],
  'a connection that ends': [200, { connection: 'close' }, 'hello'],
  'a connection that is kept by word': [200, { Connection: 'keep-alive' }, 'hello'],
  'chunks by word': [200, { 'transfer-encoding': 'chunked' }, 'hello'],
  'a keep-alive field': [200, { 'keep-alive': 'timeout=99' }, 'hello'],
  'a disposition': [200, { 'content-disposition': 'attachment; filename="a.txt"' }, 'hello'],
  'no content': [204, {}],
  'no content with a payload': [204, { 'x-a': '1' }, 'ignored'],
  'not modified': [304, { etag: '"1"' }],
  'a status without a name': [599, {}, 'odd'],
  'not found': [404, { 'content-type': 'application/json' }, '{"a":1}'],
};

function answerAsNode(response: ServerResponse, [status, fields, payload]: Answer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(fields)) response.setHeader(name, value as string);
  response.end(typeof payload === 'string' ? Buffer.from(payload) : payload);
}

async function ask(port: number, text: string): Promise<string> {
  const client = await connectTo(port);
  client.send(text);
  return (await client.end()).replaceAll(/Date: [^\r]*GMT/g, 'Date: then');
}

describe('an answer is as node writes it', () => {
  for (const [title, answer] of Object.entries(answers)) {
    for (const method of ['GET', 'HEAD']) {
      test(`${title}, to a ${method}`, async () => {
        const node = createServer((_request, response) => answerAsNode(response, answer));
        onTestFinished(() => void node.close());
        const request = get().replace('GET', method).repeat(2);
        const { port, engine } = await serve((exchange) => exchange.respond(...answer));
        expect(await ask(port, request)).toBe(await ask(await listen(node), request));
        expect(engine.counters.handedOver).toEqual({});
      });
    }
  }

  for (const [title, fields] of Object.entries({
    'of the engine': {},
    "of node's object": { connection: 'close' },
    'in chunks': { connection: 'close', 'transfer-encoding': 'chunked' },
  })) {
    for (const name of ['content-disposition', 'x-name', 'set-cookie']) {
      test(`the field ${name} of an answer ${title} is Latin-1, whatever follows`, async () => {
        for (const payload of [undefined, '', 'text', 'grüße', bytes, 'long ü'.repeat(1000)]) {
          for (const method of ['GET', 'HEAD']) {
            const value = 'a; filename="caf\xe9.pdf"';
            const { port } = await serve((exchange) =>
              exchange.respond(200, { ...fields, [name]: value }, payload),
            );
            const text = await ask(port, get().replace('GET', method));
            expect(text).toContain(`${name}: ${value}\r\n`);
            expect(text.includes(Buffer.from(payload ?? '').toString('latin1'))).toBe(
              method === 'GET' || !payload,
            );
          }
        }
      });
    }
  }

  test('with a length that was measured before', async () => {
    const { port } = await serve((exchange) => exchange.respond(200, {}, 'grüße', 7));
    expect(await ask(port, get())).toContain('Content-Length: 7\r\n\r\ngr\xc3\xbc\xc3\x9fe');
  });

  for (const [keepAliveTimeout, maxRequestsPerSocket] of [
    [5000, 0],
    [7999, 3],
    [0, 0],
    [72_000, 2],
  ] as const) {
    test(`where connections are kept for ${keepAliveTimeout} ms and ${maxRequestsPerSocket} requests`, async () => {
      const limits = { keepAliveTimeout, maxRequestsPerSocket };
      const node = Object.assign(
        createServer((_request, response) => void response.end('x')),
        limits,
      );
      onTestFinished(() => void node.close());
      const { port } = await serve((exchange) => exchange.respond(200, {}, 'x'), {
        prepare: (server) => Object.assign(server, limits),
      });
      const request = get().repeat(2);
      expect(await ask(port, request)).toBe(await ask(await listen(node), request));
    });
  }
});

describe('an invalid answer is refused as node refuses it', () => {
  const faults: Readonly<Record<string, readonly [Answer, string]>> = {
    'a line end in a value': [[200, { 'x-a': 'a\r\nx-b: b' }, 'x'], 'ERR_INVALID_CHAR'],
    'a NUL in a value': [[200, { 'x-a': 'a\0' }, 'x'], 'ERR_INVALID_CHAR'],
    'a character beyond Latin-1': [[200, { 'x-a': '😀' }, 'x'], 'ERR_INVALID_CHAR'],
    'a name with a space': [[200, { 'x a': 'a' }, 'x'], 'ERR_INVALID_HTTP_TOKEN'],
    'an empty name': [[200, { '': 'a' }, 'x'], 'ERR_INVALID_HTTP_TOKEN'],
    'a value that is undefined': [[200, { 'x-a': undefined }, 'x'], 'ERR_HTTP_INVALID_HEADER_VALUE'],
    'a status of two digits': [[99, {}, 'x'], 'ERR_HTTP_INVALID_STATUS_CODE'],
    'a status of four digits': [[1000, {}, 'x'], 'ERR_HTTP_INVALID_STATUS_CODE'],
  };
  for (const [title, [answer, code]] of Object.entries(faults)) {
    test(`${title}, and another answer may follow`, async () => {
      const { port } = await serve((exchange) => {
        expect(() => exchange.respond(...answer)).toThrow(expect.objectContaining({ code }));
        expect(exchange.isEnded).toBe(false);
        exchange.respond(500, { 'x-b': 'b' }, 'sorry');
      });
      const text = await ask(port, get());
      expect(text).toMatch(/^HTTP\/1\.1 500 .*x-b: b\r\n.*sorry$/s);
      expect(text).not.toContain('x-a');
    });
  }

  test('a second answer, while the first one stands', async () => {
    const { port } = await serve((exchange) => {
      exchange.respond(200, {}, 'first');
      expect(exchange.isEnded).toBe(true);
      expect(exchange.isHeadWritten).toBe(true);
      expect(() => exchange.respond(200, {}, 'second')).toThrow(
        expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' }),
      );
    });
    expect(await ask(port, get())).toMatch(/\r\n\r\nfirst$/);
  });
});
