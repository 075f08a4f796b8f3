/** Puts an application on a socket for one test, and takes it off when the test ends. */
import type { AddressInfo } from 'node:net';
import type { Context } from 'ambit';
import { onTestFinished } from 'vitest';

/** Listens on a free port of 127.0.0.1. Returns the origin: `http://127.0.0.1:40001`. */
export async function serve(app: Context): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** The same, for tests that open sockets of their own. */
export async function servePort(app: Context): Promise<number> {
  await serve(app);
  return portOf(app);
}

export function portOf(app: Context): number {
  return (app.server.address() as AddressInfo).port;
}
