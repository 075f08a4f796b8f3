/** Owns what a connection waits for, and since when. */
import type { Clock } from './clock.ts';
import type { ServerLimits } from './server-limits.ts';

/** What the client is waited for. `answer`: nothing, the application has its turn. */
export type Phase = 'head' | 'body' | 'answer' | 'idle';

export class Waiting {
  phase: Phase = 'head';
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  // HOT: once per read.
  /** @returns Whether the phase is another one than before. */
  enter(phase: Phase, nowMs: number): boolean {
    if (phase === this.phase) {
      // Whoever has asked and been answered within one read waits anew.
      if (phase === 'idle') this.#sinceMs = nowMs;
      return false;
    }
    // A body is a part of a request that began earlier.
    if (phase !== 'body') this.#sinceMs = nowMs;
    this.phase = phase;
    return true;
  }

  /** What has taken too long. */
  findExpired(clock: Clock, limits: ServerLimits): 'request' | 'idle' | undefined {
    const { phase } = this;
    if (phase === 'idle') return clock.hasPassed(limits.idleTimeoutMs, this.#sinceMs) ? 'idle' : undefined;
    const isExpired =
      (phase === 'head' && clock.hasPassed(limits.headersTimeoutMs, this.#sinceMs)) ||
      (phase !== 'answer' && clock.hasPassed(limits.requestTimeoutMs, this.#sinceMs));
    return isExpired ? 'request' : undefined;
  }
}
