/** Starts servers with the engine for one test each. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { onTestFinished } from 'vitest';
import { type AttachOptions, attach, type Engine, type Exchange } from '../../src/index.ts';
import { Client, listen } from './wire.ts';

export interface Served {
  readonly server: Server;
  readonly engine: Engine;
  readonly port: number;
  connect(): Promise<Client>;
}

export interface ServeOptions extends AttachOptions {
  readonly http?: ServerOptions;
  /** Changes the server before it listens. */
  readonly prepare?: (server: Server) => void;
}

export async function serve(
  onRequest: (exchange: Exchange) => void,
  { http = {}, prepare, ...options }: ServeOptions = {},
): Promise<Served> {
  const server = createServer(http);
  const engine = attach(server, onRequest, options);
  prepare?.(server);
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, engine, port, connect: () => connectTo(port) };
}

export async function connectTo(port: number): Promise<Client> {
  const client = await new Client(port).open();
  onTestFinished(() => {
    client.socket.destroy();
  });
  return client;
}

export const get = (target = '/', fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;

export const post = (body: string, fields = ''): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${fields}\r\n${body}`;
