/**
 * Decides when a connection must wait before it serves its next request: until the client reads, or until earlier requests have their
 * responses.
 */
import type { Socket } from 'node:net';
import type { RequestQueue } from './request-queue.ts';

/** The number of requests of one connection that are served at the same time. Further requests are not read yet. */
const maxConcurrent = 64;

export class Backpressure {
  isBlocked = false;
  /** Reading continues when fewer requests than this are being served. */
  #resumesBelow = maxConcurrent;
  readonly #socket: Socket;
  readonly #queue: RequestQueue;

  constructor(socket: Socket, queue: RequestQueue) {
    this.#socket = socket;
    this.#queue = queue;
  }

  // HOT: once per request.
  /** @returns Whether the next request has to wait. */
  blocksNext(): boolean {
    this.#resumesBelow = maxConcurrent;
    this.isBlocked = this.#socket.writableNeedDrain || this.#queue.count >= maxConcurrent;
    return this.isBlocked;
  }

  /** @returns Whether earlier requests must get their responses first. */
  blocksUntilAnswered(): boolean {
    this.#resumesBelow = 1;
    this.isBlocked = this.#queue.first !== undefined;
    return this.isBlocked;
  }

  // HOT: once per read.
  /** Ends the wait, if its reason is over. */
  update(): void {
    this.isBlocked &&= this.#socket.writableNeedDrain || this.#queue.count >= this.#resumesBelow;
  }
}
