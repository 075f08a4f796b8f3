/** How the server sends the `Response` of a handler, and what it does with one that cannot be sent. */
import { createServer } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { FetchHandler } from '../src/fetch.ts';
import { get } from './support/serve.ts';
import { serveFetch } from './support/serve-fetch.ts';
import { listen } from './support/wire.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Errors are printed by default. */
function hushErrors(): { readonly mock: { readonly calls: unknown[][] } } {
  return vi.spyOn(console, 'error').mockImplementation(() => {});
}

/** What a handler sends as one response on a connection of its own, without the fields that the server adds. */
async function bytesOf(handler: FetchHandler, method = 'GET'): Promise<string> {
  const { connect } = await serveFetch(handler);
  const client = await connect();
  client.send(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await client.closed;
  return client.received.replace(/Date: .*\r\n|Connection: close\r\n/g, '');
}

const streamOf = (pieces: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      controller.close();
    },
  });

const type = { 'content-type': 'text/plain' };

test('a text is sent with its length', async () => {
  expect(await bytesOf(() => new Response('é!', { status: 201, headers: type }))).toBe(
    'HTTP/1.1 201 Created\r\ncontent-type: text/plain\r\nContent-Length: 3\r\n\r\n\xc3\xa9!',
  );
});

test('a response of makeResponse is sent with its length, and gets no type', async () => {
  const handler: FetchHandler = (_, server) => server.makeResponse(201, { 'x-a': '1' }, 'é!');
  expect(await bytesOf(handler)).toBe('HTTP/1.1 201 Created\r\nx-a: 1\r\nContent-Length: 3\r\n\r\n\xc3\xa9!');
});

test('a response of bytes is sent as it is', async () => {
  const handler: FetchHandler = async (_, server) => server.makeResponse(200, type, Buffer.from([0, 255]));
  expect(await bytesOf(handler)).toBe(
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nContent-Length: 2\r\n\r\n\x00\xff',
  );
});

test('a stream is sent in chunks', async () => {
  const received = await bytesOf(() => new Response(streamOf(['one', 'two']), { headers: type }));
  const [head, chunks] = received.split(/(?<=\r\n\r\n)(?=\d)/);
  expect(head).toBe('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n');
  // Node 26 writes both in one chunk.
  expect(chunks!.replaceAll(/\r\n|\d/g, '')).toBe('onetwo');
});

test('a stream of a declared length is sent with it', async () => {
  const headers = { ...type, 'content-length': '6' };
  expect(await bytesOf(() => new Response(streamOf(['one', 'two']), { headers }))).toBe(
    'HTTP/1.1 200 OK\r\ncontent-length: 6\r\ncontent-type: text/plain\r\n\r\nonetwo',
  );
});

test('a text with a length that is not its own is sent with its own', async () => {
  const handler = () => new Response('abc', { headers: { ...type, 'content-length': '90' } });
  expect(await bytesOf(handler)).toBe(
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nContent-Length: 3\r\n\r\nabc',
  );
});

