/**
 * Decides when collected responses are written. If responses of several connections follow each other closely, they are written
 * together, at the end of the turn of the event loop: waking a client that sleeps costs more than the write itself, and a client
 * that is still handling the previous response does not sleep.
 */
import { AsyncResource } from 'node:async_hooks';
// Imported, because the global `performance` is a getter, which each use would call.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { afterMicrotasks } from './after-microtasks.ts';

/** A connection that writes its responses when its turn comes. */
export interface BatchedWriter {
  settle(): void;
}

/** A response waits for others only if another one was ready within this time before it: slow handlers must not delay responses. */
const batchWindowMs = 0.1;
/** If this many connections wait, they write at once. */
const maxWaiting = 32;

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
  /** Makes a connection write, now or at the end of the turn. A connection may be added more than once. */
  add(writer: BatchedWriter): void {
    const nowMs = performance.now();
    const isWithinWindow = nowMs - this.#lastMs < batchWindowMs;
    this.#lastMs = nowMs;
    this.#waiting.push(writer);
    if (!isWithinWindow || this.#waiting.length >= maxWaiting) this.#flush();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(this.#flushLater);
  }

  /** Called when more responses will be ready in this turn: they are written after `release`. */
  hold(): void {
    this.#willFlush = true;
  }

  /** Called when no more responses are expected in this turn: the collected ones are written after the microtasks. */
  release(): void {
    afterMicrotasks(this.#flushLater);
  }

  /** Makes all waiting connections write now. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    let written = 0;
    try {
      while (written < waiting.length) waiting[written++]!.settle();
    } finally {
      // If a listener throws, the other connections still write.
      if (written < waiting.length) {
        this.#waiting = [...waiting.slice(written), ...this.#waiting];
        this.#schedule();
      }
    }
  }
}
