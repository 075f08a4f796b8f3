/** `@fastify/static`: a folder is served under the prefix of the context that registers it, and files through its replies. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const root = fileURLToPath(new URL('fixtures/public/', import.meta.url));

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(
    async (context) => {
      await context.register(staticFiles, { root, prefix: '/public/', maxAge: '1h' });
      context.get('/page', (_request, reply) => reply.sendFile('index.html'));
      context.get('/page/async', async (_request, reply) =>
        reply.sendFile('style.css', { cacheControl: false }),
      );
      context.get('/download', (_request, reply) => reply.download('digits.txt', 'numbers.txt'));
      context.get('/missing', (_request, reply) => reply.sendFile('missing.html'));
      context.setNotFoundHandler((_request, reply) => reply.code(404).send('no such file'));
    },
    { prefix: '/site' },
  );
  app.register(async (context) => {
    await context.register(staticFiles, { root, prefix: '/listed', index: false, list: true });
  });
  app.get('/outside', (_request, reply) => typeof reply.sendFile);
  return app;
}

/** A request whose path is sent as it is: `fetch` resolves dots. */
function askRaw(origin: string, path: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, agent: false }, (response) => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end();
  });
}

describe.each(flavors)('static on $flavor', ({ create }) => {
  test.each([
    ['/site/public/', 'index.html', 'text/html; charset=utf-8'],
    ['/site/public/style.css', 'style.css', 'text/css; charset=utf-8'],
    ['/site/public/deep/data.json', 'deep/data.json', 'application/json; charset=utf-8'],
    ['/listed/style.css', 'style.css', 'text/css; charset=utf-8'],
  ])('%s answers with %s', async (path, file, type) => {
    const origin = await serve(makeApp(create));
    const response = await fetch(origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toBe(readFileSync(root + file, 'utf8'));
  });

  test('a HEAD request has the headers of the file and no body', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/site/public/digits.txt`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await response.text()).toBe('');
  });

  test('a range is answered with that part of the file', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/site/public/digits.txt`, { headers: { range: 'bytes=2-4' } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await response.text()).toBe('234');
  });

  test('a range past the end is answered 416', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/site/public/digits.txt`, { headers: { range: 'bytes=10-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
  });

  test('a file that the client has is not sent again', async () => {
    const origin = await serve(makeApp(create));
    const url = `${origin}/site/public/digits.txt`;
    const etag = (await fetch(url)).headers.get('etag')!;
    // Without a cache-control of its own, `fetch` asks for a fresh copy.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const response = await fetch(url, { headers });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
  });

  test('handlers send files of the folder', async () => {
    const origin = await serve(makeApp(create));
    const page = await fetch(`${origin}/site/page`);
    expect(await page.text()).toContain('Served from a folder.');
    const sheet = await fetch(`${origin}/site/page/async`);
    expect(sheet.headers.get('cache-control')).toBeNull();
    expect(await sheet.text()).toContain('rebeccapurple');
  });

  test('a download carries the name to save it under', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/site/download`);
    expect(headers.get('content-disposition')).toBe('attachment; filename=numbers.txt');
  });

  test.each(['/site/public/missing.html', '/site/missing'])(
    'a file that is not there is the business of the not-found handler of the context: %s',
    async (path) => {
      const origin = await serve(makeApp(create));
      const response = await fetch(origin + path);
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('no such file');
    },
  );

  test.each(['/site/public/../secret.txt', '/site/public/%2e%2e/secret.txt', '/site/public/..%2fsecret.txt'])(
    'a path cannot climb out of the folder: %s',
    async (path) => {
      const origin = await serve(makeApp(create));
      expect([403, 404]).toContain(await askRaw(origin, path));
    },
  );

  test('a folder is listed', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/listed/`);
    expect(await response.json()).toEqual({
      dirs: ['deep'],
      files: ['digits.txt', 'index.html', 'style.css'],
    });
  });

  test('outside the context there are no files and no decorator', async () => {
    const origin = await serve(makeApp(create));
    expect((await fetch(`${origin}/public/style.css`)).status).toBe(404);
    expect(await (await fetch(`${origin}/outside`)).text()).toBe('undefined');
  });
});
