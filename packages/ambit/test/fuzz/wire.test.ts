/** Random targets and header fields over sockets: both lanes read the same, and nothing that is sent ends a head too early. */
import { type AmbitOptions, ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askInTurn, type WireResponse } from '../support/ask-in-turn.ts';
import { fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';
import { request } from '../support/raw-client.ts';
import { servePort } from '../support/serve.ts';

const lanes: readonly AmbitOptions[] = [{}, { engine: 'node' }];

/** What does not depend on when the response was sent, or on what else was asked. */
function withoutTime({ status, fields, content }: WireResponse): object {
  return {
    status,
    content,
    fields: fields.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)),
  };
}

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
    inputs: target,
    listLength: 200,
    runs: 5,
    check: async (targets) => {
      const requests = targets.map((text) => request('GET', text));
      const [engine, node] = await Promise.all(ports.map((port) => askInTurn(port, requests)));
      expect(engine!.map(withoutTime)).toEqual(node!.map(withoutTime));
      expect(engine!.flatMap(({ content }, i) => findWrong(content, targets[i]!))).toEqual([]);
    },
  });
});

/** What a response says that is not so. */
function findWrong(content: string, target: string): string[] {
  const { path, url, params } = JSON.parse(Buffer.from(content, 'latin1').toString()) as Seen;
  if (path === undefined) return []; // refused
  const text = target.split(/[?#]/, 1)[0]!;
  const expected: Record<string, string | undefined> = {
    '/*': text.slice(1),
    '/a/:id': text.slice('/a/'.length),
  };
  const raw = expected[path];
  const isRight = raw === undefined || decodeURIComponent(raw) === (params['*'] ?? params.id);
  return url === target && isRight ? [] : [`${target}: ${content}`];
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

type Fields = readonly (readonly [name: string, value: string])[];

function hostOf(fields: Fields): string {
  return fields.find(([name]) => name === 'Host')?.[1] ?? 'localhost';
}

/** By another way than the engine's: by the grammar of RFC 3986 as an expression. */
const validHost = /^(\[[\w:.~!$&'()*+,;=%-]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/;

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
    listLength: 100,
    runs: 3,
    check: async (list) => {
      const [valid, invalid] = [true, false].map((isValid) =>
        list.filter((fields) => validHost.test(hostOf(fields).trim()) === isValid).map(requestOf),
      ) as [string[], string[]];
      const [engine, node] = await Promise.all(ports.map((port) => askInTurn(port, valid)));
      expect(engine!.map(withoutTime)).toEqual(node!.map(withoutTime));
      // The engine refuses a Host that is none, which node does not look at. It closes the connection then.
      for (const text of invalid) expect((await askInTurn(ports[0]!, [text]))[0]!.status).toBe(400);
    },
  });
});

function requestOf(fields: Fields): string {
  const lines = fields.filter(([name]) => name !== 'Host').map(([name, value]) => `${name}: ${value}`);
  return ['GET / HTTP/1.1', `Host: ${hostOf(fields)}`, ...lines, '', ''].join('\r\n');
}

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
  let list: readonly (readonly [string, string])[] = [];
  const ports = await Promise.all(
    lanes.map((lane) => {
      const app = ambit(lane);
      app.get('/:i', async (request, reply) => {
        const [name, value] = list[Number((request.params as { i: string }).i)]!;
        return reply.header(name, value).send('sent');
      });
      return servePort(app);
    }),
  );
  await fuzz('response-headers', {
    inputs: fc.tuple(
      fc.oneof(fc.constantFrom('x-a', 'content-type', 'set-cookie', 'location'), oddField),
      oddField,
    ),
    listLength: 100,
    runs: 5,
    check: async (inputs) => {
      list = inputs;
      const requests = list.map((_, i) => request('GET', `/${i}`));
      for (const port of ports) {
        const responses = await askInTurn(port, requests);
        expect(responses.flatMap((response, i) => findAdded(response, ...list[i]!))).toEqual([]);
      }
    },
  });
});

const framing = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];

/** Fields that neither the framework nor the application has set, or that are there twice; or other content. */
function findAdded({ status, fields, content }: WireResponse, name: string, value: string): object[] {
  const expected = new Set([...framing, name.toLowerCase()]);
  const added = fields.filter(([received]) => !expected.delete(received.toLowerCase()));
  const isRight = status === 500 || (status === 200 && content === 'sent');
  return added.length === 0 && isRight ? [] : [{ name, value, status, fields, content }];
}
