/** Published ways around validation, parsing and trust, in other frameworks and earlier versions: each must stay shut. */
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import type { Failure } from './support/failure.ts';
import { open, statuses } from './support/raw-client.ts';
import { portOf, serve, servePort } from './support/serve.ts';

const strict = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', maxLength: 3 } },
};
const good = '{"name":"Ada"}';
const bad = '{"name":"Adam"}';

/** An application whose one route has a body schema, and parsers for everything, so that only the schema stands guard. */
function guarded(options: AmbitOptions = {}) {
  const app = ambit(options);
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => {
    try {
      return JSON.parse(body);
    } catch {
      return body;
    }
  });
  const handler = vi.fn((request: { body: unknown }) => ({ body: request.body }));
  app.post('/', { schema: { body: strict } }, handler as never);
  return { app, handler };
}

/** Sends the bytes as they are and gives the status of the first answer. */
async function statusOf(port: number, head: string[], body = ''): Promise<number> {
  const { socket, until } = await open(port);
  const lines = ['POST / HTTP/1.1', 'Host: localhost', 'Connection: close', ...head, '', body];
  socket.write(Buffer.from(lines.join('\r\n'), 'latin1'));
  const answer = await until('\r\n\r\n');
  socket.destroy();
  return Number(answer.split(' ')[1]);
}

const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;
const chunked = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('a body schema cannot be walked around by the spelling of application/json', () => {
  const spellings = [
    'application/json',
    'Application/JSON',
    'APPLICATION/JSON',
    'application/json;',
    'application/json;;',
    'application/json ;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    'application/json\t;charset=utf-8',
    'application/json\t',
    '\tapplication/json',
    ' application/json ',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; foo',
    'application/json; foo=',
    'application/json; =bar',
    'application/json; foo="unterminated',
    'application/json; a=";"; b=c',
    'application/json; text/plain',
    'application/json;text/plain',
    'application/json;/',
    'application/json; boundary=x, text/plain',
    'application/problem+json',
    'Application/Vnd.Api+JSON; v=1',
    'application/geo+json\t; x=y',
  ];
  for (const contentType of spellings) {
    test(`${JSON.stringify(contentType)} is validated`, async () => {
      const { app, handler } = guarded();
      const port = await servePort(app);
      const head = [`Content-Type: ${contentType}`];
      expect(await statusOf(port, [...head, lengthOf(bad)], bad)).toBe(400);
      expect(await statusOf(port, [...head, 'Transfer-Encoding: chunked'], chunked(bad))).toBe(400);
      expect(handler).not.toHaveBeenCalled();
      expect(await statusOf(port, [...head, lengthOf(good)], good)).toBe(200);
    });
  }
});

