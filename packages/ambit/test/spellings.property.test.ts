/** However a path or a media type is spelled, on either lane: no request gets past the guard of a context or past a schema. */
import type { AmbitOptions, Context, Reply } from 'ambit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askInTurn } from './support/ask-in-turn.ts';
import { flavors } from './support/flavors.ts';
import { fuzz, fuzzTimeoutMs } from './support/fuzz.ts';
import { request } from './support/raw-client.ts';
import { servePort } from './support/serve.ts';

const runs = 3;
const listLength = 200;

const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['the engine', {}],
  ["node's server", { engine: 'node' }],
];
type RouterOptions = NonNullable<AmbitOptions['routerOptions']>;
const routers: readonly (readonly [name: string, options: RouterOptions])[] = [
  ['by default', {}],
  [
    'with a tolerant router',
    {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      useSemicolonDelimiter: true,
    },
  ],
];

const guardedRouters = (['of its context', 'that compares canonicalPath'] as const).flatMap((guard) =>
  routers.map(([name, options]) => [guard, name, options] as const),
);

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

/** One change of a text. Its place is in thousandths of the length. */
const change = fc.record({
  how: fc.constantFrom('insert', 'encode', 'encode twice', 'swap case', 'remove', 'repeat'),
  // Not `fc.double`: most of the numbers between 0 and 1 that it gives are so small that only the first character would change.
  place: fc.nat(999),
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
  const at = Math.floor((place * text.length) / 1_000);
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

type Hook = (request: { canonicalPath: string }, reply: Reply, done: (error?: Error) => void) => void;

const pass: Hook = (_request, _reply, done) => done();
const refuse: Hook = (_request, reply, done) => {
  reply.code(401);
  done(new Error('nobody may pass'));
};
const refuseAdmin: Hook = (request, ...rest) => {
  const isAdmin = /^\/admin(\/|$)/.test(request.canonicalPath);
  return (isAdmin ? refuse : pass)(request, ...rest);
};

/** Guards that let nobody in, as hooks of the application and of the context that they guard. */
const guards = {
  'of its context': { ofApp: pass, ofContext: refuse },
  'that compares canonicalPath': { ofApp: refuseAdmin, ofContext: pass },
} as const;
type Guard = keyof typeof guards;

/** An application with a guard, a route whose parameter has a schema, and one for everything else. */
function guardedApp(make: (options: AmbitOptions) => Context, guard: Guard, options: AmbitOptions) {
  const reached: Reached[] = [];
  const app = make(options);
  app.addHook('onRequest', guards[guard].ofApp);
  const handler = (route: string) => (request: { params: unknown; url: string }) => {
    reached.push({ route, params: request.params as Reached['params'], url: request.url });
    return route;
  };
  app.register(
    async (context) => {
      context.addHook('onRequest', guards[guard].ofContext);
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

/**
 * The path that a target means. An encoded slash is a character of a segment (RFC 3986, 2.2), and so is a semicolon, except where the
 * router has another opinion.
 */
function readPath(target: string, { useSemicolonDelimiter }: RouterOptions): string {
  const path = target.split(useSemicolonDelimiter ? /[?#;]/ : /[?#]/, 1)[0]!;
  const decoded = decodeUnlessInvalid(path.replaceAll(/%2f/gi, '%252f'));
  if (!useSemicolonDelimiter) return decoded;
  const single = decoded.toLowerCase().replaceAll(/\/+/g, '/');
  return single.length > 1 ? single.replace(/\/$/, '') : single;
}

function decodeUnlessInvalid(path: string): string {
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
  const reached: number[] = [];
  const app = make(options);
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => body);
  const short = { type: 'string', maxLength: 3 };
  const handler = ({ query }: { query: unknown }) => {
    reached.push(Number((query as { i: string }).i));
    return 'reached';
  };
  app.post('/json', { schema: { body: short } }, handler);
  const content = { 'application/json': { schema: short }, 'text/plain': { schema: short } };
  app.post('/several', { schema: { body: { content } } }, handler);
  return { app, reached };
}

/** Requests with a body that is too long for every schema. */
function tooLong(path: string, mediaTypes: readonly string[]): string[] {
  return mediaTypes.map(
    (mediaType, i) =>
      `${request('POST', `${path}?i=${i}`, `Content-Type: ${mediaType}`, 'Content-Length: 6')}"long"`,
  );
}

/** The paths of the routes with a guard or a schema. */
const guardedPath = /^\/(admin(\/|\/secret|\/users\/[^/]+)?|items\/[^/]+)$/;

function isPastItsGuard({ route, params, url }: Reached, router: RouterOptions): boolean {
  if (route === 'checked') return !/^[a-z]{1,3}$/.test(String(params.id));
  return route === 'guarded' || guardedPath.test(readPath(url, router));
}

describe.each(flavors)('%s', (_flavor, make) => {
  describe.each(lanes)('on %s', (_lane, lane) => {
    test.each(guardedRouters)(
      'no spelling of a path reaches a handler past a guard %s or past its schema, %s',
      async (guard, _router, routerOptions) => {
        const { app, reached } = guardedApp(make as never, guard, { ...lane, routerOptions });
        const port = await servePort(app);
        const target = spellingsOf('/admin/secret', '/admin/users/7', '/admin/', '/items/abc', '/items/abcd');
        const check = async (targets: readonly string[]): Promise<void> => {
          reached.length = 0;
          await askInTurn(
            port,
            targets.map((text) => request('GET', text)),
          );
          expect(reached.filter((one) => isPastItsGuard(one, routerOptions))).toEqual([]);
        };
        await fuzz('guards', { inputs: target, check, listLength, runs, share: 1 / 16 });
      },
      fuzzTimeoutMs,
    );

    test(
      'no spelling of a media type gets a body past the schema',
      async () => {
        const { app, reached } = validatedApp(make as never, lane);
        const port = await servePort(app);
        const check = async (list: readonly string[]): Promise<void> => {
          await askInTurn(port, tooLong('/json', list));
          expect(reached).toEqual([]);
        };
        await fuzz('media-types-past-schemas', {
          inputs: spellingsOf(...mediaTypes),
          check,
          listLength,
          runs,
          share: 1 / 8,
        });
      },
      fuzzTimeoutMs,
    );

    test(
      'no spelling of a media type that a content map names gets a body past the schema',
      async () => {
        const { app, reached } = validatedApp(make as never, lane);
        const port = await servePort(app);
        const check = async (list: readonly string[]): Promise<void> => {
          reached.length = 0;
          await askInTurn(port, tooLong('/several', list));
          // Fastify, and so the facade, does not validate a body of a type that the map does not name.
          expect(reached.map((i) => list[i]!).filter((text) => mapped.test(essenceOf(text)))).toEqual([]);
        };
        await fuzz('media-types-past-schemas', {
          inputs: spellingsOf(...mediaTypes),
          check,
          listLength,
          runs,
          share: 1 / 8,
        });
      },
      fuzzTimeoutMs,
    );
  });
});
