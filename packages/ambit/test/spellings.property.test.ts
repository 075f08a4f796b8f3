/** However a path or a media type is spelled, on either lane: no request gets past the guard of a context or past a schema. */
import type { AmbitOptions, Context } from 'ambit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faces } from './support/faces.ts';
import { fuzz, fuzzTimeoutMs } from './support/fuzz.ts';
import { converse } from './support/raw-client.ts';
import { servePort } from './support/serve.ts';

const runs = 80;

const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['the engine', {}],
  ["node's server", { engine: 'node' }],
];
const routers: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['by default', {}],
  [
    'with a tolerant router',
    {
      routerOptions: {
        ignoreTrailingSlash: true,
        ignoreDuplicateSlashes: true,
        caseSensitive: false,
        useSemicolonDelimiter: true,
      },
    },
  ],
];

/** Characters that servers and proxies have read in different ways. */
const oddPiece = fc.constantFrom(
  ...[
    '/',
    '//',
    '/.',
    '/./',
    '/..',
    '/../',
    ';',
    ';x=1',
    '?',
    '#',
    '\\',
    '.',
    '%',
    '%%',
    '%2',
    '%zz',
    ' ',
    '\t',
    '\0',
    '\u00e4',
  ],
  ...[
    '%2f',
    '%2F',
    '%5c',
    '%2e',
    '%2e%2e',
    '%00',
    '%0d%0a',
    '%20',
    '%3b',
    '%3f',
    '%23',
    '%25',
    '%252f',
    '%c0%af',
    '%c3%a4',
    '%ff',
  ],
);

/** One change of a text at a place from 0 to 1. */
const change = fc.record({
  how: fc.constantFrom('insert', 'encode', 'encode twice', 'swap case', 'remove', 'repeat'),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  piece: oddPiece,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const encode = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const swapCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();

const changes: Readonly<Record<Change['how'], (character: string, piece: string) => string>> = {
  insert: (character, piece) => piece + character,
  encode,
  'encode twice': (character) => `%25${encode(character).slice(1)}`,
  'swap case': swapCase,
  remove: () => '',
  repeat: (character) => character + character,
};

function apply(text: string, { how, place, piece }: Change): string {
  const at = Math.floor(place * text.length);
  return text.slice(0, at) + changes[how](text[at] ?? '', piece) + text.slice(at + 1);
}

/** Spellings of a text: some of its characters changed. */
const spellingsOf = (...texts: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 4 }))
    .map(([text, list]) => list.reduce(apply, text));

/** What reached a handler. */
interface Reached {
  readonly route: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
}

/** An application with a guard that lets nobody in, a route whose parameter has a schema, and one for everything else. */
function guardedApp(make: (options: AmbitOptions) => Context, options: AmbitOptions) {
  const reached: Reached[] = [];
  const app = make(options);
  const handler = (route: string) => (request: { params: unknown; url: string }) => {
    reached.push({ route, params: request.params as Reached['params'], url: request.url });
    return route;
  };
  app.register(
    async (context) => {
      context.addHook('onRequest', (_request, reply, done) => {
        reply.code(401);
        done(new Error('nobody may pass'));
      });
      context.get('/', handler('guarded'));
      context.get('/secret', handler('guarded'));
      context.get('/users/:id', handler('guarded'));
    },
    { prefix: '/admin' },
  );
  const id = { type: 'string', pattern: '^[a-z]{1,3}$' };
  app.get('/items/:id', { schema: { params: { id } } }, handler('checked'));
  app.get('/*', handler('open'));
  return { app, reached };
}

/** The path as the most tolerant of readers would take it. */
function readTolerantly(url: string): string {
  const [path] = url.split(/[?#;]/, 1) as [string];
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Media types of which some are in the content map of `/several`. */
const mediaTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/geo+json',
];
const mapped = /^(application\/json|text\/plain)$/;
const essenceOf = (mediaType: string): string => mediaType.split(';', 1)[0]!.trim().toLowerCase();

/** An application whose routes take short strings only, with a parser for everything. */
function validatedApp(make: (options: AmbitOptions) => Context, options: AmbitOptions) {
  const bodies: unknown[] = [];
  const app = make(options);
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => body);
  const short = { type: 'string', maxLength: 3 };
  const handler = ({ body }: { body: unknown }) => {
    bodies.push(body);
    return 'reached';
  };
  app.post('/json', { schema: { body: short } }, handler);
  const content = { 'application/json': { schema: short }, 'text/plain': { schema: short } };
  app.post('/several', { schema: { body: { content } } }, handler);
  return { app, bodies };
}

/** Sends a body that is too long for every schema. */
function postTo(port: number, target: string, mediaType: string): Promise<string> {
  const fields = `Host: a\r\nConnection: close\r\nContent-Type: ${mediaType}\r\nContent-Length: 6`;
  return converse(port, `POST ${target} HTTP/1.1\r\n${fields}\r\n\r\n"long"`);
}

const guardedPath = /^\/admin(\/|\/secret|\/users\/[^/]+)?$/;

describe.each(faces)('%s', (_face, make) => {
  describe.each(lanes)('on %s', (_lane, lane) => {
    test.each(routers)(
      'no spelling of a path reaches a handler past its guard or its schema, %s',
      async (_router, router) => {
        const { app, reached } = guardedApp(make as never, { ...lane, ...router });
        const port = await servePort(app);
        const target = spellingsOf('/admin/secret', '/admin/users/7', '/admin/', '/items/abc', '/items/abcd');
        const check = async (target: string): Promise<void> => {
          reached.length = 0;
          await converse(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
          for (const { route, params, url } of reached) {
            expect(route).not.toBe('guarded');
            if (route === 'checked') expect(params.id).toMatch(/^[a-z]{1,3}$/);
            if (route === 'open') expect(readTolerantly(url)).not.toMatch(guardedPath);
          }
        };
        await fuzz('guards', { inputs: target, check, runs, share: 1 / 8 });
      },
      fuzzTimeoutMs,
    );

    test(
      'no spelling of a media type gets a body past the schema',
      async () => {
        const { app, bodies } = validatedApp(make as never, lane);
        const port = await servePort(app);
        const check = async (mediaType: string): Promise<void> => {
          await postTo(port, '/json', mediaType);
          expect(bodies).toEqual([]);
        };
        await fuzz('media-types-past-schemas', {
          inputs: spellingsOf(...mediaTypes),
          check,
          runs,
          share: 1 / 8,
        });
      },
      fuzzTimeoutMs,
    );

    test(
      'no spelling of a media type that a content map names gets a body past the schema',
      async () => {
        const { app, bodies } = validatedApp(make as never, lane);
        const port = await servePort(app);
        const check = async (mediaType: string): Promise<void> => {
          bodies.length = 0;
          await postTo(port, '/several', mediaType);
          // Fastify, and so the facade, does not validate a body of a type that the map does not name.
          expect(bodies.map(() => essenceOf(mediaType))).not.toContainEqual(expect.stringMatching(mapped));
        };
        await fuzz('media-types-past-schemas', {
          inputs: spellingsOf(...mediaTypes),
          check,
          runs,
          share: 1 / 8,
        });
      },
      fuzzTimeoutMs,
    );
  });
});
