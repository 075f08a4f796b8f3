/** Node's own objects on demand: what plugins and middleware rely on. */
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { connectTo, get, post, serve } from './support/serve.ts';
import { type Client, listen, passTurns } from './support/wire.ts';

test('they are of exactly the classes that node uses, and stay the same', async () => {
  const seen: unknown[] = [];
  const { connect } = await serve((exchange) => {
    const { rawRequest, rawResponse } = exchange;
    seen.push(rawRequest.constructor, rawResponse.constructor);
    seen.push(exchange.rawRequest === rawRequest, exchange.rawResponse === rawResponse);
    seen.push(
      rawResponse.req === rawRequest,
      rawRequest.socket === exchange.socket,
      rawResponse.socket === exchange.socket,
    );
    exchange.respond(200, {}, 'done');
  });
  const client = await connect();
  client.send(get());
  await client.expectText('done');
  expect(seen).toEqual([IncomingMessage, ServerResponse, true, true, true, true, true]);
});

test('they are of the classes that the server was made with', async () => {
  class OwnRequest extends IncomingMessage {}
  class OwnResponse extends ServerResponse {}
  const { connect } = await serve(
    ({ rawRequest, rawResponse }) =>
      rawResponse.end(`${rawRequest instanceof OwnRequest} ${rawResponse instanceof OwnResponse}`),
    { http: { IncomingMessage: OwnRequest, ServerResponse: OwnResponse as typeof ServerResponse } },
  );
  const client = await connect();
  client.send(get());
  await client.expectText('true true');
});

test('the request says what node says of it', async () => {
  const describeRequest = (request: IncomingMessage & { upgrade?: boolean }): string =>
    JSON.stringify({
      ...(({ method, url, httpVersion, httpVersionMajor, httpVersionMinor, upgrade, aborted }) => ({
        method,
        url,
        httpVersion,
        httpVersionMajor,
        httpVersionMinor,
        upgrade,
        aborted,
      }))(request),
      headers: request.headers,
      distinct: request.headersDistinct,
      raw: request.rawHeaders,
      trailers: request.trailers,
    });
  const node = createServer((request, response) => void response.end(describeRequest(request)));
  onTestFinished(() => void node.close());
  const { port } = await serve((exchange) => exchange.rawResponse.end(describeRequest(exchange.rawRequest)));
  const ask = async (to: number): Promise<string> => {
    const client = await connectTo(to);
    client.send(
      get('/a?b=c', 'X: 1\r\nx: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nCookie: c\r\nCookie: d\r\n'),
    );
    return (await client.end()).replace(/Date: [^\r]*/, '');
  };
  expect(await ask(port)).toBe(await ask(await listen(node)));
});

test('fields that somebody changed are the same in the exchange and in the request', async () => {
  const { connect } = await serve((exchange) => {
    exchange.headers['x-added'] = 'first';
    exchange.rawRequest.headers['x-more'] = 'second';
    exchange.respond(200, {}, `${exchange.rawRequest.headers['x-added']} ${exchange.headers['x-more']}`);
  });
  const client = await connect();
  client.send(get());
  await client.expectText('first second');
});

test('headers of one request are not seen by the next, though the bytes are the same', async () => {
  const { connect } = await serve((exchange) => {
    const before = JSON.stringify([exchange.headers['x-added'], exchange.headers['set-cookie']]);
    exchange.headers['x-added'] = 'dirty';
    exchange.headers['set-cookie']!.push('dirty');
    exchange.respond(200, {}, before);
  });
  const client = await connect();
  client.send(get('/', 'Set-Cookie: a\r\n').repeat(4));
  await client.expectText('[null,["a"]]', 4);
});

test('headers that are set on the response are a part of the answer', async () => {
  const { connect } = await serve((exchange) => {
    exchange.rawResponse.setHeader('x-raw', 'set');
    exchange.respond(201, { 'x-own': 'given' }, 'done');
    expect(exchange.rawResponse.statusCode).toBe(201);
  });
  const client = await connect();
  client.send(get());
  expect(await client.expectText('done')).toMatch(/^HTTP\/1.1 201 .*x-raw: set\r\nx-own: given\r\n/s);
});

test('a response object that is read after the answer looks sent', async () => {
  const { connect } = await serve((exchange) => {
    exchange.respond(404, {}, 'done');
    const { statusCode, headersSent, writableEnded } = exchange.rawResponse;
    expect({ statusCode, headersSent, writableEnded }).toEqual({
      statusCode: 404,
      headersSent: true,
      writableEnded: true,
    });
  });
  const client = await connect();
  client.send(get());
  await client.expectText('done');
});

