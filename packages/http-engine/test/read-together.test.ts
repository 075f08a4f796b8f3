/**
 * The engine takes the bytes that node reads from sockets, and serves the requests of one turn together: no listener misses bytes, and
 * every request is served.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ReadBatch, WriteBatch } from '../src/batches.ts';
import type { Exchange } from '../src/index.ts';
import { connectTo, get, post, serve } from './support/serve.ts';
import { type Client, passTurns } from './support/wire.ts';

const echo = (exchange: Exchange): void => exchange.respond(200, {}, `<${exchange.target}>`);

/** Collects the next uncaught error. */
function nextUncaught(): Promise<Error> {
  return new Promise((resolve) => {
    process.setUncaughtExceptionCaptureCallback(resolve);
    onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
  });
}

async function connectMany(port: number, count = 40): Promise<Client[]> {
  return Promise.all(Array.from({ length: count }, () => connectTo(port)));
}

/** Listens to what a socket reads, after the engine has taken it, because a socket that flows before goes to node. */
function noteData(socket: Socket, seen: string[]): void {
  process.nextTick(() => socket.on('data', (bytes) => seen.push(bytes.toString('latin1'))));
}

const orders: Readonly<Record<string, (server: Server, listener: (socket: Socket) => void) => void>> = {
  before: (server, listener) => void server.prependListener('connection', listener),
  after: (server, listener) => void server.on('connection', listener),
};

test.each(Object.entries(orders))(
  'a listener of `data` that is added %s the engine takes the connection gets every byte',
  async (_order, add) => {
    const seen: string[] = [];
    const { connect } = await serve(echo, {
      prepare: (server) => add(server, (socket) => noteData(socket, seen)),
    });
    const client = await connect();
    client.send(get('/1'));
    await client.expectText('</1>');
    client.send(get('/2'));
    await client.expectText('</2>');
    expect(seen).toEqual([get('/1'), get('/2')]);
  },
);

test.each(['in a listener of `connection`', 'between two requests'])(
  'a socket that somebody pauses %s is read on, and closes',
  async (when) => {
    const isEarly = when.includes('connection');
    const { connect, server } = await serve(echo, {
      prepare: (server) =>
        server.on('connection', (socket: Socket) => {
          if (isEarly) socket.pause();
          else server.once('pause-now', () => socket.pause());
        }),
    });
    const client = await connect();
    client.send(get('/1'));
    await client.expectText('</1>');
    server.emit('pause-now');
    client.send(get('/2'));
    await client.expectText('</2>');
    const closed = new Promise((resolve) => server.close(resolve));
    await client.closed;
    expect(await closed).toBeUndefined();
  },
);

test('code that listens to the bytes of a socket can pause it', async () => {
  const sockets: Socket[] = [];
  const seen: string[] = [];
  const { connect } = await serve(echo, {
    prepare: (server) =>
      server.on('connection', (socket: Socket) => {
        sockets.push(socket);
        noteData(socket, seen);
      }),
  });
  const client = await connect();
  client.send(get('/1'));
  await client.expectText('</1>');
  sockets[0]!.pause();
  client.send(get('/2'));
  await passTurns(20);
  expect(seen).toEqual([get('/1')]);
  sockets[0]!.resume();
  await client.expectText('</2>');
  expect(seen).toEqual([get('/1'), get('/2')]);
});

test('a `push` that somebody has replaced before gets every piece', async () => {
  let pieces = 0;
  const { connect } = await serve(echo, {
    prepare: (server) =>
      server.prependListener('connection', (socket: Socket) => {
        const { push } = socket;
        socket.push = function (...args): boolean {
          pieces++;
          return push.apply(this, args);
        };
      }),
  });
  const client = await connect();
  client.send(get('/1'));
  await client.expectText('</1>');
  client.send(get('/2'));
  await client.expectText('</2>');
  expect(pieces).toBe(2);
});

test('a socket that node serves after the engine has the `push` of its class', async () => {
  let socket: Socket | undefined;
  const { connect } = await serve(echo, {
    onHandOver: (_reason, handedOverSocket) => {
      socket = handedOverSocket;
    },
  });
  const client = await connect();
  client.send(get('/1'));
  await client.expectText('</1>');
  client.send('GET /2 HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\n\r\n');
  await client.expectText('HTTP/1.1 417');
  expect(socket!.push).toBe(Socket.prototype.push);
});

