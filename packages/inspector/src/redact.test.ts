/** What is left out of remembered requests, and that they keep to their bytes. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type InspectorOptions, inspector, type RequestModel } from '@ambit/inspector';
import { Redactor } from '@ambit/readable';
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';

function make(options: InspectorOptions = {}): Context {
  const app = ambit();
  app.register(inspector, options);
  app.get('/reset/:token', () => 'ok');
  const invite = { schema: { params: { type: 'object', properties: { invite: { type: 'integer' } } } } };
  app.get('/join/:invite', invite, () => 'ok');
  app.get('/open/:invite', () => 'ok');
  app.get('/files/*', () => 'ok');
  app.get('/', () => 'ok');
  return app;
}

async function remember(
  app: Context,
  url: string,
  headers: Record<string, string> = {},
): Promise<RequestModel> {
  await app.inject({ url, headers });
  const reply = await app.inject('/__ambit/requests.json');
  const { requests } = reply.json<{ requests: RequestModel[] }>();
  await app.close();
  return requests.at(-1)!;
}

describe('URLs', () => {
  const redact = ['params.invite', 'query.filter[*', 'query.X-*'];
  for (const [what, url, shown] of [
    ['a parameter whose name suggests a secret', '/reset/a1b2', '/reset/[redacted]'],
    ['a parameter that the options name', '/open/open%20sesame', '/open/[redacted]'],
    ['a parameter with a plus', '/open/open+sesame', '/open/[redacted]'],
    ['a parameter with a slash', '/open/open%2Fsesame', '/open/[redacted]'],
    ['a parameter that validation converts', '/join/0042', '/join/[redacted]'],
    ['a parameter that validation refuses', '/join/sesame', '/join/[redacted]'],
    ['a query in capitals', '/?ACCESS_TOKEN=x&page=2', '/?ACCESS_TOKEN=[redacted]&page=2'],
    ['a query with a name in percent', '/?%74oken=x', '/?%74oken=[redacted]'],
    ['a nested query', '/?user[password]=x&user[name]=y', '/?user[password]=[redacted]&user[name]=y'],
    [
      'an array in the query',
      '/?token=a&token=b&token[]=c',
      '/?token=[redacted]&token=[redacted]&token[]=[redacted]',
    ],
    ['a query with semicolons', '/?a=1;token=x', '/?a=1;token=[redacted]'],
    ['the code of OAuth', '/?code=x&zipcode=1', '/?code=[redacted]&zipcode=1'],
    ['the signature of a URL', '/?sig=x&X-Amz-Signature=y', '/?sig=[redacted]&X-Amz-Signature=[redacted]'],
    ['a wildcard in the options', '/?filter[name]=x&x-a=y', '/?filter[name]=[redacted]&x-a=[redacted]'],
    [
      'a JSON Web Token under any name',
      '/files/eyJhbGciOi.eyJzdWIi.c2ln?q=eyJhbGciOi.eyJzdWIi.c2ln',
      '/files/[redacted]?q=[redacted]',
    ],
    ['a name of an author', '/?author=ada', '/?author=ada'],
    ['names of the prototype', '/?__proto__=1&constructor=2', '/?__proto__=1&constructor=2'],
  ] as const) {
    test(`${what}: ${shown}`, async () => {
      expect((await remember(make({ redact }), url)).url).toBe(shown);
    });
  }

  test('the whole path is redacted if a wildcard is a secret', async () => {
    const app = make({ redact: ['params.*'] });
    expect((await remember(app, '/files/open/sesame?page=1')).url).toBe('/[redacted]?page=1');
  });
});

describe('headers', () => {
  for (const name of [
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-csrf-token',
    'x-api-key',
    'apikey',
    'x-amz-security-token',
    'x-goog-iam-authorization-token',
    'cf-access-jwt-assertion',
    'x-access-key',
    'php-auth-pw',
  ]) {
    test(`${name} is left out`, async () => {
      const { headers } = await remember(make(), '/', { [name]: 'sesame' });
      expect(headers[name]).toBe('[redacted]');
    });
  }

  for (const [name, value, shown] of [
    ['referer', 'http://x.example/a?token=sesame&page=1', 'http://x.example/a?token=[redacted]&page=1'],
    ['referer', 'http://ada:sesame@x.example/', 'http://[redacted]@x.example/'],
    ['x-forwarded-uri', '/cb?code=sesame', '/cb?code=[redacted]'],
    ['x-debug', 'sent Bearer abc.def', 'sent [redacted]'],
    ['x-debug', 'sent eyJhbGciOi.eyJzdWIi.c2ln here', 'sent [redacted] here'],
    ['x-author', 'ada', 'ada'],
  ] as const) {
    test(`${name}: ${value} is stored as ${shown}`, async () => {
      const { headers } = await remember(make(), '/', { [name]: value });
      expect(headers[name]).toBe(shown);
    });
  }

  test('the option `redact` matches headers in any case, and with wildcards', async () => {
    const app = make({ redact: ['headers.X-Tenant', 'headers.x-internal-*'] });
    const sent = { 'x-tenant': 'a', 'x-internal-id': 'b', 'x-internal': 'c' };
    const { headers } = await remember(app, '/', sent);
    expect(headers).toMatchObject({
      'x-tenant': '[redacted]',
      'x-internal-id': '[redacted]',
      'x-internal': 'c',
    });
  });

  test('names of Object.prototype are ordinary names', async () => {
    const headers = JSON.parse('{ "__proto__": "a", "constructor": "b" }') as Record<string, string>;
    const remembered = await remember(make(), '/', headers);
    expect(Object.getPrototypeOf(remembered.headers)).toBe(Object.prototype);
    expect(remembered.headers.constructor).toBe('b');
  });
});

test('changes by serializers are listed without the value', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  app.register(inspector);
  const properties = { pin: { type: 'integer' }, on: { type: 'boolean' }, name: { type: 'string' } };
  const response = { 200: { type: 'object', properties } };
  const long = 'n'.repeat(100_000);
  app.get('/', { schema: { response } }, (() => ({
    pin: '4711',
    on: 'sesame',
    name: 12_345,
    [long]: 1,
  })) as never);
  await app.inject('/');
  const { changes } = (await app.inject('/__ambit/route.json?id=0')).json<{
    changes: { message: string; path: string }[];
  }>();
  await app.close();
  expect(
    changes
      .filter(({ message }) => message.includes('was written as'))
      .map(({ message }) => message)
      .sort(),
  ).toEqual([
    'number was written as another text',
    'string was written as a boolean',
    'string was written as a number',
  ]);
  expect(JSON.stringify(changes)).not.toMatch(/4711|sesame|12345/);
  expect(changes.at(-1)!.path.length).toBeLessThan(300);
});

test('very long headers do not need more memory than the limit', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const app = make({ maxRequestBytes: 1024 * 1024 });
  await app.inject('/');
  collect();
  const before = process.memoryUsage().heapUsed;
  // Each is a text of its own, 60 MB in all.
  for (let i = 0; i < 60; i++)
    await app.inject({ url: '/', headers: { 'x-giant': `${i}${Buffer.alloc(1_000_000, 'x')}` } });
  // What belongs to the last requests is let go in a turn of its own.
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  collect();
  const grownBy = process.memoryUsage().heapUsed - before;
  const { requests } = (await app.inject('/__ambit/requests.json')).json<{ requests: RequestModel[] }>();
  await app.close();
  expect(requests).toHaveLength(61);
  expect(grownBy).toBeLessThan(20_000_000);
});

test.each([
  '?',
  '&a',
  '//a',
  'cookie',
  'cookie: ',
  'aa:"',
  "aa:'",
  'aa:"\\',
  'eyJ',
  'eyJa.b',
  'basic +',
  'token ',
  '\\"',
])('a text of 64 KiB of %j is copied in little time', (part) => {
  const text = part.repeat(64 * 1024).slice(0, 64 * 1024);
  const begin = performance.now();
  new Redactor().text(text);
  expect(performance.now() - begin).toBeLessThan(500);
});