/** How an exchange ended before code reads its `rawResponse` for the first time. */
const endings: Readonly<Record<string, (exchange: Exchange, client: Client) => void>> = {
  'a whole response': (exchange) => exchange.respond(503, {}, 'done'),
  'a response without content': (exchange) => exchange.respond(204, {}),
  'a refusal of its body': (exchange) => exchange.respond(413, { connection: 'close' }, 'done'),
  'a client that left': (_exchange, client) => void client.socket.resetAndDestroy(),
  'a whole response and a client that left': (exchange, client) => {
    exchange.respond(200, {}, 'done');
    client.socket.resetAndDestroy();
  },
  'a connection that the server destroyed': (exchange) => exchange.destroy(),
};

const lateUses: Readonly<
  Record<string, (response: ServerResponse, done: (error: unknown) => void) => unknown>
> = {
  'end()': (response) => response.end(),
  'end(text)': (response) => response.end('late'),
  'end(text, callback)': (response, done) => response.end('late', done as () => void),
  'end(callback)': (response, done) => response.end(done as () => void),
  'write(text)': (response) => response.write('late'),
  'write(text, callback)': (response, done) => response.write('late', done),
  'write(bytes, callback)': (response, done) => response.write(Buffer.from('late'), done),
  writeHead: (response) => response.writeHead(200, { 'x-late': '1' }).end('late'),
  setHeader: (response) => response.setHeader('x-late', '1'),
  flushHeaders: (response) => response.flushHeaders(),
  writeEarlyHints: (response) => response.writeEarlyHints({ link: '</a>; rel=preload' }),
  addTrailers: (response) => response.addTrailers({ 'x-late': '1' }),
  'destroy(error)': (response) => response.destroy(new Error('late')),
  'a pipe into it': (response) => Readable.from(['a', 'b']).pipe(response),
  'its state': (response) => {
    const { destroyed, closed, errored, headersSent, statusCode, writableEnded, writableFinished } = response;
    return [
      destroyed,
      closed,
      errored ?? null,
      headersSent,
      statusCode,
      writableEnded,
      writableFinished,
      response.socket?.destroyed,
    ];
  },
};

describe.each(Object.entries(endings))('a response object that is first read after %s', (_title, end) => {
  /** What each late use does: its result, the error of its callback, and the errors that the response emits. */
  async function useLate(lane: 'engine' | 'node', text: string): Promise<Record<string, unknown[]>> {
    const exchanges: Exchange[] = [];
    const { connect } = await serve((exchange) => exchanges.push(exchange), {
      // The engine leaves a server with another listener to node.
      prepare: (server) => lane === 'node' && server.on('request', () => {}),
    });
    const results: Record<string, unknown[]> = {};
    for (const [name, use] of Object.entries(lateUses)) {
      const client = await connect();
      client.send(text);
      await vi.waitFor(() => expect(exchanges).toHaveLength(1), { interval: 1 });
      const exchange = exchanges.pop()!;
      expect(exchange.lane).toBe(lane);
      end(exchange, client);
      await vi.waitFor(() => expect(exchange.isEnded || exchange.isDestroyed).toBe(true), { interval: 1 });
      // Node has closed the response by then.
      await passTurns(5);
      const { rawResponse } = exchange;
      const emit = vi.spyOn(rawResponse, 'emit');
      const seen: unknown[] = [];
      results[name] = seen;
      try {
        const result = use(rawResponse, (error) => seen.push((error as { code?: string })?.code));
        seen.push(typeof result === 'object' && !Array.isArray(result) ? 'an object' : result);
      } catch (error) {
        seen.push((error as { code?: string }).code);
      }
      await passTurns(5);
      expect(emit.mock.calls.filter(([name]) => name === 'error')).toEqual([]);
    }
    return results;
  }

  test.each([get(), post('body'), get().replace('GET', 'HEAD')])(
    "behaves as node's closed response (%j)",
    async (text) => {
      expect(await useLate('engine', text)).toEqual(await useLate('node', text));
    },
  );
});