test('bytes that arrive while the socket is paused are served when it goes on', async () => {
  const sockets: Socket[] = [];
  const { connect } = await serve(echo, {
    prepare: (server) => server.on('connection', (socket: Socket) => sockets.push(socket)),
  });
  const client = await connect();
  client.send(get('/1'));
  await client.expectText('</1>');
  sockets[0]!.pause();
  client.send(get('/2'));
  await passTurns(3);
  sockets[0]!.resume();
  client.send(get('/3'));
  await client.expectText('</3>');
  expect(client.received.match(/<.*?>/g)).toEqual(['</1>', '</2>', '</3>']);
});

test('if a handler throws, the requests that were read with its own are served', async () => {
  const { port } = await serve((exchange) => {
    if (exchange.target === '/7') throw new Error('a handler failed');
    echo(exchange);
  });
  const failed = nextUncaught();
  const clients = await connectMany(port);
  for (const [i, client] of clients.entries()) client.send(get(`/${i}`));
  const others = clients.map((client, i) => [client, i] as const).filter(([, i]) => i !== 7);
  await Promise.all(others.map(([client, i]) => client.expectText(`</${i}>`)));
  expect(await failed).toEqual(new Error('a handler failed'));
});

const closers = {
  closeIdleConnections: (server: Server): void => server.closeIdleConnections(),
  close: (server: Server): void => void server.close(),
};

test.each(Object.entries(closers))(
  '`%s` leaves kept connections whose next request was read',
  async (_name, close) => {
    const { port, server } = await serve((exchange) => {
      if (exchange.target === '/close') close(server);
      echo(exchange);
    });
    const clients = await connectMany(port);
    for (const client of clients) client.send(get('/first'));
    await Promise.all(clients.map((client) => client.expectText('</first>')));
    for (const client of clients) client.send(get('/close'));
    await Promise.all(clients.map((client) => client.expectText('</close>')));
  },
);

test('a head that arrives in two reads, and the end of the body with the next request, are served in order', async () => {
  const { connect } = await serve((exchange) =>
    exchange.readBody(
      (body) => exchange.respond(200, {}, `<${exchange.method} ${body}>`),
      () => exchange.destroy(),
    ),
  );
  const client = await connect();
  const text = post('12345') + get();
  for (const piece of [text.slice(0, 10), text.slice(10, -30), text.slice(-30)]) {
    client.send(piece);
    await passTurns(3);
  }
  await client.expectText('<GET >');
  expect(client.received.match(/<.*?>/g)).toEqual(['<POST 12345>', '<GET >']);
});

test('a client that sends its request and its end at once gets the response', async () => {
  const { connect } = await serve(echo);
  const client = await connect();
  client.socket.end(get('/only'));
  await client.closed;
  expect(client.received).toContain('</only>');
});

/** Adds readers in a later turn, and waits until all were served. */
async function serveTogether(readers: readonly (() => void)[]): Promise<void> {
  const batch = new ReadBatch(new WriteBatch());
  for (const serveRead of readers) batch.add({ serveRead });
  await passTurns(3);
}

test('no request of a turn is served in the async context of the code that read it', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const batch = new ReadBatch(new WriteBatch());
  storage.run('of a connection', () => batch.add({ serveRead: () => seen.push(storage.getStore()) }));
  await passTurns(3);
  expect(seen).toEqual([undefined]);
});

test('if handlers are slow, promises of the first settle before the last handler begins', async () => {
  const steps: string[] = [];
  const slowHandler = (i: number) => () => {
    const endMs = performance.now() + 0.5;
    while (performance.now() < endMs);
    queueMicrotask(() => steps.push(`settled ${i}`));
    steps.push(`began ${i}`);
  };
  await serveTogether(Array.from({ length: 12 }, (_, i) => slowHandler(i)));
  expect(steps.indexOf('settled 0')).toBeLessThan(steps.indexOf('began 11'));
  expect(steps).toHaveLength(24);
});

