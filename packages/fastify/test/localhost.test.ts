/** `listen` without a host opens a server for each address of `localhost`; together they are one. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { portOf } from '../../ambit/test/support/serve.ts';
import { flavors } from './support/flavors.ts';

forbidProcessFaults();

const hosts = ['127.0.0.1', '::1'] as const;

for (const [flavor, make] of flavors) {
  describe(`${flavor}: on both addresses of localhost`, () => {
    async function listen(app: Context): Promise<number> {
      app.get('/', () => 'served');
      onTestFinished(() => app.close());
      await app.listen({ port: 0 });
      expect(app.addresses()).toHaveLength(2);
      return portOf(app);
    }

    function open(host: string, port: number): Promise<Socket> {
      const socket = connect({ host, port }).on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return once(socket, 'connect').then(() => socket);
    }

    const refusal = (host: string, port: number): Promise<string> =>
      new Promise((resolve) => {
        connect({ host, port }).on('error', (error) => resolve((error as { code?: string }).code!));
      });

    test('closing the main server closes both listeners', async () => {
      const app = make();
      const port = await listen(app);
      await new Promise((resolve) => app.server.close(resolve));
      expect(await Promise.all(hosts.map((host) => refusal(host, port)))).toEqual([
        'ECONNREFUSED',
        'ECONNREFUSED',
      ]);
    });

    test('closing it by the method of its class closes both, too', async () => {
      const app = make();
      const port = await listen(app);
      Object.getPrototypeOf(app.server).close.call(app.server);
      await once(app.server, 'close');
      expect(await refusal('::1', port)).toBe('ECONNREFUSED');
    });

    test('no new connection is taken while a request on the other address still runs', async () => {
      const app = make();
      let release = (): void => {};
      const arrived = new Promise<void>((resolve) => {
        app.get('/slow', async () => {
          resolve();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return 'slow';
        });
      });
      const port = await listen(app);
      const socket = await open('127.0.0.1', port);
      socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      await arrived;
      app.server.close();
      expect(await refusal('::1', port)).toBe('ECONNREFUSED');
      release();
      const [received] = (await once(socket, 'data')) as [Buffer];
      expect(received.toString()).toContain('200 OK');
    });

    test('closeAllConnections cuts off connections on both', async () => {
      const app = make();
      const port = await listen(app);
      const sockets = await Promise.all(hosts.map((host) => open(host, port)));
      for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await Promise.all(sockets.map((socket) => once(socket, 'data')));
      const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
      app.server.closeAllConnections();
      await closed;
    });

    for (const host of hosts) {
      test(`a request on ${host} that offers an upgrade which nobody takes is answered`, async () => {
        const app = make();
        const port = await listen(app);
        const headers = { connection: 'upgrade', upgrade: 'h2c' };
        const outgoing = request({ host, port, headers, agent: false }).end();
        const [response] = await once(outgoing, 'response');
        expect(response.statusCode).toBe(200);
        response.resume();
      });

      test(`an upgrade on ${host} reaches a listener that is added later, until it is removed`, async () => {
        const app = make();
        const port = await listen(app);
        const upgrade = async (): Promise<number> => {
          const headers = { connection: 'upgrade', upgrade: 'echo' };
          const outgoing = request({ host, port, headers, agent: false }).end();
          const [response] = await once(outgoing, 'response');
          response.resume();
          return response.statusCode;
        };
        const refuse = (_request: unknown, socket: Socket): unknown =>
          socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n');
        app.server.on('upgrade', refuse);
        expect(await upgrade()).toBe(426);
        app.server.off('upgrade', refuse);
        expect(await upgrade()).toBe(200);
      });
    }
  });
}
