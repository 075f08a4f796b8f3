/** Owns the state of the engine for one server: its connections, its limits, and whether the engine or node serves a connection. */
import { AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { ReadBatch, WriteBatch } from './batches.ts';
import { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { Clock, ServerLimits } from './limits.ts';
import { MethodTable } from './read-head.ts';
import type { HandOverReason, WatchReason } from './reasons.ts';
import {
  type ConnectionListener,
  isSupported,
  type RequestClass,
  type ResponseClass,
  requestClassOf,
  responseClassOf,
  setServer,
} from './runtime-internals.ts';
import { connectionOf, listenToSocket, stopListening } from './socket-listeners.ts';

export interface EngineParts {
  readonly server: Server;
  /** Node's own listener, which gets what the engine does not serve. */
  readonly nodeListener: ConnectionListener;
  readonly methods: readonly string[];
  readonly onRequest: (exchange: Exchange) => void;
  readonly onHandOver: ((reason: HandOverReason, socket: Socket) => void) | undefined;
  readonly counters: MutableCounters;
  /** Tells how something observes node's server. */
  readonly findWatcher: () => WatchReason | undefined;
}

export class ServerEngine {
  readonly server: Server;
  readonly methods: MethodTable;
  readonly limits: ServerLimits;
  readonly clock: Clock = new Clock(() => this.#checkAll());
  readonly writes: WriteBatch = new WriteBatch();
  readonly reads: ReadBatch = new ReadBatch(this.writes);
  readonly counters: MutableCounters;
  readonly RequestClass: RequestClass;
  readonly ResponseClass: ResponseClass;
  /** How something observes node's server; undefined if nothing does. */
  watchedBy: WatchReason | undefined = undefined;
  /** Whether the server is closing: connections then end as soon as they are idle. */
  isClosing = false;
  readonly #parts: EngineParts;
  readonly #onRequest: (exchange: Exchange) => void;
  readonly #connections: Set<Connection> = new Set();
  readonly #outside: AsyncResource = new AsyncResource('HTTPENGINE');

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#onRequest = parts.onRequest;
    this.server = parts.server;
    this.counters = parts.counters;
    this.methods = new MethodTable(parts.methods);
    this.limits = new ServerLimits(parts.server);
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
    const isReadable = isSupported && socket instanceof Socket;
    if (!isReadable || socket.readableFlowing !== null || socket.readableEncoding !== null) {
      this.#giveToNode(socket, 'socket');
      return;
    }
    this.counters.connections++;
    const connection = new Connection(this, socket);
    if (this.#connections.size === 0) {
      this.clock.start();
      engines.add(this);
      listenForExit();
    }
    this.#connections.add(connection);
    setServer(socket, this.server);
    if (this.server.timeout) socket.setTimeout(this.server.timeout);
    listenToSocket(connection);
  }

  #giveToNode(socket: Socket, reason: HandOverReason): void {
    this.#countHandOver(socket, reason);
    this.#parts.nodeListener.call(this.server, socket);
  }

  #countHandOver(socket: Socket, reason: HandOverReason): void {
    const { handedOver } = this.counters;
    handedOver[reason] = (handedOver[reason] ?? 0) + 1;
    this.#parts.onHandOver?.(reason, socket);
  }

  // HOT: once per request.
  serve(exchange: Exchange): void {
    this.counters.requests++;
    // An async context that a handler enters must not be visible in the next request of the same connection.
    new AsyncResource('HTTPSERVERREQUEST').runInAsyncScope(this.#onRequest, undefined, exchange);
  }

  /** Runs a task of a connection outside the async contexts of its requests. */
  runOutside(task: () => void): void {
    this.#outside.runInAsyncScope(task);
  }

  /**
   * Gives a connection to node's own server.
   *
   * @param rest The bytes that were read but not served.
   */
  handOver(socket: Socket, rest: Buffer, reason: HandOverReason): void {
    this.forget(connectionOf(socket)!);
    stopListening(socket);
    this.#countHandOver(socket, reason);
    const { nodeListener } = this.#parts;
    if (socket.readableEnded) {
      // Earlier responses have delayed the hand-over until after the end, and the stream takes nothing back.
      nodeListener.call(this.server, socket);
      if (rest.length > 0) socket.emit('data', rest);
      socket.emit('end');
      return;
    }
    // Reading is paused during the hand-over, because the bytes that are put back must come first.
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    nodeListener.call(this.server, socket);
    socket.resume();
  }

  /** Called when the engine no longer serves a connection. */
  forget(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    this.clock.stop();
    engines.delete(this);
  }

  #checkAll(): void {
    this.watchedBy = this.#parts.findWatcher();
    for (const { phases } of this.#connections) phases.checkLimits();
  }

  closeIdle(): void {
    for (const { phases } of this.#connections) phases.closeIfIdle();
  }

  flushAll(): void {
    for (const { output } of this.#connections) output.flush();
  }

  closeAll(): void {
    for (const { socket } of this.#connections) socket.destroy();
  }
}

/** What an engine has served since it was attached. */
export interface Counters {
  /** Connections that began with the engine. */
  readonly connections: number;
  /** Requests that the engine served. */
  readonly requests: number;
  /** Requests that were rejected with 400 because of their Host field, although node would have accepted them. */
  readonly refused: number;
  /** Connections that went to node, by reason. */
  readonly handedOver: Readonly<Partial<Record<HandOverReason, number>>>;
}

export class MutableCounters implements Counters {
  connections = 0;
  requests = 0;
  refused = 0;
  readonly handedOver: Partial<Record<HandOverReason, number>> = {};
}

/** The engines that have connections. */
const engines = new Set<ServerEngine>();
let isListening = false;

/** If the process exits, engines write the responses that wait to be written together. */
function listenForExit(): void {
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const engine of engines) engine.flushAll();
  });
}