describe('a response object that is first read after the answer, and before it was sent', () => {
  test.each(['at once', 'behind an earlier request'])(
    '%s emits its last events, and takes no more',
    async (when) => {
      const events: string[] = [];
      const exchanges: Exchange[] = [];
      const { connect } = await serve((exchange) => {
        exchanges.push(exchange);
        if (exchange.target === '/first') return;
        exchange.respond(200, {}, 'done');
        const { rawResponse } = exchange;
        for (const name of ['finish', 'close', 'error']) rawResponse.on(name, () => events.push(name));
        rawResponse.write('late');
        rawResponse.end('late');
      });
      const client = await connect();
      client.send((when === 'at once' ? '' : get('/first')) + get('/second'));
      await vi.waitFor(() => expect(exchanges.at(-1)?.target).toBe('/second'));
      for (const exchange of exchanges.slice(0, -1)) exchange.respond(200, {}, 'first');
      await client.expectText('done');
      await vi.waitFor(() => expect(events).toEqual(['finish', 'close']));
      expect(client.received).not.toContain('late');
    },
  );

  test('emits only `close` if the client leaves first', async () => {
    const events: string[] = [];
    const { connect } = await serve((exchange) => {
      if (exchange.target === '/first') return;
      exchange.respond(200, {}, 'done');
      for (const name of ['finish', 'close', 'error']) exchange.rawResponse.on(name, () => events.push(name));
      client.socket.resetAndDestroy();
    });
    const client = await connect();
    client.send(get('/first') + get('/second'));
    await vi.waitFor(() => expect(events).toEqual(['close']));
  });
});

async function collectEvents(handle: (exchange: Exchange) => void, text: string): Promise<string[]> {
  const events: string[] = [];
  const { connect } = await serve((exchange) => {
    for (const name of ['finish', 'close'])
      exchange.rawResponse.on(name, () => events.push(`response ${name}`));
    for (const name of ['end', 'close']) exchange.rawRequest.on(name, () => events.push(`request ${name}`));
    handle(exchange);
  });
  const client = await connect();
  client.send(text);
  await client.expectText('done');
  await passTurns(5);
  return events;
}

describe('events come as they come from node', () => {
  for (const [title, text] of Object.entries({ 'without a body': get(), 'with a body': post('body') })) {
    test(`of a request ${title} that nobody reads`, async () => {
      const events = await collectEvents((exchange) => exchange.respond(200, {}, 'done'), text);
      expect(events.toSorted()).toEqual([
        'request close',
        'request end',
        'response close',
        'response finish',
      ]);
    });
  }

  test('of a request that is read', async () => {
    const events = await collectEvents((exchange) => {
      exchange.rawRequest.resume().on('end', () => exchange.rawResponse.end('done'));
    }, post('body'));
    expect(events.toSorted()).toEqual(['request close', 'request end', 'response close', 'response finish']);
  });

  test('of a client that leaves', async () => {
    const events: string[] = [];
    const exchanges: Exchange[] = [];
    const { connect } = await serve((exchange) => {
      exchanges.push(exchange);
      exchange.rawResponse.on('close', () => events.push('response close'));
      exchange.rawResponse.on('finish', () => events.push('response finish'));
      exchange.rawRequest.on('close', () => events.push('request close'));
      exchange.rawRequest.on('aborted', () => events.push('request aborted'));
      exchange.onClientGone(() => events.push('gone'));
      exchange.onFinished((error) => events.push(`finished ${error?.message}`));
    });
    const client = await connect();
    client.send(get());
    await vi.waitFor(() => expect(exchanges).toHaveLength(1));
    client.socket.resetAndDestroy();
    await vi.waitFor(() => expect(events).toContain('request close'));
    await passTurns();
    expect(events.toSorted()).toEqual(
      ['finished aborted', 'gone', 'request aborted', 'request close', 'response close'].toSorted(),
    );
    expect(exchanges[0]!.isDestroyed).toBe(true);
    exchanges[0]!.rawResponse.end('into the void');
  });
});

test('a response that waits for earlier ones closes when its client leaves, also if its request was read', async () => {
  const events: string[] = [];
  const { connect } = await serve(async (exchange) => {
    const { target, rawRequest, rawResponse } = exchange;
    exchange.onFinished((error) => events.push(`${target} ${error?.message}`));
    exchange.onClientGone(() => events.push(`${target} gone`));
    rawResponse.on('close', () => events.push(`${target} close`));
    for await (const piece of rawRequest) rawResponse.write(piece);
    events.push(`${target} read`);
  });
  const client = await connect();
  client.send(['/1', '/2'].map((target) => post('body').replace('/', target)).join(''));
  await vi.waitFor(() => expect(events).toContain('/2 read'));
  client.socket.resetAndDestroy();
  await vi.waitFor(() => expect(events).toHaveLength(8));
  const ofRequest = (target: string): string[] =>
    ['aborted', 'close', 'gone', 'read'].map((e) => `${target} ${e}`);
  expect(events.toSorted()).toEqual([...ofRequest('/1'), ...ofRequest('/2')]);
});

