/** Requests as the page copies them: what bash, curl, `fetch` and the typed client send must be what the inspector has recorded. */
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ambit, type Request } from 'ambit';
import { client } from 'ambit/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { toClientCall, toCurl, toFetch } from '../page/copy-as.js';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { replayable } from '../page/replayable.js';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: { text: string; type: string; isRedacted: boolean } | null;
}
interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Record<string, string | undefined>;
  readonly body: string;
}

const curlOf = (sent: Sent): string => toCurl(replayable(sent), origin);
const fetchOf = (sent: Sent): string => toFetch(replayable(sent), origin);
const run = promisify(execFile);

let origin = '';
let log: Received[] = [];
const server = createServer(async (request, response) => {
  const { method, url, rawHeaders } = request;
  const pairs = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1]]] : [],
  );
  log.push({ method, url, headers: Object.fromEntries(pairs), body: await text(request) });
  response.end('ok');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** What the server gets while something sends, in the order of the ends of the bodies. */
async function receivedAll(send: () => Promise<unknown>): Promise<Received[]> {
  log = [];
  await send();
  return log;
}

async function received(send: () => Promise<unknown>): Promise<Received> {
  const [first, ...others] = await receivedAll(send);
  expect(others).toEqual([]);
  return first!;
}

const runBash = (command: string): Promise<unknown> => run('bash', ['-c', command]);

/** Bash as a terminal runs it: it reads lines, and acts on `!`. Returns what it complains about. */
async function runInteractively(command: string): Promise<string> {
  const shell = spawn('bash', ['--norc', '--noprofile', '-i'], {
    env: { ...process.env, HISTFILE: '', PS1: '' },
    detached: true,
  });
  const ended = new Promise((resolve) => shell.on('close', resolve));
  const complaints = text(shell.stderr);
  shell.stdin.end(`set -H; echo earlier\n${command}\n`);
  await ended;
  return complaints;
}

function sent(parts: Partial<Sent>): Sent {
  return { method: 'GET', url: '/', headers: {}, body: null, ...parts };
}

function body(value: string): Sent['body'] {
  return { text: value, type: 'text/plain', isRedacted: false };
}

const hostile = [
  `it's "quoted"`,
  '$HOME `id` $(id) $'.concat('{IFS}'),
  'wow! !! !$ !-1',
  "'; touch /tmp/attacked; '",
  "it's !! and \\'!!\\'",
  'back\\slash \\n \\\\',
  '& | ; < > ( ) { } [ ] * ? ~ # % ^ =',
  '-H @/etc/passwd',
  '@/etc/passwd',
  'tab\there',
  '   spaces   ',
  'naïve 日本語 🎉 \u202eright',
  `\\'`,
  '',
];

/** Node shows each byte of a header as one character. */
const asBytes = (value: string): string => Buffer.from(value).toString('latin1');

