/** Tracks what a connection waits for, and since when. */
import type { Clock } from './clock.ts';
import type { ServerLimits } from './server-limits.ts';

/** What the connection waits for. With `answer`, it waits for the application, not for the client. */
export type Phase = 'head' | 'body' | 'answer' | 'idle';

export class PhaseTimer {
  phase: Phase = 'head';
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  // HOT: once per read.
  /** @returns Whether the phase has changed. */
  enter(phase: Phase, nowMs: number): boolean {
    if (phase === this.phase) {
      // If a request arrived and got its response within one read, the idle time starts again.
      if (phase === 'idle') this.#sinceMs = nowMs;
      return false;
    }
    // A body belongs to a request that began earlier.
    if (phase !== 'body') this.#sinceMs = nowMs;
    this.phase = phase;
    return true;
  }

  /** Returns what took too long. */
  findExpired(clock: Clock, limits: ServerLimits): 'request' | 'idle' | undefined {
    const { phase } = this;
    if (phase === 'idle') return clock.hasPassed(limits.idleTimeoutMs, this.#sinceMs) ? 'idle' : undefined;
    const isExpired =
      (phase === 'head' && clock.hasPassed(limits.headersTimeoutMs, this.#sinceMs)) ||
      (phase !== 'answer' && clock.hasPassed(limits.requestTimeoutMs, this.#sinceMs));
    return isExpired ? 'request' : undefined;
  }
}