for (const [what, declared] of [
  ['shorter', 9],
  ['longer', 4],
] as const) {
  test(`a stream that is ${what} than its declared length ends the connection, and sends nothing beyond it`, async () => {
    const errors = hushErrors();
    const headers = { 'content-length': String(declared) };
    const received = await bytesOf(() => new Response(streamOf(['one', 'two']), { headers }));
    expect('onetwo'.slice(0, declared)).toContain(received.split('\r\n\r\n')[1] ?? '');
    expect(errors.mock.calls[0]![0]).toMatchObject({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' });
  });
}

for (const [what, handler] of Object.entries<FetchHandler>({
  'of a text': () => new Response('text', { headers: { ...type, 'content-length': '4' } }),
  'of a stream': () => new Response(streamOf(['text']), { headers: { ...type, 'content-length': '4' } }),
  'without a body': () => new Response(null, { headers: { ...type, 'content-length': '4' } }),
  'made of its parts': (_, server) =>
    server.makeResponse(200, { 'content-length': '4', 'content-type': 'text/plain' }, 'text'),
})) {
  test(`HEAD gets the head of a response ${what}, and nothing else`, async () => {
    const received = await bytesOf(handler, 'HEAD');
    expect(received).toBe('HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-type: text/plain\r\n\r\n');
  });
}

test('the body of a response to HEAD is cancelled', async () => {
  const cancel = vi.fn();
  await bytesOf(() => new Response(new ReadableStream({ cancel })), 'HEAD');
  expect(cancel).toHaveBeenCalledOnce();
});

for (const [status, text] of [
  [204, 'No Content'],
  [304, 'Not Modified'],
] as const) {
  test(`${status} has no content and no length`, async () => {
    const expected = `HTTP/1.1 ${status} ${text}\r\nx-a: 1\r\n\r\n`;
    expect(await bytesOf(() => new Response(null, { status, headers: { 'x-a': '1' } }))).toBe(expected);
    expect(await bytesOf((_, server) => server.makeResponse(status, { 'x-a': '1' }))).toBe(expected);
  });
}

test('several cookies are several fields', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1, b'],
    ['set-cookie', 'c=2'],
  ]);
  const fields = 'set-cookie: a=1, b\r\nset-cookie: c=2\r\nContent-Length: 0\r\n\r\n';
  expect(await bytesOf(() => new Response(null, { headers }))).toBe(`HTTP/1.1 200 OK\r\n${fields}`);
  const created = await bytesOf((_, server) => server.makeResponse(200, { 'set-cookie': ['a=1, b', 'c=2'] }));
  expect(created).toBe(`HTTP/1.1 200 OK\r\n${fields}`);
});

test('fields of another connection are left out', async () => {
  const connection = { 'transfer-encoding': 'chunked', 'keep-alive': 'timeout=1', connection: 'x' };
  const headers = { ...connection, ...type, 'x-a': '1' };
  const expected = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nx-a: 1\r\nContent-Length: 1\r\n\r\na';
  expect(await bytesOf(() => new Response('a', { headers }))).toBe(expected);
  expect(await bytesOf((_, server) => server.makeResponse(200, headers, 'a'))).toBe(expected);
});

test('`connection: close` ends the connection', async () => {
  const { connect } = await serveFetch(() => new Response('a', { headers: { connection: 'close' } }));
  const client = await connect();
  client.send(get('/'));
  await client.closed;
  expect(client.received).toContain('\r\n\r\na');
});

test('the response of fetch is passed on', async () => {
  const target = await serveFetch(() => new Response(streamOf(['ab']), { headers: type }));
  const received = await bytesOf(() => fetch(target.url));
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\n/);
  expect(received).toContain('ab');
});

test('pipelined requests get their responses in their order', async () => {
  const { connect } = await serveFetch(async ({ url }, server) => {
    const { pathname } = new URL(url);
    if (pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 30));
    return pathname === '/stream'
      ? new Response(streamOf(['/stream']))
      : server.makeResponse(200, {}, pathname);
  });
  const client = await connect();
  client.send(get('/slow') + get('/stream') + get('/fast') + get('/last', 'Connection: close\r\n'));
  await client.closed;
  const paths = ['/slow', '/stream', '/fast', '/last'];
  expect(client.received.match(/\/(slow|stream|fast|last)/g)).toEqual(paths);
});

test('the first piece of a stream is sent while the second one is not there yet', async () => {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('first'));
      await finished;
      controller.enqueue(Buffer.from('second'));
      controller.close();
    },
  });
  const { connect } = await serveFetch(() => new Response(body));
  const client = await connect();
  client.send(get('/'));
  await client.expectText('first');
  expect(client.received).not.toContain('second');
  finish();
  await client.expectText('second');
});

