import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ambit, drain } from 'ambit';
import { expect, test } from 'vitest';
import { fastify } from '../../../../fastify/src/index.ts';

const flavors = { ambit, 'the facade': fastify };
const lanes = { 'the engine': {}, 'node:http': { engine: 'node' } } as const;

/** Sends a request, and returns the response as text. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  return String(chunk).toLowerCase();
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

for (const [flavor, make] of Object.entries(flavors)) {
  for (const [lane, options] of Object.entries(lanes)) {
    const start = async () => {
      const app = make(options);
      app.get('/', () => 'ok');
      await app.listen({ host: '127.0.0.1' });
      return { app, port: app.addresses()[0]!.port };
    };

    test(`${flavor}, ${lane}: an open connection is served while draining, and ends with its response`, async () => {
      const { app, port } = await start();
      const socket = await open(port);
      expect(await ask(socket)).not.toContain('connection: close');
      // Longer than the test may take: `drain` must resolve when the connection ends.
      const drained = drain(app, 100_000_000);
      expect(await ask(socket)).toMatch(/^http\/1\.1 200 ok\r\n.*connection: close\r\n.*ok$/s);
      await once(socket, 'close');
      await drained;
      await app.close();
    });

    test(`${flavor}, ${lane}: a new connection is refused when the application has drained`, async () => {
      const { app, port } = await start();
      await drain(app, 100_000_000);
      await expect(open(port)).rejects.toThrow('ECONNREFUSED');
      await app.close();
    });

    test(`${flavor}, ${lane}: an idle connection ends with close when the time is up`, async () => {
      const { app, port } = await start();
      const socket = await open(port);
      await ask(socket);
      await drain(app, 0);
      const ended = once(socket, 'close');
      await app.close();
      await ended;
      expect(app.addresses()).toEqual([]);
    });
  }
}

test('both addresses of localhost are drained', async () => {
  const app = ambit();
  await app.listen();
  await drain(app);
  expect(app.addresses()).toEqual([]);
  await app.close();
});

test('requests are served while an application drains, and while it then closes', async () => {
  const app = ambit();
  app.get('/', () => 'ok');
  await app.ready();
  await drain(app);
  expect((await app.inject('/')).statusCode).toBe(200);
  const closed = app.close();
  expect((await app.inject('/')).statusCode).toBe(200);
  await closed;
});

test('an application that does not listen is drained at once', async () => {
  const app = ambit();
  await drain(app, 100_000_000);
  await app.close();
});
