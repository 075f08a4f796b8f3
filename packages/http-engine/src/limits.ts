/** Tells what a connection waits for, and ends it when that takes too long. */
import { maxHeaderSize, type Server } from 'node:http';
import type { Connection } from './connection.ts';
import { RequestTimeout } from './ending.ts';
import { allowsHalfOpen, joinsDuplicates, maxHeaderSizeOf } from './runtime-internals.ts';

/**
 * The state of a connection: `silent`: nothing has arrived yet. `head`, `body`: this part of a request is arriving. `answer`: the
 * application is responding, or the client is receiving a response. `idle`: the connection is between two requests.
 */
export type ConnectionState = 'silent' | 'head' | 'body' | 'answer' | 'idle';

/** What the connection waits for, with its time limit. With `answer`, it waits for the application, not for the client. */
type Phase = 'head' | 'body' | 'answer' | 'idle';

export class Phases {
  readonly #connection: Connection;
  #phase: Phase = 'head';
  #sinceMs: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#sinceMs = connection.engine.clock.nowMs;
  }

  // HOT: once per read.
  update(): void {
    const { engine, socket, queue, input } = this.#connection;
    let phase: Phase;
    if (queue.receiving !== undefined) phase = 'body';
    else if (queue.first !== undefined) phase = 'answer';
    else phase = input.bytes.length > 0 || queue.total === 0 ? 'head' : 'idle';
    if (phase !== this.#phase) {
      // A body belongs to a request that began earlier.
      if (phase !== 'body') this.#sinceMs = engine.clock.nowMs;
      this.#phase = phase;
      // Node's own time limit for silent sockets does not apply between two requests, which have another limit.
      const { timeout } = engine.server;
      if (timeout) socket.setTimeout(phase === 'idle' && engine.limits.idleTimeoutMs ? 0 : timeout);
    }
    // If a request arrived and got its response within one read, the idle time starts again.
    else if (phase === 'idle') this.#sinceMs = engine.clock.nowMs;
  }

  /** Whether the rest of a head must still arrive. */
  get isInHead(): boolean {
    return this.#phase === 'head' && this.#connection.input.bytes.length > 0;
  }

  /** Whether the connection is between two requests. */
  get isIdle(): boolean {
    const { queue, input } = this.#connection;
    return this.#phase === 'idle' && queue.first === undefined && !input.isServeScheduled;
  }

  get state(): ConnectionState {
    const { queue, input, socket } = this.#connection;
    if (queue.receiving !== undefined) return 'body';
    if (queue.first !== undefined || this.#isWriting) return 'answer';
    if (queue.total === 0) return socket.bytesRead === 0 ? 'silent' : 'head';
    return input.isServed ? 'idle' : 'head';
  }

  /** Whether the client has not got every response yet. */
  get #isWriting(): boolean {
    const { output, socket } = this.#connection;
    return !output.isEmpty || socket.writableLength > 0;
  }

  /** Ends the connection if it is between two requests, and the client has got every response. */
  closeIfIdle(): void {
    if (this.isIdle && !this.#isWriting) this.#connection.socket.destroy();
  }

  /** Ends the connection if one of its time limits is over. */
  checkLimits(): void {
    const { engine, input, ending } = this.#connection;
    if (input.isServeScheduled) return;
    if (this.#phase !== 'idle') {
      if (this.#hasExpired()) ending.fail(new RequestTimeout());
    } else if (engine.clock.hasPassed(engine.limits.idleTimeoutMs, this.#sinceMs)) this.#endIdle();
    // When the server began to close, the connection may have been writing.
    else if (engine.isClosing) this.closeIfIdle();
  }

  /** Whether a head or a body took too long. */
  #hasExpired(): boolean {
    const { clock, limits } = this.#connection.engine;
    return (
      (this.#phase === 'head' && clock.hasPassed(limits.headersTimeoutMs, this.#sinceMs)) ||
      (this.#phase !== 'answer' && clock.hasPassed(limits.requestTimeoutMs, this.#sinceMs))
    );
  }

  /** Ends an idle connection whose time is over. A client that is still receiving a response is not idle. */
  #endIdle(): void {
    const { engine, socket } = this.#connection;
    if (!this.#isWriting) socket.destroy();
    else this.#sinceMs = engine.clock.nowMs;
  }
}

/** A limit may end two ticks late at most, because times are read at the last tick and compared at the next one. */
const tickMs = 400;
/** The most time that one tick counts for. While the event loop is blocked, no client can be served, so none counts as late. */
const maxTickMs = 2 * tickMs;

/** The clock of an engine: one timer for all its connections. */
export class Clock {
  /**
   * Milliseconds at the last tick, without the time in which the event loop was blocked. It may be one tick old, so a limit
   * has certainly passed only when one more tick has passed.
   */
  nowMs: number = performance.now();
  #lastTickMs = 0;
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** Starts the timer. It does not keep the process alive. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#lastTickMs = performance.now();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const tickedMs = performance.now();
    this.nowMs += Math.min(tickedMs - this.#lastTickMs, maxTickMs);
    this.#lastTickMs = tickedMs;
    this.#onTick();
  }

  /** Whether a limit has passed since a time of this clock; 0 means no limit. */
  hasPassed(limitMs: number, sinceMs: number): boolean {
    return limitMs > 0 && this.nowMs - sinceMs >= limitMs + tickMs;
  }
}

/** A head with more fields than this goes to node, even if the server's limit is higher. */
const maxFields = 200;

/**
 * The limits of a server, read whenever they are needed, as node does, because applications change them. Limits that are used as they are
 * (`timeout`, `keepAliveTimeout`, `maxRequestsPerSocket`) are read from the server itself.
 */
export class ServerLimits {
  readonly #server: Server & { readonly keepAliveTimeoutBuffer?: number };
  /** A head of this many bytes or more goes to node. The limit is fixed when a server is created. */
  readonly headBytes: number;
  readonly joinsDuplicates: boolean;

  constructor(server: Server) {
    this.#server = server;
    this.headBytes = maxHeaderSizeOf(server) || maxHeaderSize;
    this.joinsDuplicates = joinsDuplicates(server);
  }

  get fieldCount(): number {
    return Math.min(this.#server.maxHeadersCount || maxFields, maxFields);
  }

  get headersTimeoutMs(): number {
    return toLimit(this.#server.headersTimeout);
  }

  get requestTimeoutMs(): number {
    return toLimit(this.#server.requestTimeout);
  }

  /**
   * The time limit of an idle connection: a little more than was announced, so that a request on its way still arrives.
   */
  get idleTimeoutMs(): number {
    const timeout = toLimit(this.#server.keepAliveTimeout);
    const { keepAliveTimeoutBuffer } = this.#server;
    return (
      timeout && timeout + (keepAliveTimeoutBuffer === undefined ? 1000 : toLimit(keepAliveTimeoutBuffer))
    );
  }

  get allowsHalfOpen(): boolean {
    return allowsHalfOpen(this.#server);
  }
}

function toLimit(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}
