/** What a fetch handler gets: an object that behaves like a `Request` in every respect. */
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { get, post } from './support/serve.ts';
import { serveFetch } from './support/serve-fetch.ts';

const targets = [
  '/',
  '/notes/7?page=2&q=a%20b',
  '/a/./b/../c',
  '/a/%2e%2e/b',
  '//double',
  '/a?b=/../c',
  '/~user/a.b',
  "/quotes?'",
  '/a|b^c`d{e}"<>',
  '/back\\slash',
  '/a#fragment',
];

for (const target of targets) {
  test(`the URL of ${target} is what the URL parser makes of it`, async () => {
    const { server, connect } = await serveFetch(({ url }) => new Response(url));
    const client = await connect();
    client.send(`GET ${target} HTTP/1.1\r\nHost: Example.COM:80\r\nConnection: close\r\n\r\n`);
    await client.closed;
    expect(client.received.split('\r\n\r\n')[1]).toBe(new URL(`http://example.com${target}`).href);
    expect(server.port).toBeGreaterThan(0);
  });
}

test('a target that is a URL names its own host', async () => {
  const { connect } = await serveFetch(({ url }) => new Response(url));
  const client = await connect();
  client.send('GET http://other.example/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await client.closed;
  expect(client.received).toContain('\r\n\r\nhttp://other.example/a');
});

test('the host that a target names counts, and not the field (RFC 9112, 3.2.2)', async () => {
  const { connect } = await serveFetch((request) => {
    const { headers } = request;
    const single = [headers.get('Host'), headers.has('host'), new Map(headers).get('host')];
    return Response.json([...single, request.clone().headers.get('host'), headers.get('x-a')]);
  });
  for (const [target, host] of [
    ['http://other.example/a', 'other.example'],
    ['http://Other.Example:80', 'other.example'],
    ['http://other.example:8080/', 'other.example:8080'],
    ['/', 'field.example'],
  ]) {
    const client = await connect();
    client.send(`GET ${target} HTTP/1.1\r\nHost: field.example\r\nX-A: b\r\nConnection: close\r\n\r\n`);
    await client.closed;
    expect(JSON.parse(client.received.split('\r\n\r\n')[1]!)).toEqual([host, true, host, host, 'b']);
  }
});

test('a target that names its host needs no field', async () => {
  const { connect } = await serveFetch(({ headers }) => new Response(headers.get('host')));
  const client = await connect();
  client.send('GET http://other.example/a HTTP/1.0\r\n\r\n');
  await client.closed;
  expect(client.received).toContain('\r\n\r\nother.example');
});

for (const target of ['https://a/', 'a://b?x=/admin', 'http://user:word@a/', 'http://a:word@b/'])
  test(`the target ${target} gets 400, and the handler is not called`, async () => {
    const handler = vi.fn(() => new Response());
    const { connect } = await serveFetch(handler);
    const client = await connect();
    client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await client.closed;
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
    expect(handler).not.toHaveBeenCalled();
  });

test('an invalid host gets 400, and the handler is not called', async () => {
  const handler = vi.fn(() => new Response());
  const { connect } = await serveFetch(handler);
  const client = await connect();
  client.send('GET / HTTP/1.1\r\nHost: %zz\r\n\r\n');
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
  expect(handler).not.toHaveBeenCalled();
});

test('a request is an instance of Request, and its headers of Headers', async () => {
  const { ask } = await serveFetch((request) =>
    Response.json([
      request instanceof Request,
      request.headers instanceof Headers,
      request.signal instanceof AbortSignal,
      Object.prototype.toString.call(request),
      request.mode,
      request.redirect,
      request.method,
    ]),
  );
  const response = await ask('/', { method: 'PATCH' });
  expect(await response.json()).toEqual([true, true, true, '[object Request]', 'cors', 'follow', 'PATCH']);
});

test('a request and its headers can be inspected', async () => {
  const { ask } = await serveFetch((request) => new Response(inspect(request) + inspect(request.headers)));
  const text = await (await ask('/seen', { headers: { 'x-field': 'a value' } })).text();
  expect(text).toContain("method: 'GET'");
  expect(text).toContain('/seen');
  expect(text.split("'x-field': 'a value'")).toHaveLength(3);
});

test('headers are read by name in any case, and as a list in order', async () => {
  const { connect } = await serveFetch(({ headers }) => {
    const single = [headers.get('X-One'), headers.get('x-two'), headers.get('x-none'), headers.has('x-one')];
    return Response.json([...single, [...headers], [...headers.keys()], headers.getSetCookie()]);
  });
  const client = await connect();
  client.send(
    get('/', 'x-two: b\r\nX-One: a\r\nX-One: c\r\nset-cookie: d\r\nset-cookie: e\r\nconnection: close\r\n'),
  );
  await client.closed;
  expect(JSON.parse(client.received.split('\r\n\r\n')[1]!)).toEqual([
    'a, c',
    'b',
    null,
    true,
    [
      ['connection', 'close'],
      ['host', 'a'],
      ['set-cookie', 'd'],
      ['set-cookie', 'e'],
      ['x-one', 'a, c'],
      ['x-two', 'b'],
    ],
    ['connection', 'host', 'set-cookie', 'set-cookie', 'x-one', 'x-two'],
    ['d', 'e'],
  ]);
});

test('names that objects inherit are no headers', async () => {
  const { ask } = await serveFetch(({ headers }) =>
    Response.json([headers.get('constructor'), headers.get('__proto__'), headers.has('toString')]),
  );
  expect(await (await ask()).json()).toEqual([null, null, false]);
});

test('an invalid header name throws the error of Headers', async () => {
  const { ask } = await serveFetch(({ headers }) => {
    expect(() => headers.get('a b')).toThrow(TypeError);
    expect(() => headers.has('')).toThrow(TypeError);
    expect(() => headers.set('a', 'b\n c')).toThrow(TypeError);
    return new Response('thrown');
  });
  expect(await (await ask()).text()).toBe('thrown');
});

test('changed headers stay changed, also in a request that is created from this one', async () => {
  const { ask } = await serveFetch((request) => {
    const { headers } = request;
    const before = headers.get('x-a');
    headers.set('x-a', '2');
    headers.append('x-b', '3');
    headers.delete('x-c');
    const names = ['x-a', 'x-b', 'x-c'];
    const read = (each: Headers) => names.map((name) => each.get(name));
    return Response.json([before, read(headers), read(request.clone().headers), read(request.headers)]);
  });
  const expected = ['2', '3', null];
  const response = await ask('/', { headers: { 'x-a': '1', 'x-c': '4' } });
  expect(await response.json()).toEqual(['1', expected, expected, expected]);
});

const copies: Readonly<Record<string, (request: Request) => Request>> = {
  'new Request(request)': (request) => new Request(request),
  'new Request(url, request)': (request) => new Request(request.url, request),
  'new Request(request) of a subclass': (request) => new (class extends Request {})(request),
  'request.clone()': (request) => request.clone(),
};

for (const [how, copy] of Object.entries(copies)) {
  test(`${how} has the method, the URL, the headers and the body`, async () => {
    const { ask, url } = await serveFetch(async (request) => {
      const copied = copy(request);
      const seen = [copied instanceof Request, copied.method, copied.url, copied.headers.get('x-a')];
      return Response.json([...seen, await copied.text()]);
    });
    const response = await ask('/copied', { method: 'PUT', body: 'content', headers: { 'x-a': '1' } });
    expect(await response.json()).toEqual([true, 'PUT', `${url}/copied`, '1', 'content']);
  });
}

test('a request can be passed to fetch', async () => {
  const target = await serveFetch(async (request) =>
    Response.json([request.method, request.headers.get('x-a'), await request.text()]),
  );
  const { connect } = await serveFetch((request) =>
    fetch(new Request(`${target.url}/`, request)).then((response) => new Response(response.body)),
  );
  const client = await connect();
  client.send(post('content', 'x-a: 1\r\n'));
  expect(await client.expectText('["POST","1","content"]')).toMatch(/^HTTP\/1\.1 200 /);
});

test('fetch itself takes a request', async () => {
  const { ask } = await serveFetch((request) => {
    if (request.headers.has('x-second')) return new Response('second');
    request.headers.set('x-second', '1');
    return fetch(request);
  });
  expect(await (await ask()).text()).toBe('second');
});

test('a request with fields of its connection, and a body in chunks, can be passed to fetch', async () => {
  const seen: (string | null)[] = [];
  const { connect, url } = await serveFetch(async (request) => {
    if (new URL(request.url).pathname === '/second')
      return new Response(`second: ${await request.text()} ${request.headers.get('x-a')}`);
    seen.push(request.headers.get('transfer-encoding'));
    return fetch(new Request(`${url}/second`, request));
  });
  const client = await connect();
  const fields = 'Transfer-Encoding: chunked\r\nKeep-Alive: timeout=5\r\nConnection: close, x-b\r\nX-A: 1';
  client.send(`POST / HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n4\r\nbody\r\n0\r\n\r\n`);
  expect(await client.expectText('second')).toContain('second: body 1');
  expect(seen).toEqual(['chunked']);
});

test('the signal of a request aborts when the client leaves, and not after its response', async () => {
  const signals: AbortSignal[] = [];
  const { connect } = await serveFetch((request) => {
    signals.push(request.signal);
    return request.url.endsWith('/held') ? new Promise<Response>(() => {}) : new Response('done');
  });
  const client = await connect();
  client.send(get('/'));
  await client.expectText('done');
  client.send(get('/held'));
  await expect.poll(() => signals.length).toBe(2);
  client.socket.destroy();
  await expect.poll(() => signals[1]!.aborted).toBe(true);
  expect(signals[1]!.reason).toMatchObject({ name: 'AbortError' });
  expect(signals[0]!.aborted).toBe(false);
});

test('a signal that is asked for after the client has left is aborted', async () => {
  const requests: Request[] = [];
  const { connect, server } = await serveFetch((request) => {
    requests.push(request);
    return new Promise<Response>(() => {});
  });
  const client = await connect();
  const [socket] = await Promise.all([
    new Promise<NodeJS.EventEmitter>((resolve) => {
      server.node.once('connection', resolve);
    }),
    client.send(get('/')),
    connect(),
  ]);
  await expect.poll(() => requests.length).toBe(1);
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  client.socket.destroy();
  await Promise.race([closed, expect.poll(() => requests[0]!.signal.aborted).toBe(true)]);
  await expect.poll(() => requests[0]!.signal.aborted).toBe(true);
});

test('the server tells the address of the client, and not of a request that it did not get', async () => {
  const { ask } = await serveFetch((request, server) =>
    Response.json([server.requestIP(request), server.requestIP(request.clone())]),
  );
  expect(await (await ask()).json()).toEqual([
    { address: '127.0.0.1', family: 'IPv4', port: expect.any(Number) },
    null,
  ]);
});