test('a stream waits for its client, and is cancelled when the client leaves', async () => {
  const cancel = vi.fn();
  let created = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      created += 1;
      controller.enqueue(Buffer.alloc(50_000));
    },
    cancel,
  });
  const { connect } = await serveFetch(() => new Response(body));
  const client = await connect();
  client.socket.pause();
  client.send(get('/'));
  let before = 0;
  const grown = () => {
    const [last, now] = [before, created];
    before = now;
    return now > 0 && now === last;
  };
  await expect.poll(grown, { interval: 200, timeout: 20_000 }).toBe(true);
  expect(cancel).not.toHaveBeenCalled();
  client.socket.destroy();
  await expect.poll(() => cancel.mock.calls.length).toBe(1);
});

test('a client that has left before the response cancels its body, and is no error', async () => {
  const errors = hushErrors();
  const cancel = vi.fn();
  const { connect } = await serveFetch(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return new Response(new ReadableStream({ cancel }));
  });
  const client = await connect();
  client.send(get('/'));
  await new Promise((resolve) => setTimeout(resolve, 30));
  client.socket.destroy();
  await expect.poll(() => cancel.mock.calls.length).toBe(1);
  expect(errors.mock.calls).toEqual([]);
});

test('a handler that throws because the client has left is no error', async () => {
  const onError = vi.fn();
  const thrown = vi.fn();
  const { connect } = await serveFetch(
    async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      thrown();
      throw signal.reason;
    },
    { onError },
  );
  const client = await connect();
  client.send(get('/'));
  await new Promise((resolve) => setTimeout(resolve, 30));
  client.socket.destroy();
  await expect.poll(() => thrown.mock.calls.length).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(onError).not.toHaveBeenCalled();
});

const used = new Response('used');
await used.text();

const failing: Readonly<Record<string, [handler: unknown, message: string]>> = {
  throws: [
    () => {
      throw new Error('thrown');
    },
    'thrown',
  ],
  rejects: [() => Promise.reject(new Error('rejected')), 'rejected'],
  'returns a text': [() => 'text', 'must return a Response, not text'],
  'returns nothing': [() => {}, 'must return a Response, not undefined'],
  'returns null': [async () => null, 'must return a Response, not null'],
  'returns another object': [async () => ({}), 'must return a Response, not an object of Object'],
  'returns a response that was read': [() => used, 'read already'],
  'returns Response.error()': [() => Response.error(), 'status 0'],
  'returns a stream that fails at once': [
    () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error('pulled')) })),
    'pulled',
  ],
  'returns a stream of texts': [
    () => new Response(new ReadableStream({ start: (controller) => controller.enqueue('text' as never) })),
    'made of Uint8Array, not of string',
  ],
  'makes a response with an invalid field': [
    (_: Request, server: Parameters<FetchHandler>[1]) => server.makeResponse(200, { 'x-a': 'a\nb' }),
    'Invalid character in header content',
  ],
  'makes a response with an invalid name': [
    (_: Request, server: Parameters<FetchHandler>[1]) => server.makeResponse(200, { 'x a': 'b' }),
    'must be a valid HTTP token',
  ],
  'makes a response with status 101': [
    (_: Request, server: Parameters<FetchHandler>[1]) => server.makeResponse(101, {}),
    'status 101',
  ],
};

for (const [what, [handler, message]] of Object.entries(failing)) {
  test(`a handler that ${what} gets 500, the error is reported, and the connection serves the next request`, async () => {
    const errors = hushErrors();
    const { connect } = await serveFetch(handler as FetchHandler);
    const client = await connect();
    client.send(get('/'));
    await client.expectText('Internal Server Error\r\n');
    await client.expectText('\r\n\r\nInternal Server Error');
    expect(String(errors.mock.calls[0]![0])).toContain(message);
    client.send(get('/', 'Connection: close\r\n'));
    await client.closed;
    expect(client.received.match(/HTTP\/1\.1 500/g)).toHaveLength(2);
  });
}

