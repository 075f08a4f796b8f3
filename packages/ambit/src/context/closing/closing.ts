/** Closes an application: what each way of closing it changes, and the order of the last steps. */

import { CloseOptionsInvalid } from '../../types/errors.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { CloseOptions } from '../../types/options.ts';
import type { ServerState } from '../../types/plan.ts';
import type { Lifecycle } from '../boot/application.ts';
import type { Boot } from '../boot/boot.ts';
import { nodeOf, withLocation } from '../context-node.ts';
import { checkNames, maxTimerMs, typeOf } from '../options/check-options.ts';
import { GracefulClose, type GracefulCloseHost } from './graceful-close.ts';

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
  readonly lifecycle: Lifecycle;
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

export class Closing {
  readonly #parts: ClosingParts;
  #graceful: GracefulClose | undefined;
  #isShuttingDown = false;
  #isClosed = false;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
  }

  /** Whether the first step of closing has begun. */
  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Rejects new requests, and waits for running ones. */
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
    const { server, lifecycle } = this.#parts;
    server.isStopping = true;
    server.isClosing = true;
    this.#graceful?.endDelay();
    try {
      await lifecycle.close();
    } finally {
      this.#isClosed = true;
    }
  }

  /** @returns How many requests were cut off. */
  closeGracefully(options: CloseOptions): Promise<number> {
    const { server, boot } = this.#parts;
    server.isStopping = true;
    const isRejecting = server.isClosing && server.mayStayOpen === undefined;
    this.#graceful ??= new GracefulClose(this.#makeHost());
    boot.limitCloseHooks();
    const closed = this.#graceful.close(options);
    // Requests are rejected already. When the delay ends, requests on open connections are served again until the connections end.
    if (isRejecting) this.#graceful.endDelay();
    return closed;
  }

  #makeHost(): GracefulCloseHost {
    const { server, transport, findRunning } = this.#parts;
    const running = findRunning();
    running.recordSeenTimes();
    return {
      endKeptConnections: () => {
        const isKept = transport.announceEnd();
        server.mayStayOpen = (x) => !isKept(x);
        server.isDraining = true;
        server.isClosing = true;
      },
      startDraining: () => {
        running.recordSeenTimes();
        // An application that rejects requests already must continue to reject them.
        if (!this.#isShuttingDown) server.isDraining = true;
        // Only now, because clients and proxies replace a connection that ends by a new one, which can be lost while the listener closes.
        return transport.stopAccepting(() => {
          transport.announceEnd();
          server.mayStayOpen = undefined;
          server.isClosing = true;
          server.streams?.close();
        });
      },
      close: () => this.close(),
      whenUnconnectedEnded: () => transport.unconnected.whenEmpty(),
      cutOff: () => running.cutOff(),
    };
  }

  /** The first step that closing runs, before the `onClose` hooks: `preClose` hooks, then the servers. */
  async shutDown(): Promise<void> {
    const { server, transport, lifecycle, stopCompiling } = this.#parts;
    this.#isShuttingDown = true;
    stopCompiling();
    transport.startClosing();
    server.streams?.close();
    const failure = await lifecycle.runCloseHooks(this.#graceful?.deadline);
    await transport.close();
    if (failure !== undefined) throw failure;
  }
}

/** `close` of a context: at once, with a callback, or with times. */
export function close<Root extends object>(
  root: Root,
  optionsOrListener: unknown,
): Root | Promise<void> | Promise<number> {
  const node = nodeOf(root);
  const { app } = node;
  // `process.once('SIGTERM', app.close)` passes the name of the signal.
  if (optionsOrListener === undefined || typeof optionsOrListener === 'string') return app.close();
  if (typeof optionsOrListener === 'function') {
    const listener = optionsOrListener as (error?: Error) => void;
    app.close().then(() => listener(), listener);
    return root;
  }
  withLocation(node, () => checkCloseOptions(optionsOrListener));
  return app.closeGracefully(optionsOrListener as object);
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
