/** The page of an error: which clients get it, what it shows, and that nothing in it is more than text. */
import { request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from '@ambit/fastify';
import { inspector } from '@ambit/inspector';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';

const open: Context[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const hostile = `</title></style><script>alert(1)</script> "q" 'a' \u202E \0 \ud800`;

function start(
  environment: string | undefined,
  options: AmbitOptions = {},
  create: typeof ambit = ambit,
): Context {
  vi.stubEnv('NODE_ENV', environment);
  const app = create(options);
  open.push(app);
  app.get('/fail', function failing() {
    throw new Error('it failed', { cause: new TypeError('the cause <b>') });
  });
  app.get('/hostile', () => {
    throw Object.assign(new Error(hostile), { code: '<i>', name: '<u>', hint: '<s>' });
  });
  app.get('/getter', () => {
    throw Object.defineProperty(new Error('x'), 'stack', { get: () => expect.unreachable() });
  });
  app.get('/reset/:token', () => {
    throw new Error('it failed');
  });
  const querystring = { type: 'object', required: ['q'], properties: { limit: { type: 'integer' } } };
  app.get('/search', { schema: { querystring } as never }, () => 'ok');
  return app;
}

const tenant = 'acme';

const navigation = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function send(app: Context, path: string, headers: Record<string, string> = {}): Promise<Received> {
  if (!app.server.listening) await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1', path, headers: { ...navigation, ...headers }, agent: false };
  return new Promise((resolve, reject) => {
    const sent = sendRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on('error', reject).end();
  });
}

const isPage = ({ headers }: Received): boolean => String(headers['content-type']).startsWith('text/html');

describe('a browser in development', () => {
  test('sees the message, the lines of the program, the stack and the cause', async () => {
    const { status, headers, text } = await send(start('development'), '/fail');
    expect(status).toBe(500);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
    expect(text).toContain('<h1>it failed</h1>');
    expect(text).toContain('<mark>new</mark>');
    expect(text).toMatch(/href="vscode:\/\/file\/.*development\.error-page\.test\.ts:\d+:\d+"/);
    expect(text).toContain('frames inside');
    expect(text).toContain('the cause &lt;b&gt;');
    expect(text).not.toMatch(/<script|<form|<img|<link|<iframe|\son\w+=/);
  });

  test('sees all problems of a request, and the routes that are near to a URL', async () => {
    const app = start(undefined);
    const invalid = await send(app, '/search?limit=x');
    expect(invalid.status).toBe(400);
    expect(invalid.text).toContain('must have required property &#39;q&#39;');
    expect(invalid.text).toContain('must be integer');
    const missing = await send(app, '/searhc');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('<code>GET /search</code>');
  });

  test('sees the steps and a link, with the inspector', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const app = ambit();
    open.push(app);
    app.register(inspector, { path: '/look', redact: ['headers.x-tenant'] });
    app.addHook('onRequest', async function authenticate() {});
    app.get('/fail', () => Promise.reject(new Error('it failed')));
    const { text } = await send(app, '/fail', { 'x-tenant': tenant });
    expect(text).toContain('<code>authenticate</code>');
    expect(text).toContain('<a href="/look">');
    expect(text).not.toContain(tenant);
  });

  test('sees the steps and the log lines of this request, without the inspector', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const app = ambit({ logger: { stream: { write: () => {} } } });
    open.push(app);
    app.addHook('onRequest', async function authenticate(request) {
      request.log.info({ note: 7, password: 'secret1' }, 'reading <b>7</b>');
      request.log.child({ part: 'store' }).warn('token: secret2');
      request.server.log.info('not of this request');
    });
    app.get('/fail', () => {
      // The lines around are shown.
      throw new Error('it failed');
    });
    const { text } = await send(app, '/fail');
    expect(text).toContain('<h2>Steps that ran</h2>');
    expect(text).toContain('<code>authenticate</code>');
    expect(text).toContain('<h2>Log of this request</h2>');
    expect(text).toContain(
      'reading &lt;b&gt;7&lt;/b&gt; <code>note=7 password=&quot;[redacted]&quot;</code>',
    );
    expect(text).toContain('<code>part=&quot;store&quot;</code>');
    expect(text).not.toMatch(/secret\d|not of this request|Open the inspector/);
    expect(text.match(/<th scope="row">error<\/th><td>it failed<\/td>/g)).toHaveLength(1);
  });

  test('sees the steps of a URL that no route has', async () => {
    const { text } = await send(start('development'), '/missing');
    expect(text).toContain('<h2>Steps that ran</h2>');
  });

  test('sees a page that is not large, whatever the error is', async () => {
    const app = start('development');
    app.get('/large', () => {
      throw new Error('x'.repeat(10_000_000));
    });
    const { status, text } = await send(app, '/large');
    expect(status).toBe(500);
    expect(text.length).toBeLessThan(200_000);
  });

  test('sees no secrets', async () => {
    const app = start('development');
    const secrets = { cookie: 'sid=secret1', authorization: 'Bearer secret2' };
    for (const path of ['/fail?token=secret3', '/reset/secret3', '/missing?token=secret3']) {
      const { text } = await send(app, path, secrets);
      expect(text).toContain('[redacted]');
      expect(text).not.toMatch(/secret\d/);
    }
  });
});

describe('what it shows is text', () => {
  test('of an error', async () => {
    const { text } = await send(start('development'), '/hostile');
    expect(text).not.toMatch(/<script|<i>|<u>|<s>|[\0\u202E\uFFFD]/);
    expect(text.match(/<\/title>|<\/style>/g)).toEqual(['</title>', '</style>']);
    expect(text).toContain('[U+202E] [U+0000] [U+D800]');
  });

  test('of a request', async () => {
    const headers = { 'x-evil': '"><script>alert(1)</script>' };
    const { text } = await send(start('development'), `/missing?"'><script>alert(1)</script>`, headers);
    expect(text).not.toContain('<script');
  });

  test('an error whose fields throw is answered as without the page, or with it', async () => {
    expect((await send(start('development'), '/getter')).status).toBe(500);
  });
});

describe('everybody else gets JSON', () => {
  const cases: readonly (readonly [why: string, headers: Record<string, string>])[] = [
    ['a script of a page', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['who prefers JSON', { accept: 'application/json, text/html;q=0.5' }],
    ['who takes anything', { accept: '*/*' }],
    ['behind a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['a name that is not local', { host: 'attacker.example' }],
  ];
  test.each(cases)('%s', async (_why, headers) => {
    const app = start('development');
    for (const path of ['/fail', '/missing']) expect(isPage(await send(app, path, headers))).toBe(false);
  });

  test.each([
    ['in production', 'production', {}],
    ['in tests', 'test', {}],
    ['with errorPage: false', 'development', { errorPage: false }],
  ])('%s', async (_when, environment, options) => {
    const app = start(environment, options);
    for (const path of ['/fail', '/missing']) expect(isPage(await send(app, path))).toBe(false);
  });

  test('on another machine', async () => {
    const app = start('development');
    const reply = await app.inject({ url: '/fail', headers: navigation, remoteAddress: '192.0.2.7' });
    expect(reply.headers['content-type']).toContain('json');
  });

  test('of the facade', async () => {
    expect(isPage(await send(start('development', {}, fastify as never), '/fail'))).toBe(false);
  });

  test('if an error handler of the application replies', async () => {
    const app = start('development');
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ mine: true }));
    open[0]!.get('/late', () => Promise.reject(new Error('x')));
    expect((await send(app, '/late')).text).toBe('{"mine":true}');
  });
});
