/**
 * Faults and the connection that carried them: what listens to it is the same before and after each request, and what its time limit does.
 */
import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFaultyApp, pathOf, points } from './support/faulty-app.ts';
import { flavors } from './support/flavors.ts';
import { faults, hook } from './support/injected-faults.ts';
import { expectNothingLeft } from './support/leftovers.ts';
import { forbidProcessFaults } from './support/process-faults.ts';
import { open, request as requestText } from './support/raw-client.ts';
import { limitConnection, servePort } from './support/serve.ts';

forbidProcessFaults();

const lanes = [
  ['the HTTP engine', {}],
  ["node's server", { engine: 'node' }],
] as const;

describe.each(flavors)('%s', (_flavor, make) => {
  describe.each(lanes)('on %s', (_name, options) => {
    test('a kept connection has the same listeners before and after each request', async () => {
      expectNothingLeft();
      const { app } = await makeFaultyApp(make, { ...options, handlerTimeout: 20 });
      let socket: Socket | undefined;
      app.server.on('connection', (accepted) => {
        socket = accepted;
      });
      const client = keepConnection(await servePort(app));
      // A hijacked reply has no time limit.
      const cases = Object.keys(points).flatMap((name) => faults.map((fault) => pathOf(name, fault)));
      for (const path of cases.filter((path) => path !== pathOf('hijack', 'never settles'))) {
        // Another request first: some connections end with their response, and then this one opens the next.
        await client.ask(pathOf('onResponse', 'throws'));
        await turns(20);
        const before = listenersOf(socket!);
        await client.ask(path).catch(() => {});
        await removal(socket!, before);
        expect([path, socket!.destroyed ? before : listenersOf(socket!)]).toEqual([path, before]);
      }
    });

    test('a client that leaves while pipelined requests wait is told to each of them, once', async () => {
      expectNothingLeft();
      const events = new EventEmitter();
      const app = make(options);
      onTestFinished(() => app.close());
      const aborted: string[] = [];
      app.addHook('onRequestAbort', async ({ url }) => {
        aborted.push(url);
        events.emit('aborted');
      });
      const urls = ['/first', ...Array.from({ length: 12 }, (_, i) => `/${i}`)];
      // The first never gets its response; the others do, or do not, and wait for that of the first.
      app.post('/:name', ({ url }) => {
        if (url === urls.at(-1)) events.emit('reached');
        return url.length === 2 ? 'waits' : new Promise(() => {});
      });
      const reached = once(events, 'reached');
      const { socket } = await open(await servePort(app));
      const fields = ['Content-Type: text/plain', 'Content-Length: 4'];
      socket.write(urls.map((url) => `${requestText('POST', url, ...fields)}body`).join(''));
      await reached;
      await turns(20);
      socket.destroy();
      while (aborted.length < urls.length) await once(events, 'aborted');
      await turns(20);
      expect(aborted.toSorted()).toEqual(urls.toSorted());
    });

    for (const fault of faults) {
      test(`an onTimeout hook that ${fault} runs once, and the server goes on`, async () => {
        expectNothingLeft();
        const app = make({ ...options, connectionTimeout: 60_000 });
        const expire = limitConnection(app);
        let runs = 0;
        const aborted = new Promise<void>((resolve) => {
          app.addHook('onRequestAbort', async () => resolve());
        });
        app.get('/', { onTimeout: hook(3, fault, () => runs++) }, () => {
          setImmediate(expire);
          return new Promise(() => {});
        });
        app.get('/next', () => 'served');
        const port = await servePort(app);
        const silent = await open(port);
        silent.socket.write(requestText('GET', '/'));
        await silent.ended;
        await aborted;
        const next = await open(port);
        next.socket.write(requestText('GET', '/next'));
        await next.until('served');
        next.socket.destroy();
        expect(runs).toBe(1);
      });
    }
  });
});

/** One connection that is kept as long as it can be. */
function keepConnection(port: number): { ask(path: string): Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { 'content-type': 'text/fault', 'content-length': 4 };
  return {
    async ask(path) {
      const options = { host: '127.0.0.1', port, agent, method: 'POST', path, headers };
      const outgoing = request(options).on('error', () => {});
      outgoing.end('body');
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      await text(response);
    },
  };
}

function listenersOf(socket: Socket): Record<string, number> {
  return Object.fromEntries(socket.eventNames().map((name) => [String(name), socket.listenerCount(name)]));
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/** Some listeners go a few turns after the response has arrived. */
async function removal(socket: Socket, before: Record<string, number>): Promise<void> {
  const isMore = (): boolean =>
    Object.entries(listenersOf(socket)).some(([name, count]) => count > (before[name] ?? 0));
  for (let turn = 0; turn < 500 && isMore() && !socket.destroyed; turn++) await nextTurn();
}
