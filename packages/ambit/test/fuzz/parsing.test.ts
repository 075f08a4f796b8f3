/** Random query strings, media types and JSON texts: Ambit reads them as the readers of node and of JavaScript do, or refuses them. */
import { parse } from 'node:querystring';
import { MIMEType } from 'node:util';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';

const joined = (pieces: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(pieces, { maxLength }).map((list) => list.join(''));

const queryPiece = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c=',
    '=',
    '&',
    '&&',
    '+',
    '%',
    '%2',
    '%zz',
    '%26',
    '%3D',
    '%2B',
    '%C3%A4',
    '%ff',
    '%00',
  ),
  fc.constantFrom(
    '[]',
    '[0]',
    '.',
    ';',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '?',
    '/',
    '%5F_proto__',
  ),
  fc.string({ maxLength: 3 }),
);

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

test('a query string is read as node:querystring reads it', { timeout: fuzzTimeoutMs }, async () => {
  const app = ambit();
  app.get('/', ({ query, url }) => ({ query, url }));
  await fuzz('queries', {
    inputs: joined(queryPiece, 12),
    runs: 150,
    check: async (pieces) => {
      const reply = await app.inject({ url: `/?${pieces.replaceAll('#', '')}` });
      expect(reply.statusCode).toBe(200);
      const { query, url } = reply.json() as { query: unknown; url: string };
      const [, text] = /^[^?]*\??(.*)$/s.exec(url)!;
      // What is not validly encoded stays as it is; node replaces it.
      if (isDecodable(text!)) expect(query).toEqual({ ...parse(text!, '&', '=', { maxKeys: 0 }) });
    },
  });
});

const mediaPiece = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/',
    'json',
    'text/plain',
    '/',
    'APPLICATION/JSON',
    'geo+json',
  ),
  fc.constantFrom(
    ';',
    '; ',
    ' ;',
    'charset=utf-8',
    'q="a;b"',
    '"',
    '\\"',
    '=',
    ',',
    ' ',
    '\t',
    '+json',
    '*',
    '*/*',
  ),
  fc.constantFrom('\u00e4', '\u0130', '\u212a', '\u017f', '\x0b', '\x7f', '\u00a0', '\ufeff', 'x-'),
);

/** What the reader of node takes for the type; undefined if it takes it for none. */
function essenceOf(text: string): string | undefined {
  try {
    return new MIMEType(text).essence;
  } catch {
    return undefined;
  }
}

const isJson = /^application\/(json|[^/]*\+json)$/;

test('a body that a JSON schema let through has a JSON media type for node too', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const app = ambit();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => body);
  app.post('/', { schema: { body: { type: 'string', maxLength: 4 } } }, () => 'reached');
  const post = async (mediaType: string, payload: string): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/', headers: { 'content-type': mediaType }, payload }))
      .statusCode;
  await fuzz('media-types', {
    inputs: fc.oneof(
      joined(mediaPiece, 6),
      joined(mediaPiece, 4).map((rest) => `application/json${rest}`),
    ),
    runs: 100,
    check: async (mediaType) => {
      expect([400, 415]).toContain(await post(mediaType, '"too long"'));
      const status = await post(mediaType, '"ok"');
      expect([200, 415]).toContain(status);
      if (status === 200) expect(essenceOf(mediaType)).toMatch(isJson);
      return 2;
    },
  });
});

const jsonPiece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"b":',
    '1',
    '-0',
    '1e9',
    '1E400',
    '01',
    '.5',
    'null',
    'true',
  ),
  fc.constantFrom(
    '"__proto__":',
    '"constructor":',
    '"prototype":',
    '"\\u005f_proto__":',
    '"__pr\\u006fto__":',
  ),
  fc.constantFrom(
    '{"constructor":{"prototype":{}}}',
    ' ',
    '\n',
    '\t',
    '\ufeff',
    '\u00a0',
    '\\',
    '\\u0000',
    '\ud800',
    'NaN',
    '//',
  ),
);
const jsonText = fc.oneof(
  joined(jsonPiece, 10),
  fc.json({ maxDepth: 3 }),
  fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(2), jsonPiece).map(([text, place, removed, piece]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + removed);
  }),
);

/** Whether an object in it could change a prototype where it is copied. */
function isPoisoned(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  const inner: unknown = Object.hasOwn(value, 'constructor')
    ? (value as Record<string, unknown>).constructor
    : null;
  if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) return true;
  return Object.values(value).some(isPoisoned);
}

function readJson(text: string): { value: unknown } | undefined {
  try {
    // RFC 8259, 8.1: a reader may ignore a byte order mark.
    return { value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

test('a JSON body is what JSON.parse makes of it, unless it could change a prototype', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const app = ambit();
  app.post('/', ({ body }) => ({ body }));
  const headers = { 'content-type': 'application/json' };
  await fuzz('json', {
    inputs: jsonText,
    runs: 150,
    check: async (text) => {
      const wellFormed = Buffer.from(text).toString();
      const expected = readJson(wellFormed);
      const reply = await app.inject({ method: 'POST', url: '/', headers, payload: text });
      if (expected === undefined || isPoisoned(expected.value)) expect(reply.statusCode).toBe(400);
      else expect(reply.body).toBe(JSON.stringify({ body: expected.value }));
    },
  });
});
