/** Requests without a socket: the forms of the arguments, and the responses. */
import { Readable } from 'node:stream';
import { ambit, type Context, type InjectResponse } from 'ambit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest } from '../../test/support/raw-client.ts';

forbidProcessFaults();

function echo(): Context {
  const app = ambit();
  app.all('/echo', (request) => ({
    method: request.method,
    query: request.query,
    body: request.body,
    header: request.headers['x-header'],
    cookie: request.headers.cookie,
    ip: request.ip,
    host: request.host,
  }));
  return app;
}

describe('the path', () => {
  const app = ambit();
  app.get('*', ({ url, params }) => ({ url, params }));
  app.get('/:a/b', ({ url, params }) => ({ url, params }));
  app.get('/b', ({ url, params }) => ({ url, params }));
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterAll(() => app.close());

  const paths = [
    '/a/../b',
    '/a/%2e%2e/b',
    '/a/%2E./b?q=/../x',
    '/./b',
    '/a/.',
    '/a/..',
    '/..',
    '/a\\b',
    '/a\\..\\b',
    '//a/../b',
    '/a/...',
    '/%2e%2e%2f/b',
    '/%41/../b',
    '/b',
    '/b?q=..',
  ];

  test.each(paths)('%s is that of a socket', async (path) => {
    const received = await converse(port, lastRequest('GET', path));
    const expected = JSON.parse(received.slice(received.indexOf('\r\n\r\n')));
    expect(expected.url).toBe(path);
    expect((await app.inject(path)).json()).toEqual(expected);
    expect((await app.inject({ url: path })).json()).toEqual(expected);
    expect((await app.inject({ path, method: 'GET' })).json()).toEqual(expected);
    expect((await app.inject().get(path)).json()).toEqual(expected);
    expect((await app.inject({ url: { pathname: path } } as never)).statusCode).toBe(200);
    const called = await new Promise<InjectResponse>((resolve) => {
      app.inject({ url: path }, (_error, response) => resolve(response!));
    });
    expect(called.json()).toEqual(expected);
  });

  test('of a URL with a host, and characters that a request line cannot have, are encoded', async () => {
    const urls = ['http://example.org/é/../b', 'é/../b?q=1#..', '/ /./b'];
    const answers = await Promise.all(urls.map((url) => app.inject(url)));
    expect(answers.map((answer) => answer.json<{ url: string }>().url)).toEqual([
      '/%C3%A9/../b',
      '/%C3%A9/../b?q=1',
      '/%20/./b',
    ]);
  });

  test('and the query of the options go together', async () => {
    const answer = await app.inject({ url: '/a/../b?q=1', query: { r: '2' } });
    expect(answer.json<{ url: string }>().url).toBe('/a/../b?q=1&r=2');
  });
});