test('a stream that fails later ends the connection, and the error is reported', async () => {
  const errors = hushErrors();
  let fail: ((error: Error) => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('first'));
      fail = (error) => controller.error(error);
    },
  });
  const { connect } = await serveFetch(() => new Response(body));
  const client = await connect();
  client.send(get('/'));
  await client.expectText('first\r\n');
  fail!(new Error('late'));
  await client.closed;
  expect(client.received).toMatch(/first\r\n$/);
  expect(errors.mock.calls).toEqual([[expect.objectContaining({ message: 'late' })]]);
});

test('onError gets the error and the request, and its response is sent', async () => {
  const error = new Error('thrown');
  const onError = vi.fn(
    async (_error: unknown, request: Request) => new Response(request.url, { status: 418 }),
  );
  const { ask, url } = await serveFetch(() => Promise.reject(error), { onError });
  const response = await ask('/failed');
  expect([response.status, await response.text()]).toEqual([418, `${url}/failed`]);
  expect(onError.mock.calls[0]![0]).toBe(error);
});

for (const [what, onError] of Object.entries({
  throws: () => {
    throw new Error('in onError');
  },
  'returns something else': async () => 'text' as never,
})) {
  test(`an onError that ${what} gets 500`, async () => {
    const errors = hushErrors();
    const { ask } = await serveFetch(() => Promise.reject(new Error('thrown')), { onError });
    expect((await ask()).status).toBe(500);
    expect(errors.mock.calls).toHaveLength(1);
  });
}

test('a response of makeResponse is a Response in every respect', async () => {
  const { ask } = await serveFetch(async (_, server) => {
    const make = () => server.makeResponse(201, { 'x-a': '1', 'set-cookie': ['a', 'b'] }, 'text');
    const created = make();
    return Response.json([
      created instanceof Response,
      [
        created.status,
        created.ok,
        created.bodyUsed,
        created.headers.get('x-a'),
        created.headers.get('content-type'),
      ],
      created.headers.getSetCookie(),
      await created.clone().text(),
      await created.text(),
      created.bodyUsed,
      await new Response(make().body, make()).text(),
      server.makeResponse(404, {}).ok,
      server.makeResponse(200, {}).body,
    ]);
  });
  expect(await (await ask()).json()).toEqual([
    true,
    [201, true, false, '1', null],
    ['a', 'b'],
    'text',
    'text',
    true,
    'text',
    false,
    null,
  ]);
});

test('a response of makeResponse that was changed is sent with the changes', async () => {
  const handler: FetchHandler = (_, server) => {
    const response = server.makeResponse(200, { 'x-a': '1' }, 'text');
    response.headers.set('x-a', '2');
    return response;
  };
  expect(await bytesOf(handler)).toBe('HTTP/1.1 200 OK\r\nx-a: 2\r\nContent-Length: 4\r\n\r\ntext');
});

const withWrongLength: Readonly<Record<string, FetchHandler>> = {
  'a response without content': () => new Response(null, { headers: { 'content-length': '5' } }),
  'a response of makeResponse that is longer': (_, server) =>
    server.makeResponse(200, { 'content-length': 3 }, 'hello'),
  'a response of makeResponse that is shorter': (_, server) =>
    server.makeResponse(200, { 'Content-Length': '9' }, 'hello'),
  'a response of makeResponse whose length is not a number': (_, server) =>
    server.makeResponse(200, { 'content-length': 'x' }, 'hello'),
};

for (const [what, handler] of Object.entries(withWrongLength)) {
  test(`the wrong length of ${what} is left out, and the next response is whole`, async () => {
    const { connect } = await serveFetch((request, server) =>
      request.url.endsWith('/next') ? new Response('next') : handler(request, server),
    );
    const client = await connect();
    client.send(get('/') + get('/next'));
    const received = await client.expectText('next');
    const content = what === 'a response without content' ? '' : 'hello';
    expect(received.split(/HTTP\/1\.1 200 OK/)[1]).toMatch(
      new RegExp(`Content-Length: ${content.length}\r\n(?:.+\r\n)*\r\n${content}$`),
    );
  });
}

