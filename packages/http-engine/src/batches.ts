/**
 * Decides when the connections of an engine serve what was read, and when they write their responses.
 *
 * To read all sockets of a turn of the event loop, then serve all requests, then write all responses takes less time than to do all three
 * for one connection after the other. And waking a client that sleeps costs more than the write itself: a client that is still handling the
 * previous response does not sleep. So responses that follow each other closely are written together, at the end of the turn.
 */
import { AsyncResource } from 'node:async_hooks';
// Imported, because the global `performance` is a getter, which each use would call.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** A connection that serves its requests when its turn comes. */
interface BatchedReader {
  serveRead(): void;
}

/** The time is measured after this many connections, because to measure it after each one costs more (benchmark `get`). */
const groupSize = 4;
/** After a group that took longer, responses are written before the next group is served. */
const slowMs = 0.1;

/** Connections that serve what was read when all sockets of this turn have been read. */
export class ReadBatch {
  readonly #writes: WriteBatch;
  #waiting: BatchedReader[] = [];
  #servedCount = 0;

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

  // Bound, because requests must not run in the async context of the connection that was read first.
  readonly #serve: () => void = AsyncResource.bind(() => {
    const waiting = this.#waiting;
    let isFast = true;
    try {
      while (isFast && this.#servedCount < waiting.length) {
        const end = Math.min(this.#servedCount + groupSize, waiting.length);
        const startMs = performance.now();
        while (this.#servedCount < end) waiting[this.#servedCount++]!.serveRead();
        isFast = performance.now() - startMs < slowMs;
      }
    } finally {
      // If handlers are slow, or one throws, the remaining connections are served later in the same turn: after the promises of earlier
      // handlers have settled. This is scheduled first, because a listener may throw while responses are written.
      if (this.#servedCount < waiting.length) queueMicrotask(() => process.nextTick(this.#serve));
      else {
        this.#waiting = [];
        this.#servedCount = 0;
        this.#writes.release();
      }
      // Responses that are ready do not wait for the microtasks of other connections.
      this.#writes.flush();
    }
  });
}

/** A connection that writes its responses when its turn comes. */
interface BatchedWriter {
  settle(): void;
}

/** A response waits for others only if another one was ready within this time before it: slow handlers must not delay responses. */
const batchWindowMs = 0.1;
/** If this many connections wait, they write at once. */
const maxWaiting = 32;

/** Connections that write their responses now, or together with others. */
export class WriteBatch {
  #waiting: BatchedWriter[] = [];
  #lastMs = 0;
  #willFlush = false;
  // The requests of a batch have different async contexts. No code of one may run in that of another.
  readonly #flush: () => void = AsyncResource.bind(this.flush, 'HTTPENGINE', this);
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

  /**
   * Called when no more responses are expected in this turn: the collected ones are written after the microtasks, also those that are added
   * meanwhile. Node runs `nextTick` callbacks when no microtask is left.
   */
  release(): void {
    queueMicrotask(() => process.nextTick(this.#flushLater));
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