describe('a body schema cannot be walked around by another type', () => {
  const others = [
    'text/plain',
    'text/json',
    'text/plain; application/json',
    'text/plain;charset=application/json',
    'application/jsonx',
    'application/json5',
    'application/json-patch',
    'application/x-json',
    'xapplication/json',
    'application/json, text/plain',
    'text/plain, application/json',
    'application/json,application/json',
    'application/json text/plain',
    'application/json charset=utf-8',
    'application/json\ttext/plain',
    'application/json/',
    'application//json',
    'application/ json',
    'application /json',
    'application',
    'json',
    '/',
    '/json',
    'application/',
    '*',
    '*/*',
    '+json',
    'text/plain+json',
    'application/+json/x',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    ';application/json',
    '"application/json"',
    'application/json\x80',
    'application/json\xa0',
    '\xa0application/json',
    'application/json\xad',
    'undefined',
    'null',
    '',
  ];
  for (const contentType of others) {
    test(`${JSON.stringify(contentType)} is answered 415, even with a body that would pass`, async () => {
      const { app, handler } = guarded();
      const port = await servePort(app);
      const head = [`Content-Type: ${contentType}`];
      expect(await statusOf(port, [...head, lengthOf(good)], good)).toBe(415);
      expect(await statusOf(port, [...head, 'Transfer-Encoding: chunked'], chunked(bad))).toBe(415);
      expect(handler).not.toHaveBeenCalled();
    });
  }

  test('no Content-Type, with a length, is answered 415', async () => {
    const { app, handler } = guarded();
    expect(await statusOf(await servePort(app), [lengthOf(bad)], bad)).toBe(415);
    expect(handler).not.toHaveBeenCalled();
  });

  test('no Content-Type, chunked, is answered 415', async () => {
    const { app, handler } = guarded();
    expect(await statusOf(await servePort(app), ['Transfer-Encoding: chunked'], chunked(bad))).toBe(415);
    expect(handler).not.toHaveBeenCalled();
  });

  for (const head of [
    [],
    ['Content-Length: 0'],
    ['Content-Type: text/plain'],
    ['Content-Type: text/plain', 'Content-Length: 0'],
  ]) {
    test(`no body, with ${JSON.stringify(head)}, fails validation`, async () => {
      const { app, handler } = guarded();
      expect(await statusOf(await servePort(app), head)).toBe(400);
      expect(handler).not.toHaveBeenCalled();
    });
  }

  test('an empty chunked body of type JSON is answered 400', async () => {
    const { app, handler } = guarded();
    const head = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    expect(await statusOf(await servePort(app), head, '0\r\n\r\n')).toBe(400);
    expect(handler).not.toHaveBeenCalled();
  });

  const doubled = [
    ['Content-Type: application/json', 'Content-Type: text/plain'],
    ['Content-Type: text/plain', 'Content-Type: application/json'],
    ['Content-Type: application/json', 'content-type: application/json'],
    ['Content-Type:', 'Content-Type: application/json'],
  ];
  for (const head of doubled) {
    test(`two Content-Type headers, ${JSON.stringify(head)}, let no bad body through`, async () => {
      const { app, handler } = guarded();
      const status = await statusOf(await servePort(app), [...head, lengthOf(bad)], bad);
      expect([400, 415]).toContain(status);
      expect(handler).not.toHaveBeenCalled();
    });
  }

  test('a body of DELETE is validated like any other', async () => {
    const app = ambit();
    const handler = vi.fn(() => 'handled');
    app.delete('/', { schema: { body: strict } }, handler);
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'DELETE', url: '/', headers, body: bad })).statusCode).toBe(400);
    expect(handler).not.toHaveBeenCalled();
  });

  test('a hook that changes the Content-Type header cannot part parser and validator', async () => {
    const app = ambit();
    const handler = vi.fn((request: { body: unknown }) => ({ body: request.body }));
    app.post('/', {
      schema: {
        body: { content: { 'application/json': { schema: strict }, 'text/plain': { schema: true } } },
      },
      onRequest: async (request) => {
        request.headers = { 'content-type': 'text/plain' };
      },
      preValidation: async (request) => {
        request.headers = { 'content-type': 'application/json' };
      },
      handler: handler as never,
    });
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/', headers, body: bad });
    expect(response.json()).toEqual({ body: bad });
  });

  test('with a body schema per media type, one spelling chooses parser and schema', async () => {
    const app = ambit();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request, body) => Object.fromEntries(new URLSearchParams(body)),
    );
    const handler = vi.fn(() => 'handled');
    const content = {
      'application/json': { schema: strict },
      'application/x-www-form-urlencoded': { schema: strict },
    };
    app.post('/', { schema: { body: { content } } }, handler);
    const port = await servePort(app);
    const send = (contentType: string, body: string) =>
      statusOf(port, [`Content-Type: ${contentType}`, lengthOf(body)], body);
    expect(await send('APPLICATION/X-WWW-FORM-URLENCODED\t;x=y', 'name=Adam')).toBe(400);
    expect(await send('application/x-www-form-urlencoded; ', 'name=Adam')).toBe(400);
    expect(await send('Application/Json\t', bad)).toBe(400);
    expect(await send('text/plain', bad)).toBe(415);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('forwarded headers are nobody’s word without trustProxy', () => {
  const forged = {
    host: 'real.example:8080',
    forwarded: 'for=9.9.9.9;host=evil.example;proto=https',
    'x-forwarded-for': '9.9.9.9',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '666',
    'x-real-ip': '9.9.9.9',
    'x-original-url': '/admin',
    'x-rewrite-url': '/admin',
    'x-http-method-override': 'DELETE',
    'x-request-id': 'forged',
    'request-id': 'forged',
  };
  const whoami = (app: Context) =>
    app.get('/', (request) => ({
      ip: request.ip,
      ips: request.ips ?? 'none',
      host: request.host,
      hostname: request.hostname,
      port: request.port,
      protocol: request.protocol,
      url: request.url,
      method: request.method,
      isForged: request.id === 'forged',
    }));
  const honest = {
    ip: '127.0.0.1',
    ips: 'none',
    host: 'real.example:8080',
    hostname: 'real.example',
    port: 8080,
    protocol: 'http',
    url: '/',
    method: 'GET',
    isForged: false,
  };

  for (const trustProxy of [undefined, false, '', 0] as const) {
    test(`with trustProxy ${JSON.stringify(trustProxy)} none is believed`, async () => {
      const app = ambit(trustProxy === undefined ? {} : { trustProxy });
      whoami(app);
      expect((await app.inject({ url: '/', headers: forged })).json()).toEqual(honest);
    });
  }

  for (const trustProxy of [1, 5, '10.0.0.0/8', ['10.0.0.1']]) {
    test(`with trustProxy ${JSON.stringify(trustProxy)} a peer that is not a trusted proxy is not believed`, async () => {
      const app = ambit({ trustProxy });
      whoami(app);
      const answer = (await app.inject({ url: '/', headers: forged })).json();
      expect(answer).toEqual({ ...honest, ips: ['127.0.0.1'] });
    });
  }
});

