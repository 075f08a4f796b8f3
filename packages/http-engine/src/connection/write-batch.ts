/**
 * Owns when collected responses are written. If responses of several connections follow each other closely, they are written
 * together, at the end of the turn of the event loop: waking a client that sleeps costs more than the write itself, and a client
 * that still works on the response before does not sleep.
 */
import { AsyncResource } from 'node:async_hooks';
// The global of this name is a getter, which each use would call.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { afterMicrotasks } from './after-microtasks.ts';

/** What a connection does when it is its turn to write. */
export interface BatchedWriter {
  settle(): void;
}

/** A response waits for others only if another one was ready within this time before it: slow handlers must not delay responses. */
const closeMs = 0.1;
/** After this many, they are written at once. */
const mostWaiting = 32;

export class WriteBatch {
  #waiting: BatchedWriter[] = [];
  #lastMs = 0;
  #willFlush = false;
  // The requests of a batch have different async contexts. No code of one may run in that of another.
  readonly #flush: () => void = AsyncResource.bind(() => this.flush());
  readonly #flushLater: () => void = () => {
    this.#willFlush = false;
    this.#flush();
  };

  // HOT: once per read, or per response that comes later.
  /** Has a connection write, now or at the end of the turn. A connection may be added more than once. */
  add(writer: BatchedWriter): void {
    const nowMs = performance.now();
    const isClose = nowMs - this.#lastMs < closeMs;
    this.#lastMs = nowMs;
    this.#waiting.push(writer);
    if (!isClose || this.#waiting.length >= mostWaiting) this.#flush();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(this.#flushLater);
  }

  /** More responses are about to be ready in this turn: `release` will be called. */
  hold(): void {
    this.#willFlush = true;
  }

  /** No more will: what waits is written after the microtasks. */
  release(): void {
    afterMicrotasks(this.#flushLater);
  }

  /** Has all connections that wait write now. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    let written = 0;
    try {
      while (written < waiting.length) waiting[written++]!.settle();
    } finally {
      // If a listener throws, the others still write.
      if (written < waiting.length) {
        this.#waiting = [...waiting.slice(written), ...this.#waiting];
        this.#schedule();
      }
    }
  }
}
