/** Random targets and header fields over sockets: both lanes read the same, and nothing that is sent ends a head too early. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';
import { servePort } from '../support/serve.ts';

const lanes: readonly AmbitOptions[] = [{}, { engine: 'node' }];

/** Sends requests one behind the other on one connection, and returns the contents of the responses. */
async function pipeline(port: number, heads: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(heads.join(''), 'latin1');
  let received = '';
  for await (const text of socket) received += text;
  return received.replaceAll(/^(date|connection|keep-alive): .*\r\n/gim, '');
}

const get = (target: string, fields: readonly string[], isLast: boolean): string =>
  [`GET ${target} HTTP/1.1`, ...fields, `Connection: ${isLast ? 'close' : 'keep-alive'}`, '', ''].join(
    '\r\n',
  );

const targetPiece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '/a',
    '/a/',
    'b',
    '/b',
    '/files/',
    '.',
    '..',
    '/../',
    '/./',
    ';',
    ';x=1',
    '?',
    '?x=1',
    '#',
    '&',
  ),
  fc.constantFrom(
    '%',
    '%2f',
    '%2F',
    '%5c',
    '%2e',
    '%00',
    '%zz',
    '%25',
    '%252f',
    '%c3%a4',
    '%ff',
    '%C0%AF',
    '*',
    ':',
    ':id',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 5 }).map((text) => text.replaceAll(' ', '')),
);
const target = fc.array(targetPiece, { maxLength: 7 }).map((pieces) => `/${pieces.join('')}`);

function makeRoutes(options: AmbitOptions): Context {
  const app = ambit(options);
  for (const path of ['/a/:id', '/a/:id/b', '/files/*', '/a-:one-:two', '/n/:id(^\\d+$)', '/*'])
    app.get(path, ({ url, params, query }) => ({ path, url, params, query }));
  return app;
}

interface Seen {
  path: string;
  url: string;
  params: Record<string, string>;
}

test('both lanes find the same route for a target, and decode its parameters as JavaScript does', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const ports = await Promise.all(lanes.map((lane) => servePort(makeRoutes(lane))));
  await fuzz('urls', {
    inputs: fc.array(target, { minLength: 1, maxLength: 40 }),
    runs: 20,
    check: async (targets) => {
      const heads = targets.map((text, i) => get(text, ['Host: a'], i === targets.length - 1));
      const [engine, node] = await Promise.all(ports.map((port) => pipeline(port, heads)));
      expect(engine).toBe(node);
      const seen = engine!.split(/HTTP\/1\.1 \d+ [^\r]*\r\n/).slice(1);
      expect(seen.length).toBe(targets.length);
      for (const [i, response] of seen.entries()) expectDecoded(response.split('\r\n\r\n')[1]!, targets[i]!);
      return targets.length;
    },
  });
});

function expectDecoded(content: string, target: string): void {
  const { path, url, params } = JSON.parse(Buffer.from(content, 'latin1').toString()) as Seen;
  if (path === undefined) return; // refused
  expect(url).toBe(target);
  const text = target.split(/[?#]/, 1)[0]!;
  if (path === '/*') expect(params['*']).toBe(decodeURIComponent(text.slice(1)));
  if (path === '/a/:id') expect(params.id).toBe(decodeURIComponent(text.slice('/a/'.length)));
}

const fieldName = fc.constantFrom(
  'Host',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'Cookie',
  'Accept',
  'Content-Type',
  'Range',
  'If-None-Match',
  '__proto__',
  'constructor',
  'x-a',
);
const fieldPiece = fc.oneof(
  fc.constantFrom(
    'a',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '::1',
    ':80',
    ':',
    ',',
    ', ',
    '/',
    '@',
    '?',
    '#',
    '%',
    '\\',
    ' ',
    '\t',
    ';',
    '=',
    '"',
    '*',
    'https',
    'http',
  ),
  fc.constantFrom('\x80', '\xff', '999.1.1.1', '[', ']', ':99999', 'unix:', 'null', '256', '::ffff:1.2.3.4'),
);
const fieldValue = fc.array(fieldPiece, { maxLength: 5 }).map((pieces) => pieces.join(''));

test('both lanes say the same of a request with odd header fields, and none of them fails', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const ports = await Promise.all(
    lanes.map((lane) => {
      const app = ambit({ ...lane, trustProxy: true });
      app.get('/', ({ headers, ip, ips, host, hostname, port, protocol }) => {
        return { headers: Object.entries(headers).sort(), ip, ips, host, hostname, port, protocol };
      });
      return servePort(app);
    }),
  );
  await fuzz('request-headers', {
    inputs: fc.array(fc.tuple(fieldName, fieldValue), { maxLength: 6 }),
    runs: 60,
    check: async (fields) => {
      const lines = fields.filter(([name]) => name !== 'Host').map(([name, value]) => `${name}: ${value}`);
      const host = fields.find(([name]) => name === 'Host')?.[1] ?? 'localhost';
      const [engine, node] = await Promise.all(
        ports.map((port) => pipeline(port, [get('/', [`Host: ${host}`, ...lines], true)])),
      );
      expect(engine).toMatch(/^HTTP\/1\.1 (200|400) /);
      // The engine refuses a Host that is none, which node does not look at.
      if (engine!.startsWith('HTTP/1.1 200')) expect(engine).toBe(node);
    },
  });
});

const oddText = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\0',
    ':',
    ' ',
    '\t',
    '\u0100',
    '\u010a',
    '\u560a',
    '\x7f',
    '\x80',
    '\xff',
    '',
    'a',
    'x-b: 1',
  ),
  fc.constantFrom(
    'content-length',
    'transfer-encoding',
    'set-cookie',
    'connection',
    'chunked',
    'close',
    '5',
    '__proto__',
  ),
);
const oddField = fc.array(oddText, { maxLength: 4 }).map((pieces) => pieces.join(''));

test('no name and no value of a response header adds a field or a response', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const targets = await Promise.all(
    lanes.map(async (lane) => {
      const app = ambit(lane);
      app.post('/', async (request, reply) => {
        const [name, value] = request.body as [string, string];
        return reply.header(name, value).send('sent');
      });
      return { port: await servePort(app), agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
    }),
  );
  onTestFinished(() => {
    for (const { agent } of targets) agent.destroy();
  });
  await fuzz('response-headers', {
    inputs: fc.tuple(
      fc.oneof(fc.constantFrom('x-a', 'content-type', 'set-cookie', 'location'), oddField),
      oddField,
    ),
    runs: 100,
    check: async ([name, value]) => {
      for (const { port, agent } of targets) {
        const body = JSON.stringify([name, value]);
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const outgoing = request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/', headers });
        outgoing.end(body);
        const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
        let content = '';
        for await (const chunk of response) content += chunk;
        const expected = [
          'connection',
          'content-length',
          'content-type',
          'date',
          'keep-alive',
          name.toLowerCase(),
        ];
        expect([200, 500]).toContain(response.statusCode);
        for (const received of Object.keys(response.headers)) expect(expected).toContain(received);
        if (response.statusCode === 200) expect(content).toBe('sent');
      }
    },
  });
});