describe('prototypes cannot be reached through a body', () => {
  const poisons = [
    '{"__proto__":{"polluted":1}}',
    '{"a":{"b":[{"__proto__":{"polluted":1}}]}}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"__proto__" : {"polluted":1}}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"a":{"constructor":{"prototype":{}}}}',
    '{"\\u0063onstructor":{"prototype":{"polluted":1}}}',
    '{"constructor":{"\\u0070rototype":{"polluted":1}}}',
    '\ufeff{"__proto__":{"polluted":1}}',
  ];
  for (const body of poisons) {
    test(`${JSON.stringify(body)} is answered 400`, async () => {
      const app = ambit();
      const handler = vi.fn(() => 'handled');
      app.post('/', handler);
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.statusCode).toBe(400);
      expect(response.json<Failure>().code).toBe('FST_ERR_CTP_INVALID_JSON_BODY');
      expect(handler).not.toHaveBeenCalled();
    });
  }

  for (const body of [
    '{"proto":1}',
    '{"constructor":"Gaudi"}',
    '{"prototype":{}}',
    '{"text":"__proto__"}',
    '{"constructor":{"name":"x"}}',
  ]) {
    test(`${body} is an innocent body`, async () => {
      const app = ambit();
      app.post('/', (request) => ({ body: request.body }));
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.json()).toEqual({ body: JSON.parse(body) });
    });
  }

  test('the query string reaches no prototype', async () => {
    const app = ambit();
    app.get('/', (request) => {
      const query = request.query as Record<string, unknown>;
      return {
        polluted: ({} as { polluted?: string }).polluted ?? 'no',
        inherits: Object.getPrototypeOf(query)?.polluted ?? 'no',
      };
    });
    for (const url of [
      '/?__proto__[polluted]=1',
      '/?__proto__.polluted=1',
      '/?constructor[prototype][polluted]=1',
      '/?__proto__=x',
    ]) {
      expect((await app.inject(url)).json()).toEqual({ polluted: 'no', inherits: 'no' });
    }
  });

  test('a property named like one of every object’s is not taken for declared', async () => {
    const app = ambit();
    app.get('/', { schema: { querystring: { ...strict, required: [] } } }, (request) => ({
      keys: Object.keys(request.query as object),
    }));
    expect((await app.inject('/?toString=1&hasOwnProperty=2&constructor=3&name=Ada')).json()).toEqual({
      keys: ['name'],
    });
  });
});