describe('forms', () => {
  test('a string is the URL of a GET', async () => {
    expect((await echo().inject('/echo?a=1')).json()).toMatchObject({ method: 'GET', query: { a: '1' } });
  });

  test('an object names method, URL, query, headers, cookies, body and address', async () => {
    const response = await echo().inject({
      method: 'PUT',
      url: '/echo',
      query: { a: ['1', '2'] },
      headers: { 'x-header': 'value' },
      cookies: { session: 'abc' },
      payload: { any: 'thing' },
      remoteAddress: '10.1.2.3',
      authority: 'example.org',
    });
    expect(response.json()).toEqual({
      method: 'PUT',
      query: { a: ['1', '2'] },
      body: { any: 'thing' },
      header: 'value',
      cookie: 'session=abc',
      ip: '10.1.2.3',
      host: 'example.org',
    });
  });

  test('body and payload mean the same', async () => {
    const response = await echo().inject({ method: 'POST', url: '/echo', body: { any: 'thing' } });
    expect(response.json()).toMatchObject({ body: { any: 'thing' } });
  });

  test('a stream may be the body', async () => {
    const response = await echo().inject({
      method: 'POST',
      url: '/echo',
      headers: { 'content-type': 'text/plain' },
      payload: Readable.from([Buffer.from('streamed')]),
    });
    expect(response.json()).toMatchObject({ body: 'streamed' });
  });

  test('without arguments, a chain builds the request', async () => {
    const response = await echo()
      .inject()
      .post('/echo')
      .query({ a: '1' })
      .headers({ 'x-header': 'value' })
      .payload({ any: 'thing' });
    expect(response.json()).toMatchObject({
      method: 'POST',
      query: { a: '1' },
      header: 'value',
      body: { any: 'thing' },
    });
  });

  test('a chain ends with a callback too', async () => {
    const response = await new Promise<{ json(): unknown }>((resolve) => {
      echo()
        .inject()
        .get('/echo')
        .end((_error, answer) => resolve(answer!));
    });
    expect(response.json()).toMatchObject({ method: 'GET' });
  });

  test('a callback receives the response', async () => {
    const body = await new Promise((resolve) => {
      echo().inject('/echo', (error, response) => resolve({ error, status: response?.statusCode }));
    });
    expect(body).toMatchObject({ status: 200 });
  });

  test('a callback receives the error of a boot that fails', async () => {
    const app = ambit();
    app.register(async () => Promise.reject(new Error('cannot load')));
    const error = await new Promise((resolve) => {
      app.inject('/', (failure) => resolve(failure));
    });
    expect(error).toMatchObject({ message: 'cannot load' });
  });

  test('options that do not describe a request are refused', async () => {
    await expect(async () => echo().inject({ method: 'NOPE', url: '/echo' })).rejects.toThrow();
  });
});

describe('answers', () => {
  test('have status, headers, cookies, text and bytes', async () => {
    const app = ambit();
    app.get('/', (_request, reply) =>
      reply.code(201).header('x-header', 'value').header('set-cookie', 'session=abc; Path=/').send('text'),
    );
    const response = await app.inject('/');
    expect(response).toMatchObject({
      statusCode: 201,
      statusMessage: 'Created',
      payload: 'text',
      body: 'text',
    });
    expect(response.headers['x-header']).toBe('value');
    expect(response.cookies).toEqual([{ name: 'session', value: 'abc', path: '/' }]);
    expect(response.rawPayload).toEqual(Buffer.from('text'));
  });

  test('come as a stream when asked for', async () => {
    const app = ambit();
    app.get('/', () => Readable.from([Buffer.from('first'), Buffer.from('second')]));
    const response = await app.inject({ url: '/', payloadAsStream: true });
    let text = '';
    for await (const chunk of response.stream()) text += chunk;
    expect(text).toBe('firstsecond');
  });

  test('a reply that is destroyed rejects', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.destroy();
    });
    await expect(app.inject('/')).rejects.toThrow('response destroyed before completion');
  });

  test('trailers are in the response', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => reply.trailer('x-digest', async () => 'abc').send('text'));
    expect((await app.inject('/')).trailers).toEqual({ 'x-digest': 'abc' });
  });
});

describe('boot', () => {
  test('inject boots first', async () => {
    const app = ambit();
    app.register(async (context) => {
      await new Promise((resolve) => setImmediate(resolve));
      context.get('/', () => 'booted');
    });
    expect((await app.inject('/')).body).toBe('booted');
  });

  test('a boot that fails rejects, each time', async () => {
    const app = ambit();
    app.register(async () => Promise.reject(new Error('cannot load')));
    await expect(app.inject('/')).rejects.toThrow('cannot load');
    await expect(app.inject('/')).rejects.toThrow('cannot load');
  });

  test('options that are refused throw at once, also before boot and with a callback', async () => {
    const app = ambit();
    for (const isReady of [false, true]) {
      if (isReady) await app.ready();
      expect(() => app.inject({ method: 'NOPE', url: '/' } as never, () => {})).toThrow();
    }
  });

  test('after boot, routes are refused', async () => {
    const app = ambit();
    await app.inject('/');
    expect(() => app.get('/', () => 'late')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
    );
  });
});
