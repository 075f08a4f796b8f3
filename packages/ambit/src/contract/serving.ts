/** The part of a context that is about its server. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inject } from './inject.ts';
import type { ListenOptions } from './listen.ts';

export interface Serving<Routes> {
  readonly server: Server;
  listen(options?: ListenOptions): Promise<string>;
  listen(options: ListenOptions, listener: (error: Error | null, address: string) => void): void;
  listen(listener: (error: Error | null, address: string) => void): void;
  addresses(): AddressInfo[];
  /** The address listened on last: `http://localhost:3000`. */
  readonly listeningOrigin: string;
  /** Serves a pair of node objects that the application made or received itself. */
  routing(rawRequest: unknown, rawResponse: unknown): void;
  /** Serves a request without a socket; boots first where needed. */
  inject: Inject<Routes>;
  [Symbol.asyncDispose](): Promise<void>;
}
