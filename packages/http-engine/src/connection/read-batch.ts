/**
 * Lets connections serve what was read only after all sockets of a turn of the event loop have been read. To read all, then serve all,
 * then write all takes less time than to do all three for one connection after the other (8 % of the CPU time of benchmark `get`).
 */
import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { afterMicrotasks } from './after-microtasks.ts';
import type { WriteBatch } from './write-batch.ts';

/** A connection that serves its requests when its turn comes. */
export interface BatchedReader {
  serveRead(): void;
}

/** The time is measured after this many connections. To measure it after each one costs 2 % of the CPU time of benchmark `get`. */
const groupSize = 4;
/** After a group that took longer, responses are written before the next group is served. */
const slowMs = 0.1;

export class ReadBatch {
  readonly #writes: WriteBatch;
  #waiting: BatchedReader[] = [];
  #servedCount = 0;
  // Requests must not run in the async context of the connection that was read first.
  readonly #serve: () => void = AsyncResource.bind(() => this.#serveWaiting());

  constructor(writes: WriteBatch) {
    this.#writes = writes;
  }

  // HOT: once per read.
  /** Makes a connection serve what was read, later in this turn. */
  add(reader: BatchedReader): void {
    if (this.#waiting.push(reader) > 1) return;
    this.#writes.hold();
    setImmediate(this.#serve);
  }

  #serveWaiting(): void {
    let isFast = true;
    try {
      while (isFast && this.#servedCount < this.#waiting.length) isFast = this.#serveGroup();
    } finally {
      this.#continue();
    }
  }

  /** @returns Whether the group was fast. */
  #serveGroup(): boolean {
    const end = Math.min(this.#servedCount + groupSize, this.#waiting.length);
    const startMs = performance.now();
    while (this.#servedCount < end) this.#waiting[this.#servedCount++]!.serveRead();
    return performance.now() - startMs < slowMs;
  }

  /**
   * If handlers are slow, or one throws, the remaining connections are served later in the same turn: after the promises of earlier
   * handlers have settled, and the responses that are ready were written.
   */
  #continue(): void {
    // The next step is scheduled first, because a listener that throws while responses are written must not stop the other connections.
    if (this.#servedCount < this.#waiting.length) afterMicrotasks(this.#serve);
    else {
      this.#waiting = [];
      this.#servedCount = 0;
      this.#writes.release();
    }
    // Responses that are ready do not wait for the microtasks of other connections.
    this.#writes.flush();
  }
}