describe('the query string cannot be polluted', () => {
  const schema = {
    querystring: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        flag: { type: 'boolean' },
        one: { enum: ['a'] },
      },
    },
  };
  const ask = (url: string) => {
    const app = ambit();
    app.get('/', { schema }, (request) => request.query);
    return app.inject(url);
  };

  for (const url of [
    '/?id=1&id=2',
    '/?name=a&name=b',
    '/?flag=true&flag=false',
    '/?one=a&one=a',
    '/?id=1&id=1%20OR%201',
  ]) {
    test(`${url}: an array where one value is declared is answered 400`, async () => {
      expect((await ask(url)).statusCode).toBe(400);
    });
  }

  test('a bracketed name is a name like any other', async () => {
    expect((await ask('/?id[]=x&id[$gt]=1&id=7')).json()).toMatchObject({ id: 7 });
  });

  for (const [flag, status] of [
    ['true', 200],
    ['false', 200],
    ['1', 400],
    ['0', 400],
    ['on', 400],
    ['TRUE', 400],
    ['', 400],
  ] as const) {
    test(`the boolean '${flag}' is answered ${status}`, async () => {
      expect((await ask(`/?flag=${flag}`)).statusCode).toBe(status);
    });
  }

  test('a schema that counts items cannot be met by one long string', async () => {
    const app = ambit();
    const list = {
      type: 'object',
      properties: { ids: { type: 'array', minItems: 2, items: { type: 'string' } } },
    };
    app.get('/', { schema: { querystring: list } }, () => 'handled');
    expect((await app.inject('/?ids=ab')).statusCode).toBe(400);
    expect((await app.inject('/?ids=a&ids=b')).statusCode).toBe(200);
  });
});

