/** Owns the end of an application: what each way to close it changes, and the order of the last steps. */
import type { CloseOptions } from '../../contract/closing.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { ServerState } from '../../contract/server-state.ts';
import type { Lifecycle } from '../boot/application-lifecycle.ts';
import type { Boot } from '../boot/boot.ts';
import { GracefulClose, type GracefulCloseHost } from './graceful-close.ts';

/** What closing asks of the transport. */
export interface ClosingTransport {
  /** Announces the end to clients. Returns whether a request has come over a connection that was open then. */
  announceEnd(): (x: Exchange) => boolean;
  /** Resolves when no connection is left. Calls `onStopped` as soon as no new ones are accepted. */
  stopAccepting(onStopped: () => void): Promise<unknown>;
  /** Resolves when no connection is left, or when the time is up. */
  drain(graceMs: number): Promise<void>;
  /** From now on, responses end their connections. */
  startClosing(): void;
  close(): Promise<void>;
  /** The requests that came over no connection. */
  readonly unconnected: { empty(): Promise<void> };
}

/** The requests that have no complete response yet. */
export interface RunningRequests {
  /** Notes what is running. */
  look(): void;
  /** Destroys what is left. Returns the number of requests. */
  cutOff(): Promise<number>;
}

export interface ClosingParts {
  readonly server: ServerState;
  readonly transport: ClosingTransport;
  readonly boot: Boot;
  readonly lifecycle: Lifecycle;
  findRunning(): RunningRequests;
  /** Ends the compilation in the background. */
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

  /** Whether the first step of closing has run, or runs. */
  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Refuses requests, and waits for those that run. */
  async drain(graceMs: number): Promise<void> {
    const { server, transport } = this.#parts;
    server.isStopping = true;
    // An application that closes already serves no more.
    if (server.isClosing) return;
    server.isClosing = true;
    server.isDraining = true;
    await transport.drain(graceMs);
  }

  /** Refuses requests from the call on. */
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
    const isRefusing = server.isClosing && server.mayStay === undefined;
    this.#graceful ??= new GracefulClose(this.#makeHost());
    boot.limitCloseHooks();
    const closed = this.#graceful.close(options);
    // Without a delay, requests of kept connections get their responses from the call on.
    if (isRefusing) this.#graceful.endDelay();
    return closed;
  }

  #makeHost(): GracefulCloseHost {
    const { server, transport, findRunning } = this.#parts;
    const running = findRunning();
    running.look();
    return {
      endKeptConnections: () => {
        const isKept = transport.announceEnd();
        server.mayStay = (x) => !isKept(x);
        server.isDraining = true;
        server.isClosing = true;
      },
      startDraining: () => {
        running.look();
        // An application that refuses requests already goes on doing so.
        if (!this.#isShuttingDown) server.isDraining = true;
        // Not before: clients and proxies replace connections that end by new ones, and those that come while the listener closes can be lost.
        return transport.stopAccepting(() => {
          transport.announceEnd();
          server.mayStay = undefined;
          server.isClosing = true;
          server.streams?.close();
        });
      },
      close: () => this.close(),
      afterUnconnected: () => transport.unconnected.empty(),
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
