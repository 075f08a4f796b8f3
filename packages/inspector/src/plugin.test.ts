/** What `inspector` serves, and to whom, over real sockets. */
import { readdirSync, readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  type Inspection,
  type InspectorOptions,
  inspector,
  type ProcessSample,
  type RequestModel,
} from '@ambit/inspector';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { flavors } from '../../ambit/test/support/flavors.ts';
import { serve } from '../../ambit/test/support/serve.ts';

afterEach(() => vi.unstubAllEnvs());

const page = new URL('../page/', import.meta.url);

/** Sends exactly these headers: `fetch` sets some by itself. */
function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    httpGet(url, { headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode!));
    }).once('error', reject);
  });
}

async function read<T>(origin: string, name: string): Promise<T> {
  const response = await fetch(`${origin}/__ambit/${name}`);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

interface Told {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
}

/** The events of the page, one after the other, without those that come once a second. */
async function listen(origin: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const response = await fetch(`${origin}/__ambit/events`, { headers, signal });
  const chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  return {
    leave: () => leaving.abort(),
    async next(): Promise<Told> {
      while (!text.includes('\n\n')) {
        const { value, done } = await chunks.next();
        if (done) throw new Error('the stream has ended');
        text += value;
      }
      const end = text.indexOf('\n\n');
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      if (lines[0] === 'event: process') return this.next();
      return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]));
    },
  };
}

const urlsOf = ({ data }: Told): string[] =>
  (JSON.parse(data!) as { requests: RequestModel[] }).requests.map(({ url }) => url);

const requestsOf = async (origin: string): Promise<RequestModel[]> =>
  (await read<{ requests: RequestModel[] }>(origin, 'requests.json')).requests;

