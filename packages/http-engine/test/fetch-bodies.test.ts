/** Bodies of web requests: whole and as streams, once, early and late, and cut off. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { get, post } from './support/serve.ts';
import { serveFetch } from './support/serve-fetch.ts';
import { passTurns } from './support/wire.ts';

/** The types of Node 20 do not have it. */
function bytesOf(request: Request): Promise<Uint8Array> {
  return (request as Request & { bytes(): Promise<Uint8Array> }).bytes();
}

const readers: Readonly<Record<string, (request: Request) => Promise<string>>> = {
  text: (request) => request.text(),
  json: async (request) => JSON.stringify(await request.json()),
  arrayBuffer: async (request) => Buffer.from(await request.arrayBuffer()).toString(),
  bytes: async (request) => Buffer.from(await bytesOf(request)).toString(),
  blob: async (request) => (await request.blob()).text(),
  stream: async (request) => {
    let text = '';
    for await (const piece of request.body!) text += Buffer.from(piece).toString();
    return text;
  },
  'a reader with a buffer of its own': async (request) => {
    const reader = request.body!.getReader({ mode: 'byob' });
    let text = '';
    for (let next = await read(); !next.done; next = await read()) text += Buffer.from(next.value).toString();
    return text;
    function read() {
      return reader.read(new Uint8Array(1000));
    }
  },
  'a stream that was asked for': (request) => {
    expect(request.body!.locked).toBe(false);
    return request.text();
  },
  'a clone': async (request) => {
    const [first, second] = await Promise.all([request.clone().text(), request.text()]);
    return first === second ? first : 'not equal';
  },
};

const framings: Readonly<Record<string, (body: string) => string>> = {
  'of known length': (body) => post(body),
  'in chunks': (body) =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
};

for (const [how, read] of Object.entries(readers)) {
  for (const [framing, frame] of Object.entries(framings)) {
    for (const length of [2, 2_000_000]) {
      test(`a body ${framing} with ${length} bytes is read: ${how}`, async () => {
        const { connect } = await serveFetch(async (request) => new Response(await read(request)));
        const client = await connect();
        const body = JSON.stringify('x'.repeat(length - 2));
        for (const count of [1, 2]) {
          client.send(frame(body));
          await client.expectText(body, count);
        }
      });
    }
  }
}

test('a form is read', async () => {
  const { ask } = await serveFetch(async (request) => Response.json([...(await request.formData())]));
  const form = new FormData();
  form.append('name', 'value');
  const response = await ask('/', { method: 'POST', body: form });
  expect(await response.json()).toEqual([['name', 'value']]);
});

test('a text has no byte order mark, and bytes that are no UTF-8 are replaced', async () => {
  const { ask } = await serveFetch(async (request) => new Response(await request.text()));
  const texts = [Buffer.from('\uFEFFa'), Buffer.from([0x61, 0xff, 0xe2, 0x82])];
  const read = texts.map(async (body) => (await ask('/', { method: 'POST', body })).text());
  expect(await Promise.all(read)).toEqual(['a', 'a\uFFFD\uFFFD']);
});

test('an invalid JSON body rejects with a SyntaxError', async () => {
  const { ask } = await serveFetch(async (request) =>
    request.json().then(
      () => new Response('read'),
      (error) => new Response(error.name),
    ),
  );
  expect(await (await ask('/', { method: 'POST', body: '{' })).text()).toBe('SyntaxError');
});

test('the memory of a body contains nothing else', async () => {
  const { ask } = await serveFetch(async (request) => {
    const memory = await request.arrayBuffer();
    return Response.json([memory instanceof ArrayBuffer, memory.byteLength]);
  });
  expect(await (await ask('/', { method: 'POST', body: 'abc' })).json()).toEqual([true, 3]);
});

for (const [what, method, body] of [
  ['without a body', 'POST', undefined],
  ['of GET', 'GET', undefined],
] as const) {
  test(`a request ${what} has a null body, and reads as an empty one`, async () => {
    const { ask } = await serveFetch(async (request) => {
      const before = [request.body, request.bodyUsed];
      const texts = [await request.text(), await request.text(), (await bytesOf(request)).length];
      return Response.json([...before, ...texts, request.bodyUsed]);
    });
    const response = await ask('/', { method, body: body ?? null });
    expect(await response.json()).toEqual([null, false, '', '', 0, false]);
  });
}

test('a body of GET is dropped, and the connection serves the next request', async () => {
  const { connect } = await serveFetch((request) => new Response(String(request.body)));
  const client = await connect();
  client.send(`${get('/', 'Content-Length: 5\r\n')}hello${get('/', 'Connection: close\r\n')}`);
  await client.closed;
  expect(client.received.match(/\r\n\r\nnull/g)).toHaveLength(2);
});

const seconds: Readonly<Record<string, (request: Request) => unknown>> = {
  text: (request) => request.text(),
  formData: (request) => request.formData(),
  clone: async (request) => request.clone(),
  'new Request': async (request) => new Request(request),
};

for (const [how, first] of Object.entries({ text: readers.text!, stream: readers.stream! })) {
  for (const [what, second] of Object.entries(seconds)) {
    test(`a body that was read as ${how} cannot be read again: ${what}`, async () => {
      const { ask } = await serveFetch(async (request) => {
        await first(request);
        expect(request.bodyUsed).toBe(true);
        await expect(second(request)).rejects.toThrow(TypeError);
        expect(request.body).not.toBe(null);
        return new Response('once');
      });
      expect(await (await ask('/', { method: 'POST', body: 'content' })).text()).toBe('once');
    });
  }
}

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

