/**
 * Published advisories of `@fastify/middie`, `@fastify/express` and `@fastify/static`: no spelling of a path passes a middleware or a route
 * that guards it, whatever options the router has. They depend on what an application shows of itself to plugins.
 */
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from '@fastify/express';
import middie from '@fastify/middie';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const root = fileURLToPath(new URL('fixtures/public/', import.meta.url));
const plugins = { middie, express } as const;
const engines: readonly object[] = [{}, { engine: 'node' }];
const applications = flavors.flatMap(({ flavor, create }) =>
  engines.map((engine) => ({
    flavor,
    engine,
    make: (options: object = {}): FastifyInstance =>
      create({ ...engine, ...options } as FastifyServerOptions),
  })),
);
const cases = applications.flatMap((application) =>
  (['middie', 'express'] as const).map((plugin) => ({ ...application, plugin })),
);

type Guard = (request: unknown, response: { statusCode: number; end(text: string): void }) => void;
const refuse: Guard = (_request, response) => {
  response.statusCode = 403;
  response.end('guarded');
};

/** Sends the target as it is, which HTTP clients would change. Returns the response as text. */
function ask(origin: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

describe.each(cases)('$plugin on $flavor, $engine', ({ plugin, make }) => {
  /** A middleware before the route that it guards. */
  async function guarded(options?: object): Promise<string> {
    const app = make(options);
    await app.register(plugins[plugin] as never);
    (app as unknown as { use(path: string, guard: Guard): void }).use('/secret', refuse);
    app.get('/secret', () => 'the secret');
    app.get('/public', () => 'public');
    return serve(app);
  }

  test('a middleware guards its path, and no other', async () => {
    const origin = await guarded();
    expect(await ask(origin, '/secret')).toMatch(/^HTTP\/1.1 403 .*guarded$/s);
    expect(await ask(origin, '/public')).toMatch(/^HTTP\/1.1 200 .*public$/s);
  });

  test.each(['/%73ecret', '/s%65cret?a=1', '/secre%74'])(
    'CVE-2026-22031, CVE-2026-22037: the encoded path %s is guarded',
    async (target) => {
      expect(await ask(await guarded(), target)).toMatch(/^HTTP\/1.1 403 /);
    },
  );

  const tolerant = { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, useSemicolonDelimiter: true };

  test.each([
    ['//secret', { ignoreDuplicateSlashes: true }],
    ['///%73ecret', { ignoreDuplicateSlashes: true }],
    ['/secret/', { ignoreTrailingSlash: true }],
    ['/secret;a=b', { useSemicolonDelimiter: true }],
    ['/secret;/../public', { useSemicolonDelimiter: true }],
    ['//secret//;a=b?c', tolerant],
  ])(
    'CVE-2026-2880, CVE-2026-33808: %s, which reaches the route with %j, is guarded',
    async (target, routerOptions) => {
      expect(await ask(await guarded({ routerOptions }), target)).toMatch(/^HTTP\/1.1 403 /);
    },
  );

  test('CVE-2026-6270, CVE-2026-33807: routes of a context with the prefix of the guarded path are guarded', async () => {
    const app = make();
    await app.register(plugins[plugin] as never);
    (app as unknown as { use(path: string, guard: Guard): void }).use('/admin', refuse);
    app.register(
      async (child) => {
        child.get('/users', () => 'the secret');
        child.register(async (inner) => void inner.get('/deep', () => 'the secret'), { prefix: '/below' });
      },
      { prefix: '/admin' },
    );
    const origin = await serve(app);
    for (const path of ['/admin/users', '/admin/below/deep']) {
      expect(await ask(origin, path)).toMatch(/^HTTP\/1.1 403 /);
    }
  });
});

describe.each(applications)('static on $flavor, $engine', ({ make }) => {
  test.each(['/deep/data.json', '/deep%2Fdata.json', '/deep%2fdata.json', '/x/..%2Fdeep%2Fdata.json'])(
    'CVE-2026-6414: %s does not reach a file past the route that guards it',
    async (target) => {
      const app = make();
      app.register(staticFiles, { root });
      app.get('/deep/*', (_request, reply) => reply.code(403).send('guarded'));
      expect(await ask(await serve(app), target)).toMatch(/^HTTP\/1.1 40[34] /);
    },
  );
});