describe.each(flavors)('on %s', (_flavor, make) => {
  describe.each([undefined, 'node'] as const)('engine %s', (engine) => {
    const create = (options?: InspectorOptions, app?: AmbitOptions): Context =>
      make({ ...app, ...(engine !== undefined && { engine }) }).register(
        inspector,
        options as never,
      ) as Context;

    test('it serves a page that loads nothing from other hosts', async () => {
      const origin = await serve(create());
      const response = await fetch(`${origin}/__ambit`);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
      const html = await response.text();
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      for (const [, file] of html.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)) {
        const answer = await fetch(`${origin}/${file}`);
        expect(answer.status).toBe(200);
        const again = await fetch(`${origin}/${file}`, {
          headers: { 'if-none-match': answer.headers.get('etag')! },
        });
        expect(again.status).toBe(304);
      }
    });

    test('the model describes the application without the inspector', async () => {
      const app = create();
      app.register(async function notes(context) {
        context.get('/notes', () => 'notes');
      });
      const { contexts, plugins, routes } = await read<Inspection>(await serve(app), 'model.json');
      expect(contexts.map(({ name }) => name).slice(1)).toEqual(['notes']);
      expect(plugins.map(({ name }) => name)).toEqual(['notes']);
      expect(new Set(routes.map(({ url }) => url))).toEqual(new Set(['/notes']));
    });

    test('requests are listed with the time of each step, without those of the inspector', async () => {
      const app = create();
      app.addHook('onRequest', async function check() {});
      app.get('/notes/:id', function readNote() {
        return 'note';
      });
      const origin = await serve(app);
      await fetch(`${origin}/notes/1`);
      await read(origin, 'model.json');
      await ask(`${origin}/__ambit`, { host: 'evil.example' });
      const requests = await requestsOf(origin);
      expect(requests).toHaveLength(1);
      const [{ method, url, status, route, ms, steps, isFinished }] = requests as [RequestModel];
      expect({ method, url, status, isFinished }).toEqual({
        method: 'GET',
        url: '/notes/1',
        status: 200,
        isFinished: true,
      });
      const { routes } = await read<Inspection>(origin, 'model.json');
      expect(routes[route!]).toMatchObject({ url: '/notes/:id', methods: ['GET'] });
      expect(steps.map(({ name, function: called }) => [name, called])).toEqual([
        ['onRequest', 'check'],
        ['handler', 'readNote'],
        ['write', null],
      ]);
      for (const step of steps) expect(step.startMs + step.ms).toBeLessThanOrEqual(ms + 0.01);
    });

    test('events report requests as they end, without those of the page; a page that reconnects gets the missed ones', async () => {
      const app = create();
      app.get('/notes/:id', () => 'note');
      const origin = await serve(app);
      await fetch(`${origin}/notes/1`);
      const first = await listen(origin);
      const [{ data: application }, known] = [await first.next(), await first.next()];
      expect(known).toMatchObject({ event: 'requests' });
      expect(known.id).toMatch(new RegExp(`^${application}\\.\\d+$`));
      expect(urlsOf(known)).toEqual(['/notes/1']);
      await fetch(`${origin}/notes/2`);
      const told = await first.next();
      expect(urlsOf(told)).toEqual(['/notes/2']);
      first.leave();
      await fetch(`${origin}/notes/3`);
      const again = await listen(origin, { 'last-event-id': told.id! });
      expect((await again.next()).data).toBe(application);
      expect(urlsOf(await again.next())).toEqual(['/notes/3']);
      again.leave();
      const other = await listen(origin, { 'last-event-id': 'other-process.2' });
      await other.next();
      expect(urlsOf(await other.next())).toEqual(['/notes/1', '/notes/2', '/notes/3']);
    });

    test('an open page does not keep the application from closing', async () => {
      const app = create();
      const stream = await listen(await serve(app));
      await stream.next();
      await app.close();
      await expect(stream.next()).rejects.toThrow('the stream has ended');
    });

    test('the changes by serializers are listed for the route', async () => {
      const app = create();
      const response = { 200: { type: 'object', properties: { id: { type: 'integer' } } } };
      app.get('/', { schema: { response } }, (() => ({ id: '7', secret: 1 })) as never);
      const origin = await serve(app);
      await fetch(origin);
      const { routes } = await read<Inspection>(origin, 'model.json');
      const { id } = routes.find(({ methods }) => methods.includes('GET'))!;
      const { changes } = await read<{ changes: { kind: string; path: string }[] }>(
        origin,
        `route.json?id=${id}`,
      );
      expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['coerced /id', 'dropped /secret']);
    });

    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:80']) {
      test(`the host ${host} may see it`, async () => {
        expect(await ask(`${await serve(create())}/__ambit`, { host })).toBe(200);
      });
    }

    for (const [what, headers] of [
      ['another name for this machine', { host: 'evil.example' }],
      ['a name that begins alike', { host: 'localhost.evil.example' }],
      ['another address', { host: '10.0.0.1' }],
      ['a proxy', { 'x-forwarded-for': '127.0.0.1' }],
      ['a proxy that says so as RFC 7239 does', { forwarded: 'for=127.0.0.1' }],
      ['a page of another origin', { origin: 'http://evil.example' }],
      ['a page without an origin', { origin: 'null' }],
      ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ] as const) {
      test(`${what} gets 404, as without an inspector`, async () => {
        const origin = await serve(create());
        for (const path of ['', '/model.json', '/requests.json', '/route.json?id=0', '/events', '/page.js'])
          expect(await ask(`${origin}/__ambit${path}`, headers)).toBe(404);
      });
    }
  });

  test('in production, nothing is served without a guard', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const app = make();
    app.register(inspector);
    const origin = await serve(app);
    expect(await ask(`${origin}/__ambit`)).toBe(404);
    expect(app.printRoutes()).not.toContain('ambit');
  });

  for (const [verdict, status] of [
    [true, 200],
    [false, 404],
    [undefined, 404],
    ['yes', 404],
  ] as const) {
    test(`in production, a guard that returns ${String(verdict)} leads to ${status} for any host`, async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const app = make();
      app.register(inspector, { guard: async () => verdict as boolean });
      const origin = await serve(app);
      expect(await ask(`${origin}/__ambit`, { host: 'admin.example.com' })).toBe(status);
      expect(await ask(`${origin}/__ambit/requests.json`, { host: 'admin.example.com' })).toBe(status);
    });
  }

  test('a guard may reply itself, and a guard that fails shows nothing', async () => {
    const app = make();
    app.register(inspector, {
      guard: (request, reply) => {
        if (request.headers['x-fail']) throw new Error('no guard');
        reply.code(401).send({ message: 'who are you?' } as never);
        return false;
      },
    });
    const origin = await serve(app);
    expect(await ask(`${origin}/__ambit`)).toBe(401);
    expect(await ask(`${origin}/__ambit`, { 'x-fail': '1' })).toBe(500);
  });

  test('it can be served at another path, in a context with a prefix, and shows the whole application', async () => {
    const app = make();
    app.decorate('ofRoot', 1);
    app.register(async (context) => void context.register(inspector, { path: '/look' }), {
      prefix: '/admin',
    });
    const origin = await serve(app);
    const html = await (await fetch(`${origin}/admin/look`)).text();
    expect(html).toContain('src="look/page.js"');
    const model = (await (await fetch(`${origin}/admin/look/model.json`)).json()) as Inspection;
    expect(model.contexts[0]!.definitions[0]!.name).toBe('ofRoot');
  });

  for (const [options, message] of [
    [{ pth: '/x' }, "unknown option 'pth' of inspector"],
    [{ path: 'x' }, 'path must be a path that starts with a slash'],
    [{ path: '/x/' }, 'path must be a path that starts with a slash'],
    [{ guard: true }, 'guard must be a function'],
    [{ maxRequestBytes: 0 }, 'maxRequestBytes must be an integer > 0'],
    [{ redact: ['cookie'] }, "redact must be an array of names behind 'headers.'"],
    [{ redact: ['bodies.card'] }, "'params.', 'body.' or 'log.'"],
  ] as const) {
    test(`${JSON.stringify(options)} fails boot: ${message}`, async () => {
      const app = make();
      app.register(inspector, options as never);
      await expect(app.ready()).rejects.toMatchObject({
        code: 'AMBIT_ERR_INSPECTOR_OPTION',
        message: expect.stringContaining(message),
      });
    });
  }
});

