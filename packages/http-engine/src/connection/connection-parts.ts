/** What the classes that share the work of one connection have in common. */
import type { Socket } from 'node:net';
import type { ConnectionHost } from './connection-host.ts';
import type { Input } from './input.ts';
import type { Output } from './output.ts';
import type { RequestQueue } from './request-queue.ts';

export interface ConnectionParts {
  readonly engine: ConnectionHost;
  readonly socket: Socket;
  readonly input: Input;
  readonly output: Output;
  readonly queue: RequestQueue;
}
