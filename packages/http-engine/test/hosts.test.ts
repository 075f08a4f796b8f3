/** The only check that is stricter than in node: a request must have one Host, and it must be valid (RFC 9112, 3.2). */
import { describe, expect, test } from 'vitest';
import { get, serve } from './support/serve.ts';

const bad = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

describe('a Host is refused', () => {
  for (const value of [
    'a.example/path',
    'a.example\\path',
    'user@a.example',
    'user:password@a.example',
    'a.example#x',
    'a.example?x',
    'a b',
    'a.example:80:90',
    'a.example:80a',
    '[::1',
    '::1',
    '[]',
    '[::1]x',
    '[::1/]',
    'http://a.example',
    'j\xfcrgen.example',
    '"a"',
    '<a>',
  ]) {
    test(`that says ${value}`, async () => {
      const { connect, engine } = await serve((exchange) => exchange.respond(200, {}, 'served'));
      const client = await connect();
      client.send(`GET / HTTP/1.1\r\nHost: ${value}\r\n\r\n`);
      expect(await client.end()).toBe(bad);
      expect(engine.counters).toMatchObject({ requests: 0, refused: 1 });
      expect(engine.counters.handedOver).toEqual({});
    });
  }

  for (const [title, text] of Object.entries({
    twice: get('/', 'Host: a\r\n'),
    'twice, with another between': get('/', 'X: 1\r\nhost: b\r\n'),
    'of a request that node would serve': get('/', 'Host: b\r\nTransfer-Encoding: chunked\r\n'),
  })) {
    test(`that is there ${title}`, async () => {
      const { connect } = await serve((exchange) => exchange.respond(200, {}, 'served'));
      const client = await connect();
      client.send(text);
      expect(await client.end()).toBe(bad);
    });
  }

  test('on a connection that node serves', async () => {
    const { connect, engine } = await serve((exchange) => exchange.respond(200, {}, 'served'));
    const client = await connect();
    client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    await client.expectText('served');
    client.send(get('/', 'Host: b\r\n'));
    await client.closed;
    expect(client.received).toMatch(/served.*HTTP\/1.1 400 Bad Request\r\nconnection: close\r\n/s);
    expect(engine.counters.handedOver).toEqual({ 'transfer-encoding': 1 });
  });

  test('behind a request that is answered', async () => {
    const { connect } = await serve(
      (exchange) => void setTimeout(() => exchange.respond(200, {}, 'served'), 20),
    );
    const client = await connect();
    client.send(get() + get('/', 'Host: b\r\n'));
    await client.closed;
    expect(client.received).toMatch(/served$|served.*400/s);
  });

  test('with the words of the application', async () => {
    const { connect, server } = await serve(() => {});
    server.on('clientError', (error: Error & { code?: string }, socket) =>
      socket.end(`${error.code}: ${error.message}`),
    );
    const client = await connect();
    client.send(get('/', 'Host: b\r\n'));
    await client.closed;
    expect(client.received).toBe('HPE_INVALID_HEADER_TOKEN: Parse Error: Invalid Host');
  });
});

describe('a Host is taken', () => {
  for (const value of [
    '',
    'a',
    'a.example',
    'a.example:',
    'a.example:443',
    '127.0.0.1:80',
    '[::1]',
    '[2001:db8::1]:8080',
    'a_b.example',
    '%C3%BC.example',
    "a!$&'()*+,;=~b",
  ]) {
    test(`that says ${JSON.stringify(value)}`, async () => {
      const { connect } = await serve((exchange) =>
        exchange.respond(200, {}, `<${exchange.header('host')}>`),
      );
      const client = await connect();
      client.send(`GET / HTTP/1.1\r\nHost: ${value}\r\n\r\n`);
      expect(await client.end()).toContain(`<${value}>`);
    });
  }
});
