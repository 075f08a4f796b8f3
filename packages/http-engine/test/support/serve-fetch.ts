/** Starts servers for fetch handlers, for one test each. */
import { onTestFinished } from 'vitest';
import { type FetchHandler, type FetchServer, type ServeOptions, serve } from '../../src/fetch.ts';
import { connectTo } from './serve.ts';
import type { Client } from './wire.ts';

export interface ServedHandler {
  readonly server: FetchServer;
  readonly url: string;
  /** A connection for bytes. */
  connect(): Promise<Client>;
  /** Sends a request with `fetch`. */
  ask(path?: string, init?: NonNullable<Parameters<typeof fetch>[1]>): Promise<Response>;
}

export async function serveFetch(
  handler: FetchHandler,
  options: Partial<ServeOptions> = {},
): Promise<ServedHandler> {
  const server = await serve(handler, { hostname: '127.0.0.1', ...options });
  onTestFinished(async () => {
    const closed = server.close();
    server.node.closeAllConnections();
    await closed;
  });
  const { url, port } = server;
  return {
    server,
    url,
    connect: () => connectTo(port!),
    ask: (path = '/', init = {}) => fetch(url + path, init),
  };
}
