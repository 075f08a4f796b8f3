/** `listen({ fd })`: a process serves sockets that another one has opened, as systemd and process managers do. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { get, type IncomingMessage, type RequestOptions } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { serve } from '../../test/support/serve.ts';

const program = fileURLToPath(new URL('../../test/fixtures/descriptor-program.mjs', import.meta.url));

const applications = ['ambit', 'fastify'].flatMap((flavor) =>
  [{}, { engine: 'node' }].flatMap((options) =>
    [{}, { host: 'localhost' }].map((listen) => JSON.stringify({ flavor, options, listen })),
  ),
);

interface Outcome {
  readonly address: string;
  readonly addresses: AddressInfo[];
  readonly hasRunHooks: boolean;
}

interface OpenSocket {
  readonly fd: number;
  readonly address: AddressInfo | string;
  /** Ends it in this process only. */
  close(): void;
}

async function openSocket(options: ListenOptions): Promise<OpenSocket> {
  const server = createServer().listen(options);
  await once(server, 'listening');
  // Node has no public API for it.
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  return { fd, address: server.address()!, close: () => server.close() };
}

/** Starts a process with an application on each socket. From then on, no other process serves them. */
async function start(
  sockets: readonly OpenSocket[],
): Promise<{ outcomes: Outcome[]; stop: () => Promise<unknown> }> {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc', ...sockets.map(({ fd }) => fd)] as const;
  const child = fork(program, applications, { stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const failed = exit.then(() => Promise.reject(new Error('the process has ended')));
  failed.catch(() => {});
  const [outcomes] = (await Promise.race([once(child, 'message'), failed])) as [Outcome[]];
  for (const socket of sockets) socket.close();
  const stop = async (): Promise<unknown> => {
    child.disconnect();
    return exit;
  };
  return { outcomes, stop };
}

async function ask(target: RequestOptions): Promise<string> {
  const [response] = (await once(get({ ...target, agent: false }), 'response')) as [IncomingMessage];
  return text(response);
}

test('an open port serves its own address only, with both flavors and both lanes, and closes', async () => {
  const sockets = await Promise.all(applications.map(() => openSocket({ port: 0, host: '127.0.0.1' })));
  const { outcomes, stop } = await start(sockets);
  const bound = sockets.map(({ address }) => address as AddressInfo);
  expect(outcomes).toEqual(
    bound.map((address) => ({
      address: `http://127.0.0.1:${address.port}`,
      addresses: [address],
      hasRunHooks: true,
    })),
  );
  const bodies = await Promise.all(bound.map(({ port }) => ask({ host: '127.0.0.1', port })));
  expect(bodies).toEqual(applications.map((_, i) => `served by ${i}`));
  expect(await stop()).toEqual([0, null]);
});

test('an open UNIX socket is served: its address names the descriptor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ambit-descriptor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const sockets = await Promise.all(applications.map((_, i) => openSocket({ path: join(folder, `${i}`) })));
  const paths = applications.map((_, i) => join(folder, `kept-${i}`));
  // A process that closes a UNIX socket removes its path.
  await Promise.all(sockets.map(({ address }, i) => rename(address as string, paths[i]!)));
  const { outcomes, stop } = await start(sockets);
  expect(outcomes).toEqual(
    applications.map((_, i) => ({ address: `fd://${4 + i}`, addresses: [], hasRunHooks: true })),
  );
  const bodies = await Promise.all(paths.map((socketPath) => ask({ socketPath })));
  expect(bodies).toEqual(applications.map((_, i) => `served by ${i}`));
  expect(await stop()).toEqual([0, null]);
});

for (const [flavor, make] of flavors) {
  test(`${flavor}: a descriptor that is not open is an error, after which the application can listen elsewhere`, async () => {
    const app = make();
    app.get('/', () => 'served');
    await expect(app.listen({ fd: 1_000_000 })).rejects.toMatchObject({ syscall: 'listen' });
    expect(await (await fetch(await serve(app))).text()).toBe('served');
  });
}
