/** Versions of node that lack a member which node does not document: the server answers as node does, without the engine. */
import * as http from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { members } from '../src/runtime-internals.ts';
import { listen } from './support/wire.ts';

afterEach(() => {
  vi.doUnmock('node:http');
  vi.resetModules();
});

/** The object without a member. A symbol is named by its description. */
const without = <T extends object>(object: T, member: string): T =>
  new Proxy(object, {
    has: (target, key) => key !== member && Reflect.has(target, key),
    ownKeys: (target) => Reflect.ownKeys(target).filter((key) => String(key) !== member),
  });

const classWithout = <T extends new (...args: never[]) => object>(original: T, member: string): T =>
  new Proxy(original, { construct: (target, args) => without(Reflect.construct(target, args), member) });

/** What `node:http` exports if objects of a kind have no such member. */
const lacks: Readonly<Record<keyof typeof members, (member: string) => Partial<typeof http>>> = {
  server: (member) => ({
    createServer: ((...args: []) => without(http.createServer(...args), member)) as typeof http.createServer,
  }),
  request: (member) => ({ IncomingMessage: classWithout(http.IncomingMessage, member) }),
  response: (member) => ({ ServerResponse: classWithout(http.ServerResponse, member) as never }),
};

/** Loads the engine where `node:http` exports something else, and attaches it to a server of node. */
async function serveWith(exports: Partial<typeof http>) {
  vi.resetModules();
  vi.doMock('node:http', () => ({ ...http, ...exports }));
  const { attach } = await import('../src/index.ts');
  const server = http.createServer({ uniqueHeaders: ['x-unique'] } as http.ServerOptions);
  const engine = attach(server, respond);
  return { engine, port: await listenFor(server) };
}

async function listenFor(server: http.Server): Promise<number> {
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return port;
}

function respond(exchange: Exchange): void {
  exchange.readBody(
    (body) => {
      exchange.rawResponse.setHeader('x-unique', ['a', 'b']);
      exchange.respond(
        200,
        { 'content-type': 'text/plain' },
        `${exchange.method} ${exchange.target} ${body}`,
      );
    },
    () => exchange.destroy(),
  );
}

async function ask(port: number) {
  const answers: unknown[] = [];
  for (const [path, init] of [
    ['/first', {}],
    ['/second', { method: 'POST', body: 'content' }],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { 'x-unique': unique, connection } = Object.fromEntries(response.headers);
    answers.push([response.status, unique, connection, await response.text()]);
  }
  return answers;
}

const expected = [
  [200, 'a; b', 'keep-alive', 'GET /first '],
  [200, 'a; b', 'keep-alive', 'POST /second content'],
];

test('with all members, the engine serves', async () => {
  const { engine, port } = await serveWith({});
  expect([await ask(port), engine.counters.requests, engine.counters.handedOver]).toEqual([expected, 2, {}]);
});

const everyMember = Object.entries(members).flatMap(([kind, names]) =>
  names.map((name) => [name, kind as keyof typeof members] as const),
);

test.each(everyMember)('without %s of a %s, node serves', async (member, kind) => {
  const { engine, port } = await serveWith(lacks[kind](member));
  expect([await ask(port), engine.counters.requests, engine.counters.handedOver]).toEqual([
    expected,
    0,
    { socket: expect.any(Number) },
  ]);
});

test('without a listener of connections on new servers, node serves, and a second engine is still refused', async () => {
  const createServer = (...args: []) => http.createServer(...args).removeAllListeners('connection');
  const { engine, port } = await serveWith({ createServer: createServer as typeof http.createServer });
  expect([await ask(port), engine.counters.requests, engine.counters.handedOver]).toEqual([expected, 0, {}]);
  const { attach } = await import('../src/index.ts');
  const server = http.createServer();
  attach(server, respond).detach();
  attach(server, respond);
  expect(() => attach(server, respond)).toThrow(TypeError);
});
