/** Closes an application: what each way of closing it changes, the order of the steps, and how long each may take. */

import { CloseOptionsInvalid } from '../../types/errors.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { Logger } from '../../types/logger.ts';
import type { CloseOptions } from '../../types/options.ts';
import type { ServerState } from '../../types/plan.ts';
import type { AppState } from '../app-state.ts';
import type { Boot } from '../boot/boot.ts';
import { nodeOf, withContextPlace } from '../definitions.ts';
import { checkNames, maxTimerMs, typeOf } from '../options/check-options.ts';

interface ClosingTransport {
  /** Announces the end to clients. Returns a function that tells whether a request came over a connection that was open at this call. */
  announceEnd(): (x: Exchange) => boolean;
  /** Resolves when no connection is left. Calls `onStopped` as soon as no new ones are accepted. */
  stopAccepting(onStopped: () => void): Promise<unknown>;
  /** Resolves when no connection is left, or when the time is over. */
  drain(graceMs: number): Promise<void>;
  /** From now on, responses end their connections. */
  startClosing(): void;
  close(): Promise<void>;
  /** The requests that came without a connection, such as those of `inject`. */
  readonly unconnected: { whenEmpty(): Promise<void> };
}

interface ClosingParts {
  readonly server: ServerState;
  readonly transport: ClosingTransport;
  readonly boot: Boot;
  readonly log: Logger;
  /** The requests that have no complete response yet. */
  findRunning(): {
    /** Records when each running request was first seen. */
    recordSeenTimes(): void;
    /** Destroys the requests that still run. Returns their number. */
    cutOff(): Promise<number>;
  };
  /** Stops compiling in the background. */
  stopCompiling(): void;
}

export const defaultGraceMs = 10_000;
/** The minimum time that a connection is kept open for its next request. Clients that send one within this time lose no request. */
const idleMs = 1_000;

export class Closing {
  /** Whether the first step of closing has begun. */
  isShuttingDown = false;
  isClosed = false;
  readonly #parts: ClosingParts;
  #graceful: GracefulClose | undefined;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
  }

  /** Stops accepting connections, and serves the open ones for at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    const { server, transport } = this.#parts;
    server.isStopping = true;
    // An application that is closing already must not serve requests again.
    if (server.isClosing) return;
    server.isClosing = true;
    server.isDraining = true;
    await transport.drain(graceMs);
  }

  /** Rejects requests from now on. */
  async close(): Promise<void> {
    const { server, boot } = this.#parts;
    server.isStopping = true;
    server.isClosing = true;
    this.#graceful?.endDelay();
    try {
      await boot.end();
    } finally {
      this.isClosed = true;
    }
  }

  /**
   * Closes after a delay. A second call can make the end of the delay and the deadline earlier, but never later.
   *
   * @returns How many requests were cut off.
   */
  closeGracefully({ graceMs = defaultGraceMs, delayMs = 0 }: CloseOptions): Promise<number> {
    const { server, boot } = this.#parts;
    server.isStopping = true;
    const isRejecting = server.isClosing && server.mayStayOpen === undefined;
    this.#graceful ??= new GracefulClose();
    const graceful = this.#graceful;
    boot.limitsCloseHooks = true;
    graceful.delayMs = Math.min(graceful.delayMs, delayMs);
    graceful.nearEnd.ringIn(delayMs / 2);
    graceful.delay.ringIn(delayMs);
    graceful.deadline.ringIn(delayMs + graceMs);
    graceful.closed ??= this.#closeInTime(graceful);
    // Requests are rejected already. When the delay ends, requests on open connections are served again until the connections end.
    if (isRejecting) graceful.endDelay();
    return graceful.closed;
  }

  async #closeInTime(graceful: GracefulClose): Promise<number> {
    const { nearEnd, delay, deadline } = graceful;
    const { transport, findRunning } = this.#parts;
    const running = findRunning();
    running.recordSeenTimes();
    let cuttingOff: Promise<number> | undefined;
    deadline.rung.then(() => {
      cuttingOff = running.cutOff();
    });
    try {
      await nearEnd.rung;
      if (delay.remainingMs > 0) this.#endKeptConnections();
      await delay.rung;
      running.recordSeenTimes();
      // Connections without a request are kept for a while: a client may be sending the next one at this moment. Those that were opened in
      // the second half of the delay got no other notice, so each is kept as long as the delay was.
      const idle = new Alarm();
      idle.ringIn(Math.min(Math.max(idleMs, graceful.delayMs), deadline.remainingMs / 2));
      await Promise.race([this.#stopAccepting(), idle.rung, deadline.rung]);
      idle.stop();
      await this.close();
      await transport.unconnected.whenEmpty();
    } finally {
      deadline.stop();
    }
    return (await cuttingOff) ?? 0;
  }

  /** Open connections end with their next response. New connections are accepted, and stay open. */
  #endKeptConnections(): void {
    const { server, transport } = this.#parts;
    const isKept = transport.announceEnd();
    server.mayStayOpen = (x) => !isKept(x);
    server.isDraining = true;
    server.isClosing = true;
  }

  /** Notifies streams, too. Resolves when no connection is left. */
  #stopAccepting(): Promise<unknown> {
    const { server, transport } = this.#parts;
    // An application that rejects requests already must continue to reject them.
    if (!this.isShuttingDown) server.isDraining = true;
    // Only now, because clients and proxies replace a connection that ends by a new one, which can be lost while the listener closes.
    return transport.stopAccepting(() => {
      transport.announceEnd();
      server.mayStayOpen = undefined;
      server.isClosing = true;
      server.streams?.close();
    });
  }

  /** The first step that closing runs, before the `onClose` hooks: `preClose` hooks, then the servers. */
  async shutDown(): Promise<void> {
    const { server, transport, boot, log, stopCompiling } = this.#parts;
    this.isShuttingDown = true;
    stopCompiling();
    transport.startClosing();
    server.streams?.close();
    const failure = await boot.runCloseHooks(log, this.#graceful?.deadline);
    await transport.close();
    if (failure !== undefined) throw failure;
  }
}