describe('the length of a body is what was announced, and within the limit', () => {
  const limited = (bodyLimit: number, options: AmbitOptions = {}) => {
    const app = ambit(options);
    const handler = vi.fn((request: { body: unknown }) => ({ length: (request.body as string).length }));
    app.post('/', { bodyLimit }, handler as never);
    return { app, handler };
  };

  for (const [bytes, status] of [
    [8, 200],
    [9, 413],
  ] as const) {
    test(`${bytes} bytes with Content-Length under a limit of 8 are answered ${status}`, async () => {
      const { app } = limited(8);
      const body = 'x'.repeat(bytes);
      expect(await statusOf(await servePort(app), ['Content-Type: text/plain', lengthOf(body)], body)).toBe(
        status,
      );
    });

    test(`${bytes} bytes chunked under a limit of 8 are answered ${status}`, async () => {
      const { app } = limited(8);
      const head = ['Content-Type: text/plain', 'Transfer-Encoding: chunked'];
      expect(await statusOf(await servePort(app), head, chunked('x'.repeat(bytes)))).toBe(status);
    });

    test(`${bytes} bytes in chunks of one under a limit of 8 are answered ${status}`, async () => {
      const { app } = limited(8);
      const head = ['Content-Type: text/plain', 'Transfer-Encoding: chunked'];
      expect(await statusOf(await servePort(app), head, `${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`)).toBe(
        status,
      );
    });
  }

  test('a limit counts bytes, not characters', async () => {
    const { app } = limited(8);
    const head = ['Content-Type: text/plain', 'Transfer-Encoding: chunked'];
    const body = Buffer.from('äääää').toString('latin1');
    expect(await statusOf(await servePort(app), head, `a\r\n${body}\r\n0\r\n\r\n`)).toBe(413);
  });

  test('a body that is too large by its announcement alone is refused before it is sent', async () => {
    const { app, handler } = limited(8);
    expect(await statusOf(await servePort(app), ['Content-Type: text/plain', 'Content-Length: 9'])).toBe(413);
    expect(handler).not.toHaveBeenCalled();
  });

  test('after a body that was too large the connection is closed: its rest is no new request', async () => {
    const app = ambit();
    const smuggled = vi.fn(() => 'smuggled');
    app.post('/', { bodyLimit: 4 }, () => 'handled');
    app.get('/smuggled', smuggled);
    const { socket, ended } = await open(await servePort(app));
    const inner = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${lengthOf(inner)}\r\n\r\n${inner}`,
    );
    const answer = await ended;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/connection: close/i);
    expect(smuggled).not.toHaveBeenCalled();
  });

  test('fewer bytes than announced are no body: the handler does not run', async () => {
    const { app, handler } = limited(100);
    const { socket, ended } = await open(await servePort(app));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nshort');
    socket.end();
    const answer = await ended;
    expect(answer).not.toMatch(/^HTTP\/1.1 200/);
    expect(handler).not.toHaveBeenCalled();
  });

  test('more bytes than announced are no part of the body', async () => {
    // The engine responds to the request first, and with 400 to what follows.
    const { app, handler } = limited(100, { engine: 'node' });
    const { socket, ended } = await open(await servePort(app));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabcdef');
    expect(await ended).toMatch(/^HTTP\/1.1 400/);
    expect(handler.mock.calls.every(([request]) => request.body === 'abc')).toBe(true);
  });

  for (const [announced, status] of [
    [3, 400],
    [4, 200],
    [5, 400],
  ] as const) {
    test(`a body of 4 bytes with a Content-Length of ${announced} is answered ${status}`, async () => {
      const { app } = limited(100);
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'text/plain', 'content-length': announced },
        body: 'abcd',
      });
      expect(response.statusCode).toBe(status);
    });
  }

  const ambiguous = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Content-Length: 4', 'Content-Length: 5'],
    ['Content-Length: -1'],
    ['Content-Length: +4'],
    ['Content-Length: 4, 4'],
    ['Content-Length: 0x4'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: xchunked'],
  ];
  for (const head of ambiguous) {
    test(`the ambiguous framing ${JSON.stringify(head)} is answered 400 and never handled`, async () => {
      const { app, handler } = limited(100);
      const status = await statusOf(
        await servePort(app),
        ['Content-Type: text/plain', ...head],
        chunked('abcd'),
      );
      expect(status).toBe(400);
      expect(handler).not.toHaveBeenCalled();
    });
  }
});

describe('one answer per request', () => {
  test('a client that sends its body byte by byte is served like any other', async () => {
    const { app } = guarded();
    await serve(app);
    const { socket, until } = await open(portOf(app));
    const text = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${lengthOf(good)}\r\n\r\n${good}`;
    for (const byte of text) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await until('{"body":{"name":"Ada"}}')).toMatch(/^HTTP\/1.1 200/);
    socket.destroy();
  });

  test('pipelined requests are validated each for itself', async () => {
    const { app } = guarded();
    const { socket, ended } = await open(await servePort(app));
    const one = (body: string, ...head: string[]) =>
      [
        'POST / HTTP/1.1',
        'Host: a',
        'Content-Type: application/json',
        lengthOf(body),
        ...head,
        '',
        body,
      ].join('\r\n');
    socket.write(one(good) + one(bad) + one(good, 'Connection: close'));
    expect(statuses(await ended)).toEqual([200, 400, 200]);
  });
});
