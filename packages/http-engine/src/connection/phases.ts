/** Tells what a connection waits for, and ends it when that takes too long. */
import { type Phase, PhaseTimer } from '../limits/timeouts.ts';
import type { ConnectionParts } from './connection-parts.ts';
import type { Ending } from './ending.ts';
import { RequestTimeout } from './failures.ts';

/**
 * The state of a connection: `silent`: nothing has arrived yet. `head`, `body`: this part of a request is arriving. `answer`: the
 * application is responding, or the client is receiving a response. `idle`: the connection is between two requests.
 */
export type ConnectionState = 'silent' | 'head' | 'body' | 'answer' | 'idle';

export class Phases {
  readonly #parts: ConnectionParts;
  readonly #ending: Ending;
  readonly #timer: PhaseTimer;

  constructor(parts: ConnectionParts, ending: Ending) {
    this.#parts = parts;
    this.#ending = ending;
    this.#timer = new PhaseTimer(parts.engine.clock.nowMs);
  }

  // HOT: once per read.
  update(): void {
    const { engine, socket } = this.#parts;
    if (this.#timer.enter(this.#find(), engine.clock.nowMs))
      engine.onPhase(socket, this.#timer.phase === 'idle');
  }

  #find(): Phase {
    const { queue, input } = this.#parts;
    if (queue.receiving !== undefined) return 'body';
    if (queue.first !== undefined) return 'answer';
    return input.bytes.length > 0 || queue.total === 0 ? 'head' : 'idle';
  }

  /** Whether the rest of a head must still arrive. */
  get isInHead(): boolean {
    return this.#timer.phase === 'head' && this.#parts.input.bytes.length > 0;
  }

  /** Whether the connection is between two requests, or before the first. */
  get isIdle(): boolean {
    const { queue, input } = this.#parts;
    return this.#timer.phase === 'idle' && queue.first === undefined && !input.isServeScheduled;
  }

  get state(): ConnectionState {
    const { queue, input, socket } = this.#parts;
    if (queue.receiving !== undefined) return 'body';
    if (queue.first !== undefined || this.#isWriting) return 'answer';
    if (queue.total === 0) return socket.bytesRead === 0 ? 'silent' : 'head';
    return input.isServed ? 'idle' : 'head';
  }

  /** Ends the connection if it is between two requests, and the client has got every response. */
  closeIfIdle(): void {
    if (this.isIdle && !this.#isWriting) this.#parts.socket.destroy();
  }

  /** Ends the connection if one of its time limits is over. */
  checkLimits(): void {
    const { engine, input } = this.#parts;
    if (input.isServeScheduled) return;
    const expired = this.#timer.findExpired(engine.clock, engine.limits);
    if (expired === 'idle') this.#endIdle();
    // When the server began to close, the connection may have been writing.
    else if (engine.isClosing) this.closeIfIdle();
    if (expired === 'request') this.#ending.fail(new RequestTimeout());
  }

  /** Ends an idle connection whose time is over. A client that is still receiving a response is not idle. */
  #endIdle(): void {
    const { engine, socket } = this.#parts;
    if (!this.#isWriting) socket.destroy();
    else this.#timer.enter('idle', engine.clock.nowMs);
  }

  /** Whether the client has not got every response yet. */
  get #isWriting(): boolean {
    const { output, socket } = this.#parts;
    return !output.isEmpty || socket.writableLength > 0;
  }
}
