/** `request.raw` and `reply.raw`: node's own objects, which a plugin may replace or wrap, on every wire. */
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type Context, hoist } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { portOf } from '../../ambit/test/support/serve.ts';
import { flavors } from './support/flavors.ts';
import { wires } from './support/wires.ts';

forbidProcessFaults();

const http1 = [IncomingMessage, ServerResponse];
const http2 = [Http2ServerRequest, Http2ServerResponse];
const classes: Record<string, unknown[]> = {
  http: http1,
  https: http1,
  'HTTP/1.1 on an http2 server': http1,
  'http2 in clear text': http2,
  'http2 over TLS': http2,
};

const post = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'whole' };

for (const [flavor, make] of flavors) {
  for (const [wire, expected] of Object.entries(classes)) {
    test(`${flavor}, ${wire}: raw objects are of node's own classes, with and without a body`, async () => {
      const { options, send } = wires[wire]!;
      const seen: unknown[] = [];
      const app = make(options);
      const note = (raw: object): unknown => seen.push(Object.getPrototypeOf(raw));
      app.addHook('onRequest', async (request, reply) => void [note(request.raw), note(reply.raw)]);
      app.addHook('onSend', async (request, reply) => void [note(request.raw), note(reply.raw)]);
      app.all('/', async () => 'done');
      await send(app);
      await send(app, post);
      const prototypes = expected.map((nodes) => (nodes as typeof IncomingMessage).prototype);
      expect(seen).toEqual([...prototypes, ...prototypes, ...prototypes, ...prototypes]);
    });
  }

  for (const [wire, { options, send }] of Object.entries(wires)) {
    describe(`${flavor}, ${wire}`, () => {
      function echo(): Context {
        const app = make(options);
        app.all('/*', ({ body, headers, id, method, raw, url }) => ({
          body,
          method,
          url,
          id,
          header: headers['x-header'],
          mark: Reflect.get(raw, 'mark'),
        }));
        return app;
      }

      test('a hook may put a Proxy in the place of the raw request, which the request then reads', async () => {
        const app = echo();
        app.addHook('onRequest', async (request) => {
          const traps: ProxyHandler<IncomingMessage> = {
            get: (target, name) => (name === 'mark' ? 'seen' : Reflect.get(target, name)),
          };
          request.raw = new Proxy(request.raw, traps);
        });
        expect(JSON.parse((await send(app, { ...post, path: '/a?b=c' })).body)).toMatchObject({
          body: 'whole',
          method: 'POST',
          url: '/a?b=c',
          mark: 'seen',
        });
      });

      test('a Proxy that keeps to itself what is set on it does not hold up the body', async () => {
        const app = echo();
        app.addHook('onRequest', async (request) => {
          const own = new Map<unknown, unknown>([['mark', 'own']]);
          request.raw = new Proxy(request.raw, {
            get: (target, name) => (own.has(name) ? own.get(name) : Reflect.get(target, name)),
            set: (_target, name, value) => own.set(name, value) !== undefined,
          });
        });
        expect(JSON.parse((await send(app, post)).body)).toMatchObject({ body: 'whole', mark: 'own' });
      });

      test('the raw request stays what a hook made it', async () => {
        const app = make(options);
        const seen: boolean[] = [];
        let own: unknown;
        app.addHook('onRequest', async (request) => {
          request.raw = new Proxy(request.raw, {});
          own = request.raw;
        });
        app.addHook('onSend', async (request) => void seen.push(request.raw === own));
        app.post('/', (request) => ({ isOwn: request.raw === own }));
        expect((await send(app, post)).body).toBe('{"isOwn":true}');
        expect(seen).toEqual([true]);
      });

      test('a hook may put a Proxy in the place of the raw reply, which the reply then writes to', async () => {
        const app = make(options);
        const written: unknown[] = [];
        app.addHook('onRequest', async (_request, reply) => {
          reply.raw = new Proxy(reply.raw, {
            get(target, name) {
              written.push(name);
              const value = Reflect.get(target, name);
              return typeof value === 'function' ? value.bind(target) : value;
            },
          });
        });
        app.get('/', async () => 'done');
        expect(await send(app)).toEqual({ status: 200, body: 'done' });
        expect(written).toContain('end');
      });

      test('the id of a request may be assigned', async () => {
        const app = echo();
        app.addHook('onRequest', async (request) => {
          request.id = 'assigned';
        });
        expect(JSON.parse((await send(app)).body)).toMatchObject({ id: 'assigned' });
      });

      test('a decorator of a plugin may wrap the raw request', async () => {
        const app = echo();
        const wrap = hoist(async (context: Context) => {
          context.addHook('preValidation', async (request) => {
            request.raw = Object.create(request.raw, { mark: { value: 'wrapped' } });
          });
        });
        app.register(wrap);
        expect(JSON.parse((await send(app, post)).body)).toMatchObject({ body: 'whole', mark: 'wrapped' });
      });
    });
  }

  test(`${flavor}: routing takes a Proxy around node's request`, async () => {
    const app = make();
    app.post('/', (request) => ({ body: request.body }));
    await app.ready();
    const server = createServer((request, response) => app.routing(new Proxy(request, {}), response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${portOf({ server } as unknown as Context)}`;
    expect(await (await fetch(origin, { ...post })).json()).toEqual({ body: 'whole' });
  });
}