test('streams are written in chunks, and the engine serves the next request', async () => {
  const { connect, engine } = await serve(async (exchange) => {
    if (exchange.target === '/whole') return exchange.respond(200, {}, 'whole');
    exchange.rawResponse.writeHead(200, { 'content-type': 'text/plain' });
    await pipeline(Readable.from(['one', 'two']), exchange.rawResponse);
  });
  const client = await connect();
  client.send(get('/1') + get('/whole') + get('/2') + get('/whole'));
  await client.expectText('whole', 2);
  expect(client.received.match(/one(?:\r\n3\r\n)?two\r\n0\r\n\r\nHTTP[\s\S]*?whole/g)).toHaveLength(2);
  expect(engine.counters).toMatchObject({ connections: 1, requests: 4 });
  expect(engine.counters.handedOver).toEqual({});
});

test('a long stream waits for a client that does not read', async () => {
  let written = 0;
  const { connect } = await serve(async (exchange) => {
    exchange.writeHead(200);
    for (let i = 0; i < 1000; i++) {
      written++;
      if (!exchange.write('x'.repeat(50_000)))
        await new Promise<void>((resolve) => exchange.onceDrained(resolve));
    }
    exchange.end('over');
  });
  const client = await connect();
  client.socket.pause();
  client.send(get());
  await passTurns(300);
  expect(written).toBeLessThan(500);
  client.socket.resume();
  await client.expectLength(50_000_000);
  await client.expectText('over');
});

test('early hints and trailers are node’s', async () => {
  const { connect } = await serve(({ rawResponse }) => {
    rawResponse.writeEarlyHints({ link: '</a.css>; rel=preload' });
    rawResponse.writeHead(200, { trailer: 'x-digest' });
    rawResponse.write('a');
    rawResponse.addTrailers({ 'x-digest': '1' });
    rawResponse.end();
  });
  const client = await connect();
  client.send(get());
  const text = await client.expectText('x-digest: 1');
  expect(text).toMatch(
    /^HTTP\/1.1 103 Early Hints\r\nLink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1.1 200 OK\r\n/,
  );
});

test('a handler may write its answer to the socket itself', async () => {
  const { connect } = await serve((exchange) => {
    exchange.socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nby hand');
  });
  const client = await connect();
  client.send(get());
  await client.closed;
  expect(client.received).toMatch(/by hand$/);
});

test('a response that says that the connection ends ends it', async () => {
  const { connect } = await serve(({ rawResponse }) => {
    rawResponse.setHeader('connection', 'close');
    rawResponse.end('last');
  });
  const client = await connect();
  client.send(get());
  await client.closed;
  expect(client.received).toMatch(/Connection: close\r\n.*last$/is);
});

test('onFinished is called when the operating system has taken a whole answer', async () => {
  const finished: unknown[] = [];
  const { connect } = await serve((exchange) => {
    exchange.onFinished((error) => finished.push(error));
    exchange.onFinished((error) => finished.push(error));
    exchange.respond(200, {}, 'done');
    expect(finished).toEqual([]);
  });
  const client = await connect();
  client.send(get());
  await client.expectText('done');
  await passTurns();
  expect(finished).toEqual([undefined, undefined]);
});

test('node serves upgrades, in the same server', async () => {
  const { server, connect } = await serve((exchange) => exchange.respond(200, {}, 'plain'));
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const client = await connect();
  client.send(get());
  await client.expectText('plain');
  client.send(get('/', 'Connection: Upgrade\r\nUpgrade: echo\r\n'));
  await client.expectText('101 Switching');
  client.send('echoed');
  await client.expectText('echoed');
  client.socket.end();
  await once(client.socket, 'close');
});

test('one field is as in the object of all fields, also in requests that repeat them', async () => {
  const seen: unknown[] = [];
  const { connect } = await serve((exchange) => {
    const names = ['host', 'cookie', 'x-list', 'set-cookie', 'x-none'];
    const found = names.map((name) => exchange.header(name));
    const { headers } = exchange;
    seen.push(
      found,
      names.map((name) => headers[name]?.toString().replaceAll(/,(?! )/g, ', ')),
    );
    exchange.respond(200, {}, `<${exchange.target}>`);
  });
  const client = await connect();
  const fields = 'Cookie: a=1\r\nCookie: b=2\r\nX-List: 1\r\nX-List: 2\r\nSet-Cookie: c\r\nSet-Cookie: d\r\n';
  for (let i = 0; i < 4; i++) {
    client.send(get(`/${i}`, fields));
    await client.expectText(`</${i}>`);
  }
  const expected = ['a', 'a=1; b=2', '1, 2', 'c, d', undefined];
  expect(seen).toEqual(Array.from({ length: 8 }, () => expected));
});