/** What `close` with times waits for. */
class GracefulClose {
  /** Half of the delay is over. */
  readonly nearEnd: Alarm = new Alarm();
  readonly delay: Alarm = new Alarm();
  /** When the requests that still run are destroyed. */
  readonly deadline: Alarm = new Alarm();
  delayMs: number = Number.POSITIVE_INFINITY;
  closed: Promise<number> | undefined;

  /** Ends the delay now, because the application is closed in another way. */
  endDelay(): void {
    this.nearEnd.ringIn(0);
    this.delay.ringIn(0);
  }
}

class Alarm {
  readonly rung: Promise<void>;
  #ring!: () => void;
  #timer: NodeJS.Timeout | undefined;
  #atMs = Number.POSITIVE_INFINITY;

  constructor() {
    this.rung = new Promise((resolve) => {
      this.#ring = resolve;
    });
  }

  /** Makes it ring after this time, unless it is already set to ring earlier. */
  ringIn(ms: number): void {
    const atMs = performance.now() + ms;
    if (atMs >= this.#atMs) return;
    this.#atMs = atMs;
    clearTimeout(this.#timer);
    if (ms <= 0) this.#ring();
    else this.#timer = setTimeout(this.#ring, Math.min(ms, maxTimerMs));
  }

  /** The time until it rings: at least 0, or `Infinity` if it is not set. */
  get remainingMs(): number {
    return Math.max(0, this.#atMs - performance.now());
  }

  /** Cancels it: it never rings, and does not keep the process alive. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#atMs = Number.NEGATIVE_INFINITY;
  }
}

/** `close` of a context: at once, with a callback, or with times. */
export function close<Root extends object>(
  root: Root,
  { closing }: AppState,
  optionsOrListener: unknown,
): Root | Promise<void> | Promise<number> {
  // `process.once('SIGTERM', app.close)` passes the name of the signal.
  if (optionsOrListener === undefined || typeof optionsOrListener === 'string') return closing().close();
  if (typeof optionsOrListener === 'function') {
    const listener = optionsOrListener as (error?: Error) => void;
    closing()
      .close()
      .then(() => listener(), listener);
    return root;
  }
  withContextPlace(nodeOf(root), () => checkCloseOptions(optionsOrListener));
  return closing().closeGracefully(optionsOrListener as object);
}

export function checkCloseOptions(
  options: unknown,
  owner = 'close',
  extraNames: readonly string[] = [],
): asserts options is CloseOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new CloseOptionsInvalid(`options must be object, instead got ${typeOf(options)}`);
  const times = ['graceMs', 'delayMs'] as const;
  checkNames(options, [...times, ...extraNames], owner);
  for (const name of times) {
    const value: unknown = (options as CloseOptions)[name];
    if (value === undefined || (typeof value === 'number' && value >= 0 && value <= maxTimerMs)) continue;
    const received = typeof value === 'number' ? value : typeOf(value);
    throw new CloseOptionsInvalid(
      `${name} must be a number of milliseconds from 0 to ${maxTimerMs}, instead got ${received}`,
    );
  }
}
