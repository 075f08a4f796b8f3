/** Owns the order of steps in `close(options)`: a delay, the end of running requests, and the deadline. */
import type { CloseOptions } from '../../types/options.ts';
import { maxTimerMs } from '../options/check-options.ts';

/** What closing needs from the application. */
export interface GracefulCloseHost {
  /** Open connections end with their next response. New connections are accepted, and stay open. */
  endKeptConnections(): void;
  /** Stops accepting connections, and notifies streams. Resolves when no connection is left. */
  startDraining(): Promise<unknown>;
  /** Ends every connection as soon as it carries no request, then runs the `onClose` hooks. */
  close(): Promise<void>;
  /** Resolves when the requests that came without a connection have ended. */
  whenUnconnectedEnded(): Promise<void>;
  /** Destroys the requests that still run. Returns their number. */
  cutOff(): Promise<number>;
}

const defaultGraceMs = 10_000;
/** The minimum time that a connection is kept open for its next request. Clients that send one within this time lose no request. */
const idleMs = 1_000;

export class GracefulClose {
  /** When the requests that still run are destroyed. */
  readonly deadline: Alarm = new Alarm();
  readonly #delay = new Alarm();
  readonly #nearEnd = new Alarm();
  readonly #host: GracefulCloseHost;
  #delayMs = Number.POSITIVE_INFINITY;
  #closing: Promise<number> | undefined;

  constructor(host: GracefulCloseHost) {
    this.#host = host;
  }

  /**
   * Closes. A second call can make the end of the delay and the deadline earlier, but never later.
   *
   * @returns How many requests were cut off.
   */
  close({ graceMs = defaultGraceMs, delayMs = 0 }: CloseOptions): Promise<number> {
    this.#delayMs = Math.min(this.#delayMs, delayMs);
    this.#nearEnd.ringIn(delayMs / 2);
    this.#delay.ringIn(delayMs);
    this.deadline.ringIn(delayMs + graceMs);
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the delay now, because the application is closed in another way. */
  endDelay(): void {
    this.#nearEnd.ringIn(0);
    this.#delay.ringIn(0);
  }

  async #close(): Promise<number> {
    let cuttingOff: Promise<number> | undefined;
    this.deadline.rung.then(() => {
      cuttingOff = this.#host.cutOff();
    });
    try {
      await this.#serveUntilNoticed();
      await this.#drain();
      await this.#host.close();
      await this.#host.whenUnconnectedEnded();
    } finally {
      this.deadline.stop();
    }
    return (await cuttingOff) ?? 0;
  }

  async #serveUntilNoticed(): Promise<void> {
    await this.#nearEnd.rung;
    if (this.#delay.remainingMs > 0) this.#host.endKeptConnections();
    await this.#delay.rung;
  }

  /**
   * Connections without a request are kept for a while: a client may be sending the next one at this moment. Those that were opened in the
   * second half of the delay got no other notice, so each is kept as long as the delay was.
   */
  async #drain(): Promise<void> {
    const idle = new Alarm();
    idle.ringIn(Math.min(Math.max(idleMs, this.#delayMs), this.deadline.remainingMs / 2));
    await Promise.race([this.#host.startDraining(), idle.rung, this.deadline.rung]);
    idle.stop();
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
