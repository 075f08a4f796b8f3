/**
 * Owns when connections serve what was read: when all sockets of a turn of the event loop have been read. Reading all, then serving all,
 * then writing all takes less time than all three for one connection after the other (8 % of the CPU time of benchmark `get`).
 */
import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { afterMicrotasks } from './after-microtasks.ts';
import type { WriteBatch } from './write-batch.ts';

/** What a connection does when it is its turn to serve. */
export interface BatchedReader {
  serveRead(): void;
}

/** After this many, the time that they took is looked at. To look after each one costs 2 % of the CPU time of benchmark `get`. */
const groupSize = 4;
/** After a group that took longer, responses leave before the next one is served. */
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
  /** Has a connection serve what was read, later in this turn. */
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
      this.#goOn();
    }
  }

  /** @returns Whether it took little time. */
  #serveGroup(): boolean {
    const end = Math.min(this.#servedCount + groupSize, this.#waiting.length);
    const startMs = performance.now();
    while (this.#servedCount < end) this.#waiting[this.#servedCount++]!.serveRead();
    return performance.now() - startMs < slowMs;
  }

  /**
   * If handlers are slow, or one throws, the others are served later in the same turn: when promises of those before have settled, and what
   * is ready was written.
   */
  #goOn(): void {
    // What comes next is arranged first: a listener that throws while responses are written must not stop the others.
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