describe('as curl', () => {
  test('headers arrive as they were', async () => {
    const headers = Object.fromEntries(hostile.map((value, i) => [`x-${i}`, asBytes(value).trim()]));
    expect((await received(() => runBash(curlOf(sent({ headers }))))).headers).toMatchObject(headers);
  });

  const bodies = [
    ...hostile,
    'one\ntwo\r\nthree\n',
    '\u0001\u001b[31m\u007f\u0085\u2028!!',
    '{"a":"it\'s\\n$(id)!"}',
  ];
  for (const [shell, start] of [
    ['a script', runBash],
    ['an interactive shell, whose history acts on !', runInteractively],
  ] as const)
    test(`bodies arrive as they were, from ${shell}`, async () => {
      const commands = bodies.map((value) => curlOf(sent({ method: 'POST', body: body(value) })));
      const got = await receivedAll(() => start(commands.join('\n')));
      expect(got.map((each) => each.body)).toEqual(bodies);
      expect(got.map(({ headers }) => headers['content-type'])).not.toContain(expect.any(String));
    });

  test('the interactive shell of these tests does act on !', async () => {
    expect(await runInteractively('echo "!unknown"')).toContain('event not found');
  });

  test('a header whose bytes are not UTF-8 keeps them', async () => {
    const headers = { 'x-test': 'caf\xe9 \xff\x80f' };
    const command = curlOf(sent({ headers }));
    expect(command).not.toMatch(/[^ -~\n]/);
    expect((await received(() => runBash(command))).headers['x-test']).toBe(headers['x-test']);
  });

  test('URLs arrive as they were', async () => {
    const urls = [
      "/a'b?x=$(id)&y=`id`!!&z=%27",
      '/[1-3]/{a,b}?filter[name]=x',
      '/a/../b/./c',
      '//host/path',
      '/x?a=1;b=2|c',
      `/long?${'x'.repeat(1900)}`,
      '/?q="<>"',
    ];
    const commands = urls.map((url) => curlOf(sent({ url })));
    expect((await receivedAll(() => runBash(commands.join('\n')))).map(({ url }) => url)).toEqual(urls);
  });

  test('characters that a URL cannot have are sent as bytes in percents', async () => {
    const { url } = await received(() => runBash(curlOf(sent({ url: '/caf\xc3\xa9#x\\y' }))));
    expect(url).toBe('/caf%C3%A9%23x%5Cy');
  });

  test('methods arrive, with a body if they have one', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];
    const headers = { 'content-type': 'text/plain' };
    const commands = methods.map((method) => curlOf(sent({ method, body: body('x'), headers })));
    const got = await receivedAll(() => runBash(commands.join('\n')));
    expect(got.map(({ method, body }) => [method, body])).toEqual(
      methods.map((method) => [method, method === 'HEAD' ? '' : 'x']),
    );
  });

  test('fields of the connection are left out, and the host stays if it is another one', async () => {
    const headers = {
      host: 'tenant.example',
      connection: 'close',
      'content-length': '999',
      'transfer-encoding': 'chunked',
      'accept-encoding': 'br, gzip',
      accept: 'text/html',
    };
    const command = curlOf(sent({ method: 'POST', headers, body: body('x') }));
    const got = await received(() => runBash(command));
    expect(got.body).toBe('x');
    expect(got.headers).toMatchObject({ host: 'tenant.example', accept: 'text/html', 'content-length': '1' });
    expect(command).toContain('--compressed');
    expect(curlOf(sent({ headers: { host: new URL(origin).host } }))).toBe(`curl ${origin}/`);
  });

  test('what the inspector has not kept is left out, and said', () => {
    const request = sent({
      method: 'POST',
      url: '/?token=[redacted]',
      headers: {
        authorization: '[redacted]',
        referer: 'http://a/?token=[redacted]',
        'x-long': 'x'.repeat(500),
        'content-length': '9',
      },
    });
    expect(curlOf(request)).not.toMatch(/authorization|referer|x-long/);
    expect(replayable(request)).toMatchObject({
      lostHeaders: ['authorization', 'referer', 'x-long'],
      lostParts: ['secrets in the URL', 'the body'],
    });
  });
});

describe('as fetch', () => {
  const evaluate = (code: string): Promise<Response> =>
    new Function(`return (async () => { ${code}; return response; })()`)();

  for (const value of hostile)
    test(`a header and a body with ${JSON.stringify(value)} arrive as they were`, async () => {
      const headers = { 'x-test': asBytes(value).trim(), 'content-type': 'text/plain' };
      const code = fetchOf(sent({ method: 'POST', headers, body: body(value) }));
      const got = await received(() => evaluate(code));
      expect([got.headers['x-test'], got.body]).toEqual([headers['x-test'], value]);
    });

  test('a simple request is one line', () => {
    expect(fetchOf(sent({ url: '/notes?page=2' }))).toBe(
      `const response = await fetch('${origin}/notes?page=2');`,
    );
  });

  test('headers that only a browser may set are left out, and a key __proto__ is a key', async () => {
    const headers = { cookie: 'a=b', 'sec-fetch-mode': 'cors', origin: 'http://x' };
    Object.defineProperty(headers, '__proto__', { value: 'odd', enumerable: true });
    const code = fetchOf(sent({ headers }));
    expect(code).toContain("['__proto__']: 'odd'");
    const got = await received(() => evaluate(code));
    expect(got.headers.cookie).toBe(undefined);
  });

  test('a GET request is copied without its body, which fetch refuses', async () => {
    const got = await received(() => evaluate(fetchOf(sent({ body: body('x'), headers: { 'x-a': '1' } }))));
    expect([got.method, got.body, got.headers['x-a']]).toEqual(['GET', '', '1']);
  });
});