describe('the stored data of requests', () => {
  test('secrets are left out: in headers, in the query, and those that the options name', async () => {
    const app = ambit();
    app.register(inspector, { redact: ['headers.x-tenant', 'query.code', 'params.invite'] });
    app.get('/join/:invite', () => 'ok');
    const origin = await serve(app);
    await fetch(`${origin}/join/open%20sesame?code=secret-code&access_token=secret-token&page=2`, {
      headers: {
        authorization: 'Bearer secret-token',
        cookie: 'a=b',
        'x-api-key': 'k',
        'x-tenant': 't',
        'x-plain': 'p',
      },
    });
    const [request] = await requestsOf(origin);
    expect(request!.url).toBe('/join/[redacted]?code=[redacted]&access_token=[redacted]&page=2');
    expect(request!.headers).toMatchObject({
      authorization: '[redacted]',
      cookie: '[redacted]',
      'x-api-key': '[redacted]',
      'x-tenant': '[redacted]',
      'x-plain': 'p',
    });
    expect(JSON.stringify(request)).not.toMatch(/Bearer|sesame|secret/);
  });

  test('they never need more bytes than the limit, because the oldest are dropped', async () => {
    const app = ambit();
    const maxRequestBytes = 20_000;
    app.register(inspector, { maxRequestBytes });
    app.get('/*', () => 'ok');
    const origin = await serve(app);
    for (let i = 0; i < 40; i++) await fetch(`${origin}/${i}/${'x'.repeat(500)}`);
    const { requests, bytes } = await read<{ requests: RequestModel[]; bytes: number }>(
      origin,
      'requests.json',
    );
    expect(bytes).toBeLessThanOrEqual(maxRequestBytes);
    expect(JSON.stringify(requests).length).toBeLessThan(2 * maxRequestBytes);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.at(-1)!.number).toBe(40);
  });

  test('a request that is larger than the limit is not stored', async () => {
    const app = ambit();
    app.register(inspector, { maxRequestBytes: 100 });
    app.get('/', () => 'ok');
    const origin = await serve(app);
    await fetch(origin);
    expect(await requestsOf(origin)).toEqual([]);
  });

  test('only requests after a number are sent', async () => {
    const app = ambit();
    app.register(inspector);
    app.get('/', () => 'ok');
    const origin = await serve(app);
    for (let i = 0; i < 3; i++) await fetch(origin);
    const { requests } = await read<{ requests: RequestModel[] }>(origin, 'requests.json?after=2');
    expect(requests.map(({ number }) => number)).toEqual([3]);
  });

  test('a request without a route and a request that fails are stored with their status', async () => {
    const app = ambit();
    app.register(inspector);
    app.get('/fails', () => Promise.reject(new Error('no')));
    const origin = await serve(app);
    await fetch(`${origin}/nowhere`);
    await fetch(`${origin}/fails`);
    const requests = await requestsOf(origin);
    expect(requests.map(({ status, route }) => [status, typeof route])).toEqual([
      [404, 'object'],
      [500, 'number'],
    ]);
    expect(requests[1]!.steps.map(({ path }) => path)).toContain('failure');
  });
});

describe('the files of the page', () => {
  const names = readdirSync(page);

  test('together they have at most 150 kB with gzip', () => {
    const bytes = names.map((name) => gzipSync(readFileSync(new URL(name, page))).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000);
  });

  test('each is served, and none contains the name of another host', async () => {
    const app = ambit();
    app.register(inspector);
    const origin = await serve(app);
    for (const name of names) {
      const text = readFileSync(new URL(name, page), 'utf8');
      expect(await (await fetch(`${origin}/__ambit/${name}`)).text()).toBe(text);
      expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
    }
  });

  test('samples of the process arrive once a second', async () => {
    const app = ambit();
    app.register(inspector);
    const origin = await serve(app);
    const { body } = await fetch(`${origin}/__ambit/events`);
    let events = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      events += chunk;
      if (/event: process\n.*\n\n/s.test(events)) break;
    }
    const [sample] = JSON.parse(
      /event: process\n(?:.*\n)??data: (.*)\n/.exec(events)![1]!,
    ) as ProcessSample[];
    expect(sample).toEqual({
      at: expect.any(Number),
      delayMs: expect.any(Number),
      rss: expect.any(Number),
      heapUsed: expect.any(Number),
      cpuShare: expect.any(Number),
      running: 0,
    });
  });

  test('the page is found with a slash at its end, too, also below a prefix and if slashes are ignored', async () => {
    for (const options of [{}, { routerOptions: { ignoreTrailingSlash: true } }]) {
      const app = ambit(options);
      app.register(inspector, { prefix: '/admin', path: '/look' });
      const origin = await serve(app);
      const response = await fetch(`${origin}/admin/look/`);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<title>Ambit inspector</title>');
    }
  });

  test('no text is parsed as markup', () => {
    for (const name of names) {
      const text = readFileSync(new URL(name, page), 'utf8');
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
  });
});
