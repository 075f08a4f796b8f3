/** Random query strings, media types and JSON texts: Ambit reads them as the readers of node and of JavaScript do, or refuses them. */
import { parse } from 'node:querystring';
import { MIMEType } from 'node:util';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askInTurn } from '../support/ask-in-turn.ts';
import { expectSame, fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';
import { request } from '../support/raw-client.ts';
import { servePort } from '../support/serve.ts';

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

/** What is not validly encoded stays as it is; node would replace it. */
function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Node writes `%20` for `+` before it decodes: what is kept as it is could have had either. */
function isComparable(text: string): boolean {
  return decodeOrKeep(text) !== text || !/%/.test(text) || !/\+|%20/.test(text);
}

test('a query string is read as node:querystring reads it', { timeout: fuzzTimeoutMs }, async () => {
  const app = ambit();
  const seen: string[] = [];
  app.get('/', ({ query }) => {
    seen.push(JSON.stringify(query));
    return 'read';
  });
  const port = await servePort(app);
  await fuzz('queries', {
    inputs: joined(queryPiece, 12).map((text) => text.replaceAll('#', '').replaceAll(' ', '%20')),
    listLength: 200,
    runs: 3,
    check: async (list) => {
      seen.length = 0;
      const responses = await askInTurn(
        port,
        list.map((text) => request('GET', `/?${text}`)),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(seen.length).toBe(list.length);
      const compared = list.flatMap((text, i) => (isComparable(text) ? [i] : []));
      const options = { maxKeys: 0, decodeURIComponent: decodeOrKeep };
      const expected = compared.map((i) => JSON.stringify(parse(list[i]!, '&', '=', options)));
      expectSame(
        compared.map((i) => seen[i]),
        expected,
      );
      return compared.length;
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
  const check = async (mediaType: string): Promise<void> => {
    const [tooLong, valid] = [await post(mediaType, '"too long"'), await post(mediaType, '"ok"')];
    // Few of very many calls of `expect`: they take longer than the requests.
    const isRight = valid === 415 ? tooLong === 415 : valid === 200 && tooLong === 400;
    if (!isRight || (valid === 200 && !isJson.test(essenceOf(mediaType) ?? '')))
      expect.fail(`${JSON.stringify(mediaType)}: ${tooLong}, ${valid}, ${essenceOf(mediaType)}`);
  };
  await fuzz('media-types', {
    inputs: fc.oneof(
      joined(mediaPiece, 6),
      joined(mediaPiece, 4).map((rest) => `application/json${rest}`),
    ),
    listLength: 100,
    runs: 3,
    check: async (list) => {
      for (const mediaType of list) await check(mediaType);
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
/** Objects that could change a prototype, at any depth. */
const { poison } = fc.letrec<{ poison: unknown }>((tie) => {
  const names = fc.constantFrom('a', '__proto__', 'constructor', 'prototype');
  // As entries: an object cannot have `__proto__` as a name like any other.
  const object = fc.array(fc.tuple(names, tie('poison')), { maxLength: 3 });
  return {
    poison: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom('1', '"a"', 'null'),
      object.map((entries) => `{${entries.map(([name, value]) => `"${name}":${value}`).join()}}`),
      fc.array(tie('poison'), { maxLength: 2 }).map((list) => `[${list.join()}]`),
    ),
  };
});
const jsonText = fc.oneof(
  joined(jsonPiece, 10),
  poison as fc.Arbitrary<string>,
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
  const port = await servePort(app);
  await fuzz('json', {
    inputs: jsonText,
    listLength: 200,
    runs: 3,
    check: async (list) => {
      const expected = list.map((text) => {
        const read = readJson(Buffer.from(text).toString());
        return read === undefined || isPoisoned(read.value) ? 400 : JSON.stringify({ body: read.value });
      });
      const valid = list.filter((_, i) => expected[i] !== 400);
      const responses = await askInTurn(port, valid.map(postOf));
      const seen = responses.map(({ content }) => Buffer.from(content, 'latin1').toString());
      expectSame(
        seen,
        expected.filter((text) => text !== 400),
      );
      // The server closes the connection of what it refuses: without one, that takes less time.
      const refused: number[] = [];
      for (const payload of list.filter((_, i) => expected[i] === 400)) {
        const reply = await app.inject({ method: 'POST', url: '/', headers, payload });
        refused.push(reply.statusCode);
      }
      expect(refused).toEqual(refused.map(() => 400));
    },
  });
});

/** In text of one byte a character. */
function postOf(body: string): string {
  const bytes = Buffer.from(body);
  return (
    request('POST', '/', 'Content-Type: application/json', `Content-Length: ${bytes.length}`) +
    bytes.toString('latin1')
  );
}