const early: Readonly<Record<string, (request: Request) => unknown>> = {
  'not read': () => {},
  'asked for': (request) => request.body,
  'read in part': (request) => request.body?.getReader().read(),
  cancelled: (request) => request.body?.cancel(),
  'read in part, and cancelled': async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  },
};

for (const [what, use] of Object.entries(early)) {
  test(`a long upload that is ${what} gets its response, and the connection serves the next request`, async () => {
    const { connect } = await serveFetch(async (request) => {
      await use(request);
      return new Response('early', { status: 413 });
    });
    const client = await connect();
    client.send(head(5_000_000) + 'x'.repeat(100_000));
    await client.expectText('early');
    client.send('x'.repeat(4_900_000));
    client.send(get('/', 'Connection: close\r\n').replace('GET', 'PUT'));
    await client.closed;
    expect(client.received.match(/HTTP\/1\.1 413/g)).toHaveLength(2);
  });
}

test('a stream that is read after the response gets what has not been dropped, or an error', async () => {
  const late: Promise<unknown>[] = [];
  let answered!: () => void;
  const wasAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const { connect } = await serveFetch(async (request) => {
    const reader = request.body!.getReader();
    await reader.read();
    late.push(wasAnswered.then(() => reader.read()));
    return new Response('early');
  });
  const client = await connect();
  client.send(head(200_000) + 'x'.repeat(1000));
  await client.expectText('early');
  client.send('x'.repeat(199_000));
  answered();
  await expect(late[0]).rejects.toThrow('the response is complete');
});

test('a reader that waits when the response is complete gets the rest', async () => {
  const rest: Promise<string>[] = [];
  const { connect } = await serveFetch((request) => {
    rest.push(readers.stream!(request));
    return new Response('early');
  });
  const client = await connect();
  client.send(head(200_000) + 'x'.repeat(1000));
  await client.expectText('early');
  client.send('x'.repeat(199_000));
  expect((await rest[0]!).length).toBe(200_000);
});

test('an upload waits for its reader', async () => {
  let goOn!: () => void;
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { connect } = await serveFetch(async (request) => {
    const reader = request.body!.getReader();
    await reader.read();
    await mayGoOn;
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
    return new Response(`the rest: ${length > 1_000_000}`);
  });
  const client = await connect();
  client.send(head(50_000_000));
  client.send(Buffer.alloc(50_000_000, 'x'));
  let before = -1;
  const sent = () => {
    const grown = client.socket.bytesWritten - client.socket.writableLength - before;
    before += grown;
    return grown;
  };
  await expect.poll(sent, { interval: 100 }).toBe(0);
  expect(before).toBeLessThan(40_000_000);
  goOn();
  await client.expectText('the rest: true');
});

for (const how of ['text', 'stream', 'blob']) {
  test(`if a client leaves during its upload, reading the body fails: ${how}`, async () => {
    const failed: Promise<unknown>[] = [];
    const { connect } = await serveFetch(async (request) => {
      failed.push(readers[how]!(request));
      await failed[0];
      return new Response();
    });
    const client = await connect();
    client.send(`${head(1000)}x`);
    await expect.poll(() => failed.length).toBe(1);
    client.socket.destroy();
    await expect(failed[0]).rejects.toThrow();
  });
}

test('a body that cannot be a text, because it is too long, rejects', async () => {
  // A text of 512 MiB would be the real case. A text with a byte order mark is decoded by this class.
  const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
    throw new RangeError('too long');
  });
  onTestFinished(() => decode.mockRestore());
  const { connect } = await serveFetch(async (request) => {
    const error = await request.text().catch((reason) => reason);
    return new Response(`error: ${error.message}`);
  });
  const client = await connect();
  for (const count of [1, 2]) {
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n');
    // The body arrives when its reader waits.
    await passTurns(20);
    client.send('\xef\xbb\xbftext');
    await client.expectText('error: too long', count);
  }
});

const expecting = post('', 'Expect: 100-continue\r\n').replace('Content-Length: 0', 'Content-Length: 4');

for (const how of ['text', 'stream', 'a stream that was asked for'])
  test(`a client that expects 100 (Continue) gets it when the body is read, and the connection is kept: ${how}`, async () => {
    const { connect } = await serveFetch(async (request) => {
      await wait(1);
      return new Response(await readers[how]!(request));
    });
    const client = await connect();
    for (const count of [1, 2]) {
      client.send(expecting);
      await client.expectText('100 Continue\r\n\r\n', count);
      client.send('body');
      await client.expectText('\r\nbody', count);
    }
  });

const refusals: Readonly<Record<string, (request: Request) => unknown>> = {
  'at once': () => {},
  later: () => wait(1),
  'after the body was cancelled': async (request) => {
    await request.body!.cancel();
    await wait(1);
  },
};

for (const [when, before] of Object.entries(refusals))
  test(`a client that expects 100 (Continue) and is refused ${when} does not get it, and the connection ends`, async () => {
    const { connect } = await serveFetch(async (request) => {
      await before(request);
      return new Response('no', { status: 401 });
    });
    const client = await connect();
    client.send(expecting);
    await client.closed;
    expect(client.received).toMatch(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n/is);
  });

test('a server that listens to `checkContinue` decides itself', async () => {
  const { server, connect } = await serveFetch(() => new Response());
  server.node.on('checkContinue', (_request, response) =>
    response.writeHead(417, { connection: 'close' }).end(),
  );
  const client = await connect();
  client.send(expecting);
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 417 /);
});
