/** Puts an application on a socket for one test, and takes it off when the test ends. */
import type { AddressInfo, Socket } from 'node:net';
import type { Context } from 'ambit';
import { onTestFinished } from 'vitest';
import { startHurry } from './hurry.ts';

/** Closes the application when the test ends, without the time that a server gives its clients to leave. */
export function closeAfterTest(app: Context): void {
  onTestFinished(async () => {
    const stopHurry = startHurry();
    await app.close().finally(stopHurry);
  });
}

/** Listens on a free port of 127.0.0.1. Returns the origin: `http://127.0.0.1:40001`. */
export async function serve(app: Context): Promise<string> {
  closeAfterTest(app);
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** The same, for tests that open sockets of their own. */
export async function servePort(app: Context): Promise<number> {
  await serve(app);
  return portOf(app);
}

/** Returns a function that sets the time limit of the last connection that was accepted (`connectionTimeout`) to the shortest. */
export function limitConnection(app: Context): () => void {
  let socket: Socket | undefined;
  app.server.on('connection', (accepted) => {
    socket = accepted;
  });
  return () => void socket!.setTimeout(1);
}

export function portOf(app: Context): number {
  return (app.server.address() as AddressInfo).port;
}