describe('as a call of the typed client', () => {
  const evaluate = (code: string): Promise<unknown> =>
    new Function(
      'client',
      `return (async () => { ${code.replace(/^import.*$/m, '').replace('<App>', '')}; return reply; })()`,
    )(client);

  const app = ambit();
  const echo = ({ params, query, body, headers }: Request): object => ({
    params,
    query,
    body,
    type: headers['content-type'],
    own: headers['x-own'],
  });
  const urls = [
    '/notes',
    '/notes/:id',
    '/files/*',
    '/posts/:year(^\\d{4}$)-:slug',
    '/optional/:id?',
    '/a::b',
  ];
  for (const url of urls)
    for (const method of ['GET', 'POST'] as const) app.route({ method, url, handler: echo as never });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, value, done) => done(null, value),
  );
  let address = '';
  beforeAll(async () => {
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  const callOf = (request: Sent, url: string): string => toClientCall(replayable(request), address, { url });

  for (const [route, path, params] of [
    ['/notes', '/notes', {}],
    ['/notes/:id', '/notes/a%20b%2Fc', { id: 'a b/c' }],
    ['/notes/:id', `/notes/it's%22%24(id)`, { id: `it's"$(id)` }],
    ['/files/*', '/files/a/b%20c', { '*': 'a/b c' }],
    ['/posts/:year(^\\d{4}$)-:slug', '/posts/2026-hello-you', { year: '2026', slug: 'hello-you' }],
    ['/optional/:id?', '/optional', {}],
    ['/optional/:id?', '/optional/5', { id: '5' }],
    ['/a::b', '/a:b', {}],
  ] as const)
    test(`${path} of ${route} reaches the route with the same parameters`, async () => {
      const reply = await evaluate(callOf(sent({ url: `${path}?q=a%26b&q=c&d=` }), route));
      expect(reply).toMatchObject({ status: 200, body: { params, query: { q: ['a&b', 'c'], d: '' } } });
    });

  for (const [type, text, expected] of [
    ['application/json', '{"title":"it\'s $(id)","__proto__x":1,"list":[1,"two",{"three":null}]}', undefined],
    ['application/json', '"text"', 'text'],
    ['text/plain', 'it\'s\n"text"', undefined],
    ['application/x-www-form-urlencoded', 'a=b&c=%26', 'a=b&c=%26'],
  ] as const)
    test(`a body of ${type} arrives: ${text.slice(0, 20)}`, async () => {
      const request = sent({
        method: 'POST',
        url: '/notes',
        headers: { 'content-type': type, 'x-own': 'yes', 'user-agent': 'a' },
        body: { text, type, isRedacted: false },
      });
      const reply = await evaluate(callOf(request, '/notes'));
      const value = expected ?? (type === 'application/json' ? JSON.parse(text) : text);
      expect(reply).toMatchObject({ status: 200, body: { body: value, own: 'yes' } });
    });

  test('a call is what people write', () => {
    const request = sent({
      method: 'POST',
      url: '/notes/5?draft=1',
      headers: { 'content-type': 'application/json', accept: '*/*', host: 'x', 'content-length': '20' },
      body: { text: '{"title":"Milk"}', type: 'application/json', isRedacted: false },
    });
    expect(toClientCall(replayable(request), 'http://127.0.0.1:3000', { url: '/notes/:id' })).toBe(
      `import { client } from 'ambit/client';

// App is the type of the application: \`export type App = typeof app\`.
const api = client<App>('http://127.0.0.1:3000');
const reply = await api.post('/notes/:id', {
  params: { id: '5' },
  query: { draft: '1' },
  body: { title: 'Milk' },
});`,
    );
  });

  test('there is none without a route, for an unusual method, and for a path that is not of the route', () => {
    expect(toClientCall(replayable(sent({})), address, undefined)).toBe(undefined);
    expect(callOf(sent({ method: 'QUERY' }), '/notes')).toBe(undefined);
    expect(callOf(sent({ url: '/other' }), '/notes')).toBe(undefined);
  });
});
