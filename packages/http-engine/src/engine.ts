/** Owns the state of the engine for one server: its connections, its limits, and whether the engine or node serves a connection. */
import { AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { Connection } from './connection/connection.ts';
import type { ConnectionHost } from './connection/connection-host.ts';
import { failSocket } from './connection/failures.ts';
import { type ConnectionListener, handOver } from './connection/hand-over.ts';
import type { ConnectionState } from './connection/phases.ts';
import { ReadBatch } from './connection/read-batch.ts';
import { connectionOf, listenToSocket, stopListening } from './connection/socket-listeners.ts';
import { WriteBatch } from './connection/write-batch.ts';
import type { MutableCounters } from './counters.ts';
import type { EngineExchange } from './exchange/engine-exchange.ts';
import { MethodTable } from './grammar/methods.ts';
import type { HandOverReason, WatchReason } from './grammar/reasons.ts';
import { Clock } from './limits/clock.ts';
import { flushAtExit, stopFlushingAtExit } from './limits/flush-at-exit.ts';
import { ServerLimits } from './limits/server-limits.ts';
import {
  type RequestClass,
  type ResponseClass,
  requestClassOf,
  responseClassOf,
} from './raw/node-internals.ts';

export interface EngineParts {
  readonly server: Server;
  /** Node's own listener, which gets what the engine does not serve. */
  readonly nodeListener: ConnectionListener;
  readonly methods: readonly string[];
  readonly onRequest: (exchange: EngineExchange) => void;
  readonly onHandOver: ((reason: HandOverReason, socket: Socket) => void) | undefined;
  readonly counters: MutableCounters;
  readonly findWatcher: () => WatchReason | undefined;
}

export class ServerEngine implements ConnectionHost {
  readonly server: Server;
  readonly methods: MethodTable;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly writes: WriteBatch = new WriteBatch();
  readonly reads: ReadBatch = new ReadBatch(this.writes);
  readonly counters: MutableCounters;
  readonly connections: Set<Connection> = new Set();
  readonly RequestClass: RequestClass;
  readonly ResponseClass: ResponseClass;
  watchedBy: WatchReason | undefined = undefined;
  isClosing = false;
  readonly #parts: EngineParts;
  readonly #onRequest: (exchange: EngineExchange) => void;
  readonly #outside: AsyncResource = new AsyncResource('HTTPENGINE');

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#onRequest = parts.onRequest;
    this.server = parts.server;
    this.counters = parts.counters;
    this.methods = new MethodTable(parts.methods);
    this.limits = new ServerLimits(parts.server);
    this.clock = new Clock(() => this.#checkAll());
    this.RequestClass = requestClassOf(parts.server);
    this.ResponseClass = responseClassOf(parts.server);
  }

  /** Takes a connection that the server has accepted. */
  accept(socket: Socket): void {
    this.watchedBy = this.#parts.findWatcher();
    if (this.watchedBy !== undefined) {
      this.#giveToNode(socket, this.watchedBy);
      return;
    }
    // Node accepts any stream as a connection. The engine reads only those that node's own servers accept.
    if (!(socket instanceof Socket) || socket.readableFlowing !== null || socket.readableEncoding !== null) {
      this.#giveToNode(socket, 'socket');
      return;
    }
    this.counters.connections++;
    const connection = new Connection(this, socket);
    if (this.connections.size === 0) this.#start();
    this.connections.add(connection);
    (socket as Socket & { server: Server }).server = this.server;
    if (this.limits.socketTimeoutMs) socket.setTimeout(this.limits.socketTimeoutMs);
    listenToSocket(this, connection, socket);
  }

  #giveToNode(socket: Socket, reason: HandOverReason): void {
    this.counters.countHandOver(reason);
    this.#parts.onHandOver?.(reason, socket);
    this.#parts.nodeListener.call(this.server, socket);
  }

  // HOT: once per request.
  serve(exchange: EngineExchange): void {
    this.counters.requests++;
    // An async context that a handler enters must not be visible in the next request of the same connection.
    new AsyncResource('HTTPSERVERREQUEST').runInAsyncScope(this.#onRequest, undefined, exchange);
  }

  runOutside(task: () => void): void {
    this.#outside.runInAsyncScope(task);
  }

  handOver(socket: Socket, rest: Buffer, reason: HandOverReason): void {
    this.forget(connectionOf(socket)!);
    stopListening(socket);
    this.counters.countHandOver(reason);
    this.#parts.onHandOver?.(reason, socket);
    handOver(this.server, this.#parts.nodeListener, socket, rest);
  }

  fail(socket: Socket, error: Error): void {
    failSocket(this.server, socket, error);
  }

  forget(connection: Connection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0) return;
    this.clock.stop();
    stopFlushingAtExit(this);
  }

  /** Called with the first connection. */
  #start(): void {
    this.clock.start();
    flushAtExit(this);
  }

  onPhase(socket: Socket, isIdle: boolean): void {
    // Node's own time limit for silent sockets does not apply between two requests, which have another limit.
    const { socketTimeoutMs } = this.limits;
    if (socketTimeoutMs) socket.setTimeout(isIdle && this.limits.idleTimeoutMs ? 0 : socketTimeoutMs);
  }

  #checkAll(): void {
    this.watchedBy = this.#parts.findWatcher();
    for (const connection of this.connections) connection.checkLimits();
  }

  stateOf(socket: Socket): ConnectionState | undefined {
    return connectionOf(socket)?.state;
  }

  exchangesOf(socket: Socket): EngineExchange[] {
    return connectionOf(socket)?.exchanges ?? [];
  }

  closeIdle(): void {
    for (const connection of this.connections) connection.closeIfIdle();
  }

  flushAll(): void {
    for (const connection of this.connections) connection.output.flush();
  }

  closeAll(): void {
    for (const connection of this.connections) connection.socket.destroy();
  }
}