test('the length of a response to HEAD is what the content would have', async () => {
  const handler: FetchHandler = (_, server) => server.makeResponse(200, { 'content-length': 5 });
  expect(await bytesOf(handler, 'HEAD')).toBe('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n');
});

test('a stream whose length is not a number is sent in chunks', async () => {
  const headers = { 'content-length': '3, 3' };
  const received = await bytesOf(() => new Response(streamOf(['one', 'two']), { headers }));
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\nTransfer-Encoding: chunked\r\n/);
});

test('a response of makeResponse keeps the fields that it was created with', async () => {
  const handler: FetchHandler = (_, server) => {
    const fields: Record<string, string> = { 'x-a': '1' };
    const response = server.makeResponse(200, fields, 'text');
    fields['content-length'] = '2';
    return response;
  };
  expect(await bytesOf(handler)).toBe('HTTP/1.1 200 OK\r\nx-a: 1\r\nContent-Length: 4\r\n\r\ntext');
});

test('`Connection: Close` ends the connection, and other fields of the connection are left out', async () => {
  const { connect } = await serveFetch((_, server) =>
    server.makeResponse(200, { Connection: 'Close', trailer: 'x-b', 'keep-alive': 'timeout=9' }, 'text'),
  );
  const client = await connect();
  client.send(get('/'));
  await client.closed;
  expect(client.received).toContain('onnection: Close\r\n');
  expect(client.received).not.toMatch(/trailer|timeout=9/i);
});

const codings = { gzip: gzipSync, br: brotliCompressSync } as const;

for (const [coding, encode] of Object.entries(codings)) {
  for (const size of [5, 200_000]) {
    test(`a fetched response of ${size} bytes that was encoded with ${coding} is passed on decoded`, async () => {
      const content = Buffer.alloc(size, 'hello ');
      const encoded = encode(content);
      const origin = createServer((_, response) => {
        response.writeHead(200, { 'content-encoding': coding, 'content-length': encoded.length });
        response.end(encoded);
      });
      const port = await listen(origin);
      onTestFinished(() => void origin.close());
      const { ask } = await serveFetch(() => fetch(`http://127.0.0.1:${port}`));
      const response = await ask();
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
      origin.closeAllConnections();
    });
  }
}

test('a fetched response with a coding that fetch does not know is passed on as it is', async () => {
  const origin = createServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'x-own', 'content-length': 5 }).end('bytes');
  });
  const port = await listen(origin);
  onTestFinished(() => void origin.close());
  const { ask } = await serveFetch(() => fetch(`http://127.0.0.1:${port}`));
  const response = await ask();
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['x-own', 'bytes']);
  origin.closeAllConnections();
});

test('a fetched response that was encoded with zstd is read as from its origin, if `fetch` decodes it or not', async () => {
  const encoded = Buffer.from('KLUv/SAFKQAAaGVsbG8=', 'base64');
  const origin = createServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'zstd', 'content-length': encoded.length }).end(encoded);
  });
  const port = await listen(origin);
  onTestFinished(() => void origin.close());
  const { ask } = await serveFetch(() => fetch(`http://127.0.0.1:${port}`));
  const [direct, passedOn] = await Promise.all([fetch(`http://127.0.0.1:${port}`), ask()]);
  expect(await passedOn.text()).toBe(await direct.text());
  origin.closeAllConnections();
});

test('the head of a stream is sent while its first piece is not there yet', async () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
  });
  const { connect } = await serveFetch(() => new Response(body, { headers: type }));
  const client = await connect();
  client.send(get('/'));
  expect(await client.expectText('\r\n\r\n')).toMatch(/Transfer-Encoding: chunked/);
  controller.enqueue(Buffer.from('first'));
  controller.close();
  expect(await client.expectText('0\r\n\r\n')).toMatch(/5\r\nfirst\r\n0\r\n\r\n$/);
});