test('what slow handlers of one turn begin is served within that turn', async () => {
  const steps: string[] = [];
  const slowHandler = (i: number) => () => {
    const endMs = performance.now() + 0.5;
    while (performance.now() < endMs);
    if (i === 0) setImmediate(() => steps.push('next turn'));
    steps.push(`began ${i}`);
  };
  await serveTogether(Array.from({ length: 12 }, (_, i) => slowHandler(i)));
  expect(steps.at(-1)).toBe('next turn');
  expect(steps).toHaveLength(13);
});

test('a long request that goes to node arrives whole, whatever one turn has read of it', async () => {
  const { connect } = await serve((exchange) =>
    exchange.readBody(
      (body) => exchange.respond(200, {}, `<${body.length}>`),
      () => exchange.destroy(),
    ),
  );
  const client = await connect();
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  client.send(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}0\r\n\r\n`);
  expect(await client.expectText('<524288>')).toContain('HTTP/1.1 200 OK');
});

test('if writing throws between slow handlers, the others and later connections are served', async () => {
  const writes = new WriteBatch();
  const batch = new ReadBatch(writes);
  const failed = nextUncaught();
  const served: number[] = [];
  const write = (): void => {};
  const fail = (): never => {
    throw new Error('a listener failed');
  };
  const slowReader = (i: number, settle = write) => ({
    serveRead: () => {
      const endMs = performance.now() + 0.5;
      while (performance.now() < endMs);
      served.push(i);
      // The first is written at once, and the other one waits until its group has been served.
      writes.add({ settle: write });
      writes.add({ settle });
    },
  });
  for (let i = 0; i < 12; i++) batch.add(slowReader(i, i === 3 ? fail : write));
  await failed;
  await passTurns(5);
  batch.add(slowReader(12));
  await passTurns(5);
  expect(served.sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => i));
});

test('code that takes a socket over by its `data` listeners gets the next bytes', async () => {
  const { connect } = await serve((exchange) => {
    const { socket } = exchange;
    socket.removeAllListeners('data');
    socket.on('data', (bytes) => socket.write(`ECHO ${bytes}`));
    socket.write('MINE');
  });
  const client = await connect();
  client.send(get('/'));
  await client.expectText('MINE');
  client.send(get('/next'));
  await client.expectText('ECHO GET /next');
});

test('no handler runs for a request whose socket was destroyed in the turn that brought it', async () => {
  const states: boolean[] = [];
  const { port, server } = await serve((exchange) => {
    if (exchange.target === '/close') {
      states.push(exchange.socket.destroyed);
      server.closeAllConnections();
    }
    echo(exchange);
  });
  const clients = await connectMany(port);
  for (const client of clients) client.send(get('/first'));
  await Promise.all(clients.map((client) => client.expectText('</first>')));
  for (const client of clients) client.send(get('/close'));
  await Promise.all(clients.map((client) => client.closed));
  expect(states).not.toContain(true);
});

test('a request runs in the async context of the server, in however many pieces it comes', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { connect } = await storage.run('of the server', () =>
    serve((exchange) => {
      seen.push(storage.getStore());
      storage.enterWith('of a request');
      echo(exchange);
    }),
  );
  const client = await connect();
  client.send(get('/whole'));
  await client.expectText('</whole>');
  client.send(get('/split').slice(0, 20));
  await passTurns(3);
  client.send(get('/split').slice(20));
  await client.expectText('</split>');
  expect(seen).toEqual(['of the server', 'of the server']);
});

test('the encoding of a socket cannot be changed, and requests that go to node then are served', async () => {
  const { connect } = await serve((exchange) => {
    expect(() => exchange.socket.setEncoding('utf8')).toThrow('Changing the socket encoding is not allowed');
    echo(exchange);
  });
  const client = await connect();
  client.send(get('/1'));
  await client.expectText('</1>');
  client.send('POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n');
  await client.expectText('</2>');
});

test('where node does not call the `push` of the engine, bytes and their end arrive as events', async () => {
  const { connect } = await serve(echo, {
    prepare: (server) =>
      server.prependListener('connection', (socket: Socket) => {
        const { push } = socket;
        socket.push = (...args) => push.apply(socket, args);
      }),
  });
  const client = await connect();
  client.send(get('/first'));
  await client.expectText('</first>');
  client.socket.end(get('/last'));
  await client.closed;
  expect(client.received).toContain('</last>');
});
