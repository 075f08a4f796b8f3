/** Attacks on the inspector: who tries to see it from elsewhere, over real sockets. */
import { connect } from 'node:http2';
import { type InspectorOptions, inspector } from '@ambit/inspector';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { flavors } from '../../ambit/test/support/flavors.ts';
import { converse } from '../../ambit/test/support/raw-client.ts';
import { portOf, serve } from '../../ambit/test/support/serve.ts';

const paths = ['', '/model.json', '/requests.json', '/route.json?id=0', '/events', '/page.js'];

/** The status of the response to bytes. */
async function statusOf(port: number, head: string): Promise<number> {
  const answer = await converse(port, `${head}\r\nconnection: close\r\n\r\n`);
  return Number(answer.split(' ')[1]);
}

describe.each(flavors)('on %s', (_flavor, make) => {
  describe.each([undefined, 'node'] as const)('engine %s', (engine) => {
    async function start(options: InspectorOptions = {}, app: AmbitOptions = {}): Promise<number> {
      const created = make({ ...app, ...(engine !== undefined && { engine }) });
      created.register(inspector, options as never);
      created.get('/', () => 'ok');
      await serve(created);
      return portOf(created);
    }

    for (const [what, head] of [
      ['its own name', 'GET /__ambit HTTP/1.1\r\nhost: localhost:3000'],
      ['an absolute target with a local name', 'GET http://localhost/__ambit HTTP/1.1\r\nhost: localhost'],
      [
        'a link on another site',
        'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document',
      ],
    ] as const) {
      test(`${what} is allowed`, async () => {
        expect(await statusOf(await start(), head)).toBe(200);
      });
    }

    for (const [what, head] of [
      ['a target of another host', 'GET http://evil.example/__ambit HTTP/1.1\r\nhost: localhost'],
      ['HTTP/1.0, as a proxy sends it', 'GET /__ambit HTTP/1.0\r\nhost: localhost'],
      ['no Host header', 'GET /__ambit HTTP/1.0\r\naccept: */*'],
      ['a trailing dot', 'GET /__ambit HTTP/1.1\r\nhost: localhost.'],
      ['a port that is none', 'GET /__ambit HTTP/1.1\r\nhost: localhost:'],
      ['a long address of this machine', 'GET /__ambit HTTP/1.1\r\nhost: [0:0:0:0:0:0:0:1]'],
      ['an address that is mapped to IPv6', 'GET /__ambit HTTP/1.1\r\nhost: [::ffff:127.0.0.1]'],
      ['every address of this machine', 'GET /__ambit HTTP/1.1\r\nhost: 0.0.0.0'],
      ['a number for an address', 'GET /__ambit HTTP/1.1\r\nhost: 2130706433'],
      ['a name below localhost', 'GET /__ambit HTTP/1.1\r\nhost: evil.localhost'],
      ['X-Forwarded-Host', 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nx-forwarded-host: localhost'],
      ['X-Forwarded-Proto', 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nx-forwarded-proto: https'],
      ['X-Real-IP', 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nx-real-ip: 127.0.0.1'],
      ['Via', 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nvia: 1.1 proxy'],
      ['an empty Forwarded', 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nforwarded: '],
      [
        'a frame on another site',
        'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: iframe',
      ],
      [
        'a page on another port of this machine',
        'GET /__ambit/model.json HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-site\r\nsec-fetch-mode: cors',
      ],
      [
        'an origin on another port',
        'GET /__ambit/model.json HTTP/1.1\r\nhost: localhost:3000\r\norigin: http://localhost:4000',
      ],
      ['a method that changes something', 'POST /__ambit HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0'],
    ] as const) {
      test(`${what} is rejected`, async () => {
        expect(await statusOf(await start(), head)).toBe(404);
      });
    }

    test.each([
      ['two Host headers', '/__ambit', 'host: localhost\r\nhost: evil.example'],
      ['a user in Host', '/__ambit', 'host: localhost:80@evil.example'],
      ['a local user in the target', 'http://localhost@evil.example/__ambit', 'host: localhost'],
    ])('a request with %s is rejected', async (_, target, hosts) => {
      const port = await start();
      expect(await statusOf(port, `GET ${target} HTTP/1.1\r\n${hosts}`)).toBeGreaterThanOrEqual(400);
    });

    test('a rejected client gets the same response as without an inspector', async () => {
      const request = 'GET /__ambit HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n';
      const without = make(engine && { engine });
      without.get('/', () => 'ok');
      await serve(without);
      const [refused, unknown] = [
        await converse(await start(), request),
        await converse(portOf(without), request),
      ];
      const plain = (answer: string): string => answer.replace(/\r\ndate: [^\r]*/i, '');
      expect(plain(refused)).toBe(plain(unknown));
    });

    test('`trustProxy` does not allow other clients', async () => {
      const port = await start({}, { trustProxy: true });
      expect(
        await statusOf(port, 'GET /__ambit HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 127.0.0.1'),
      ).toBe(404);
    });
  });

  for (const remoteAddress of ['10.0.0.1', '192.168.1.2', '::ffff:10.0.0.1', '2001:db8::1', 'localhost']) {
    test(`a peer at '${remoteAddress}' is rejected, whatever its headers say`, async () => {
      const app = make();
      app.register(inspector);
      for (const path of paths) {
        const url = `/__ambit${path}`;
        const reply = await app.inject({ url, remoteAddress, headers: { host: 'localhost' } });
        expect(reply.statusCode).toBe(404);
      }
      await app.close();
    });
  }

  test('the log says why a request was rejected', async () => {
    const lines: string[] = [];
    const app = make({
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    });
    app.register(inspector);
    await app.inject({ url: '/__ambit', headers: { host: 'localhost', via: '1.1 proxy' } });
    await app.close();
    const refused = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ reason }) => reason);
    expect(refused).toMatchObject({
      msg: 'the inspector refused a request',
      reason: 'the request passed through a proxy: it has the header via',
    });
  });

  test('a guard that never settles shows nothing', async () => {
    const app = make({ handlerTimeout: 20 });
    let isAsked = false;
    app.register(inspector, {
      guard: () => {
        isAsked = true;
        return new Promise<boolean>(() => {});
      },
    });
    const reply = await app.inject('/__ambit/model.json');
    expect(isAsked).toBe(true);
    expect(reply.statusCode).toBe(503);
    expect(reply.body).not.toContain('contexts');
    await app.close();
  });

  test('a guard that returns true does not allow pages of other origins', async () => {
    const app = make();
    app.register(inspector, { guard: () => true });
    const headers = { host: 'admin.example', origin: 'https://evil.example' };
    expect((await app.inject({ url: '/__ambit/model.json', headers })).statusCode).toBe(404);
    expect(
      (await app.inject({ url: '/__ambit/model.json', headers: { host: 'admin.example' } })).statusCode,
    ).toBe(200);
    await app.close();
  });
});

describe('over HTTP/2', () => {
  async function session(): Promise<(headers: Record<string, string>) => Promise<unknown>> {
    const app = ambit({ http2: true }) as Context;
    app.register(inspector);
    app.get('/', () => 'ok');
    const client = connect(await serve(app));
    onTestFinished(() => client.destroy());
    return (headers) =>
      new Promise((resolve, reject) => {
        const stream = client.request({ ':path': '/__ambit', ...headers });
        stream.on('response', (head) => resolve(head[':status'])).on('error', reject);
        stream.resume();
      });
  }

  test('the page is served to this machine', async () => {
    const ask = await session();
    expect(await ask({})).toBe(200);
    expect(await ask({ ':path': '/__ambit/model.json' })).toBe(200);
    expect(await ask({ ':path': '/__ambit/page.js', 'accept-encoding': 'gzip' })).toBe(200);
  });

  for (const headers of [
    { ':authority': 'evil.example' },
    { ':authority': 'evil.example', host: 'localhost' },
    { ':authority': 'localhost', host: 'evil.example' },
    { 'x-forwarded-for': '127.0.0.1' },
    { origin: 'http://evil.example' },
  ]) {
    test(`${JSON.stringify(headers)} is rejected`, async () => {
      expect(await (await session())(headers)).toBe(404);
    });
  }
});
