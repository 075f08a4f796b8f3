/** `request.canonicalPath`: one text for all spellings of a path, on every transport and both flavors. */
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { converse, lastRequest, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';
import { textOf, transports } from '../../test/support/transports.ts';

type RouterOptions = NonNullable<AmbitOptions['routerOptions']>;

const cases: readonly (readonly [target: string, path: string, options?: RouterOptions])[] = [
  ['/', '/'],
  ['/?a=1', '/'],
  ['/users/7?a=%2F', '/users/7'],
  ['/%75sers/%C3%A9', '/users/é'],
  ['/a%20b', '/a b'],
  ['/a%2fb', '/a%2fb'],
  ['/%2561', '/%2561'],
  ['/a%3Fb?c', '/a%3Fb'],
  ['//Users//', '//Users//'],
  ['//Users//', '/Users/', { ignoreDuplicateSlashes: true }],
  ['//Users//', '/Users', { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true }],
  ['/', '/', { ignoreTrailingSlash: true }],
  ['/USER%53', '/users', { caseSensitive: false }],
  ['/users;a=b', '/users;a=b'],
  ['/users;a=b?c', '/users', { useSemicolonDelimiter: true }],
];

/** Replies with the canonical path to every request, with or without a route. */
function echo(app: Context): Context {
  app.setNotFoundHandler((request, reply) => reply.code(200).send(request.canonicalPath));
  app.get('/users', ({ canonicalPath }) => canonicalPath);
  return app;
}

describe.each(flavors)('on %s', (_flavor, make) => {
  for (const { name, options, ask } of transports) {
    for (const [target, path, routerOptions = {}] of cases) {
      test(`${name}: of ${target} is ${path} with ${JSON.stringify(routerOptions)}`, async () => {
        const app = echo(make({ ...options, routerOptions }));
        expect(await textOf(await ask(app, { path: target }))).toBe(path);
      });
    }
  }

  for (const lane of [{}, { engine: 'node' }] as const satisfies AmbitOptions[]) {
    const on = (target: string) => `${JSON.stringify(target)}, ${JSON.stringify(lane)}`;

    for (const [target, path] of [
      ['http://localhost/user%73?a', '/users'],
      ['HTTPS://localhost:80', '/'],
      ['http://localhost?/users', '/'],
    ] as const) {
      test(`of a target in absolute form is its path: ${on(target)}`, async () => {
        const received = await converse(await servePort(echo(make(lane))), lastRequest('GET', target));
        expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe(path);
      });
    }

    test(`of what cannot be decoded is the path as received: ${on('/%ff?a')}`, async () => {
      const app = make({
        ...lane,
        frameworkErrors: (_error, request, reply) => reply.code(400).send(request.canonicalPath),
      });
      const received = await converse(await servePort(app), lastRequest('GET', '/%ff?a'));
      expect(statuses(received)).toEqual([400]);
      expect(received).toMatch(/\r\n\/%ff$/);
    });
  }

  test('is that of the URL that rewriteUrl returns', async () => {
    const app = echo(make({ rewriteUrl: () => '/user%73?rewritten' }));
    expect((await app.inject('/elsewhere')).body).toBe('/users');
  });
});
