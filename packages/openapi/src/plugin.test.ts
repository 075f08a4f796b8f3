/** What `openapi` serves: documents, pages and their files, each in its context. */
import {
  describeRoutes,
  type OpenAPIDocument,
  type OpenAPIOptions,
  openapi,
  toOpenAPI,
} from '@ambit/openapi';
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { fastify } from '../../fastify/src/index.ts';

const ok = (): never => 'ok' as never;
const info = { title: 'Notes <&">', version: '1.2.3' };

async function notes(context: Context): Promise<void> {
  context.get('/notes', { schema: { summary: 'Lists notes' } }, ok);
}

describe.each([
  { flavor: 'ambit', create: ambit },
  { flavor: 'the facade', create: fastify },
])('on $flavor', ({ create }) => {
  test('it serves the document as JSON and as YAML, with all routes and without its own', async () => {
    const app = create();
    app.register(openapi, { info });
    app.register(notes);
    const json = await app.inject('/openapi.json');
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json.json()).toMatchObject({
      openapi: '3.1.0',
      info,
      paths: { '/notes': { get: { summary: 'Lists notes' } } },
    });
    expect(Object.keys(json.json<OpenAPIDocument>().paths)).toEqual(['/notes']);
    const yaml = await app.inject('/openapi.yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml.body)).toEqual(json.json());
    expect(await toOpenAPI(app)).toEqual(json.json());
    await app.close();
  });

  test('the document has the options of the plugin before and after boot, unless it is asked for with others', async () => {
    const app = create();
    app.register(openapi, { info, openapi: '3.0' });
    app.register(notes);
    const early = await toOpenAPI(app);
    expect(early).toMatchObject({ openapi: '3.0.3', info });
    expect(await toOpenAPI(app)).toEqual(early);
    expect(await toOpenAPI(app, { openapi: '3.2' })).toMatchObject({
      openapi: '3.2.0',
      info: { title: 'API' },
    });
    await app.close();
  });

  test('it serves the page with its files, which load nothing from other hosts', async () => {
    const app = create();
    app.register(openapi, { info, servers: [{ url: 'https://api.example.com/v1' }, { url: '/here' }] });
    const page = await app.inject('/docs');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self';");
    expect(policy).toContain("connect-src 'self' https://api.example.com");
    expect(policy).not.toContain('unsafe-eval');
    expect(page.body).toContain('<title>Notes &lt;&amp;&quot;&gt;</title>');
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const scripts = [...page.body.matchAll(/src="([^"]+)"/g)].map(([, src]) => src!);
    expect(scripts).toEqual(['docs/scalar.js', 'docs/start.js']);
    for (const script of scripts) {
      const file = await app.inject({ url: `/${script}`, headers: { 'accept-encoding': 'br' } });
      expect([file.statusCode, file.headers['content-type']]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect(file.body).toContain('createApiReference');
    }
    await app.close();
  });
});

test('two versions of an API under two prefixes have two documents and pages', async () => {
  const app = ambit();
  const version = (name: string) => async (context: Context) => {
    context.register(openapi, { info: { title: 'Notes', version: name } });
    describeRoutes(context, { tags: [name] });
    context.get('/notes', ok);
  };
  app.register(version('1'), { prefix: '/v1' });
  app.register(version('2'), { prefix: '/v2' });
  for (const name of ['1', '2']) {
    const document = (await app.inject(`/v${name}/openapi.json`)).json<OpenAPIDocument>();
    expect(document.info.version).toBe(name);
    expect(Object.keys(document.paths)).toEqual([`/v${name}/notes`]);
    expect((await app.inject(`/v${name}/docs`)).body).toContain('"url":"openapi.json"');
  }
  expect((await app.inject('/openapi.json')).statusCode).toBe(404);
});

test('a route that is declared after the plugin, in any context, is in the document', async () => {
  const app = ambit();
  await app.register(openapi);
  app.get('/late', ok);
  app.register(async (context) => void context.register(async (deeper) => void deeper.get('/later', ok)));
  expect(Object.keys((await app.inject('/openapi.json')).json<OpenAPIDocument>().paths)).toEqual([
    '/late',
    '/later',
  ]);
});

test('each path can be changed or turned off', async () => {
  const app = ambit();
  app.register(openapi, { json: false, yaml: '/spec/api.yaml', docs: '/spec/reference' });
  const page = await app.inject('/spec/reference');
  expect(page.body).toContain('src="reference/scalar.js"');
  expect(page.body).toContain('"url":"../spec/reference/openapi.json"');
  const statuses = await Promise.all(
    ['/openapi.json', '/openapi.yaml', '/docs', '/spec/api.yaml', '/spec/reference/openapi.json'].map(
      async (url) => (await app.inject(url)).statusCode,
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 200, 200]);
  const none = ambit();
  none.register(openapi, { json: false, yaml: false, docs: false });
  await none.ready();
  expect(none.printRoutes()).not.toContain('docs');
});

test('a page that is requested with a trailing slash finds its files too', async () => {
  const app = ambit({ routerOptions: { ignoreTrailingSlash: true } });
  app.register(openapi);
  const page = await app.inject('/docs/');
  expect(page.body).toContain('src="scalar.js"');
  expect(page.body).toContain('"url":"../openapi.json"');
});

test('the script of the page is sent with gzip to clients that accept it, and not again to clients that have it', async () => {
  const app = ambit();
  app.register(openapi);
  const packed = await app.inject({ url: '/docs/scalar.js', headers: { 'accept-encoding': 'gzip, br' } });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  const etag = String(packed.headers.etag);
  for (const url of ['/docs/scalar.js', '/openapi.json', '/openapi.yaml', '/docs/start.js']) {
    const first = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const again = await app.inject({ url, headers: { 'if-none-match': `"other", W/${first.headers.etag}` } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  }
  expect(
    (
      await app.inject({
        url: '/docs/scalar.js',
        headers: { 'if-none-match': '"x"', 'accept-encoding': 'gzip' },
      })
    ).headers.etag,
  ).toBe(etag);
});

test('everything on the page that sends requests to other hosts is off, unless the application turns it on', async () => {
  const app = ambit();
  app.register(openapi);
  app.register(
    async (context) => {
      context.register(openapi, { docs: { configuration: { withDefaultFonts: true, theme: 'moon' } } });
    },
    { prefix: '/own' },
  );
  const configurationOf = async (url: string): Promise<unknown> => {
    const { body } = await app.inject(url);
    return JSON.parse(/<script id="configuration"[^>]*>([^<]*)</.exec(body)![1]!);
  };
  const off = {
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  expect(await configurationOf('/docs')).toMatchObject({ ...off, url: 'openapi.json' });
  expect(await configurationOf('/docs')).not.toHaveProperty('proxyUrl');
  expect(await configurationOf('/own/docs')).toMatchObject({ ...off, withDefaultFonts: true, theme: 'moon' });
  await app.close();
});

test('the configuration of the page reaches its script, and cannot end the script element', async () => {
  const app = ambit();
  app.register(openapi, { docs: { configuration: { theme: 'moon', note: '</script><b>' } } });
  const { body } = await app.inject('/docs');
  expect(body).toContain('"theme":"moon"');
  expect(body).not.toContain('</script><b>');
});

test('hooks of a context also run for its document', async () => {
  const app = ambit();
  app.register(async (context) => {
    context.addHook('onRequest', async (_request, reply) => reply.code(401).send('who are you?' as never));
    context.register(openapi);
  });
  for (const url of ['/openapi.json', '/docs', '/docs/scalar.js'])
    expect((await app.inject(url)).statusCode).toBe(401);
});

test('a schema that cannot be described fails boot, and the error names the route and the part', async () => {
  const app = ambit();
  app.register(openapi);
  app.post('/x', { schema: { response: { 200: z.object({ at: z.date() }) } } }, ok);
  await expect(app.ready()).rejects.toMatchObject({
    code: 'AMBIT_ERR_OPENAPI_SCHEMA',
    message: expect.stringContaining('POST /x: the schema of response 200'),
    where: { file: expect.stringContaining('plugin.test.ts') },
  });
});

for (const [options, message] of [
  [{ inf: {} }, "unknown option 'inf' of openapi; did you mean 'info'?"],
  [{ docs: { pth: '/x' } }, "unknown option 'pth' of openapi: docs; did you mean 'path'?"],
  [{ docs: { ui: 'redoc' } }, "openapi: docs.ui must be 'scalar' or 'swagger-ui', instead got 'redoc'"],
  [{ json: 'openapi.json' }, "openapi: json must start with a slash, instead got 'openapi.json'"],
  [
    { docs: { ui: 'swagger-ui' } },
    "docs.ui is 'swagger-ui', but the package swagger-ui-dist is not installed: npm install swagger-ui-dist",
  ],
] as const) {
  test(message, async () => {
    const app = ambit();
    app.register(openapi, options as OpenAPIOptions);
    await expect(app.ready()).rejects.toThrow(message);
  });
}
