/** What a connection needs from its engine. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MutableCounters } from '../counters.ts';
import type { EngineExchange } from '../exchange/engine-exchange.ts';
import type { MethodTable } from '../grammar/methods.ts';
import type { HandOverReason, WatchReason } from '../grammar/reasons.ts';
import type { Clock } from '../limits/clock.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import type { RequestClass, ResponseClass } from '../raw/node-internals.ts';
import type { ReadBatch } from './read-batch.ts';
import type { WriteBatch } from './write-batch.ts';

export interface ConnectionHost {
  readonly server: Server;
  readonly methods: MethodTable;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly reads: ReadBatch;
  readonly writes: WriteBatch;
  readonly counters: MutableCounters;
  readonly RequestClass: RequestClass;
  readonly ResponseClass: ResponseClass;
  /** How something observes node's server; undefined if nothing does. */
  readonly watchedBy: WatchReason | undefined;
  /** Whether the server is closing: connections then end as soon as they are idle. */
  readonly isClosing: boolean;
  serve(exchange: EngineExchange): void;
  /** Runs a task of a connection outside the async contexts of its requests. */
  runOutside(task: () => void): void;
  handOver(socket: Socket, rest: Buffer, reason: HandOverReason): void;
  fail(socket: Socket, error: Error): void;
  /** Called when a connection has become idle, or is no longer idle. */
  onPhase(socket: Socket, isIdle: boolean): void;
}
