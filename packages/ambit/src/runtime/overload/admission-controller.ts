/**
 * The overload protection of one context: counts its requests by turns of the event loop, and asks the limiter.
 *
 * Requests that arrive while the event loop is busy wait in the operating system, which does not count them. The next turn reads all of
 * them. So a request counts from the beginning of its first turn to the end of its last one. Then synchronous handlers count as running at
 * the same time, too, and the duration of a request contains the time that it waited for the requests before it.
 */
import type { AdmissionTicket, OverloadSettings, OverloadState } from '../../types/feature-options.ts';
import type { RouteBaseline } from './concurrency-limiter.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type EventLoop, ProcessEventLoop } from './event-loop.ts';

/** A window ends after at least this many requests and this time, or after the longest time. */
const windowRequests = 10;
const shortestWindowMs = 100;
const longestWindowMs = 1_000;

export class AdmissionController {
  readonly retryAfter: string;
  readonly #limiter: ConcurrencyLimiter;
  readonly #loop: EventLoop;
  #turn = 0;
  /** When the turn began; 0 if it has seen no request yet. */
  #turnSinceMs = 0;
  #windowSinceMs = 0;
  /** How many requests have ended in the turn that admitted them. They count until the turn ends. */
  #endedInTurn = 0;
  #admitted = 0;
  #refused = 0;
  readonly #endTurn = (): void => this.#onTurnEnd();

  constructor(settings: OverloadSettings, loop: EventLoop = new ProcessEventLoop()) {
    this.#loop = loop;
    this.retryAfter = String(settings.retryAfterSeconds);
    this.#limiter = new ConcurrencyLimiter(settings);
  }

  get state(): OverloadState {
    const { limit, inFlight } = this.#limiter;
    return { limit, inFlight, admitted: this.#admitted, refused: this.#refused };
  }

  // HOT: once per request where overload protection is on.
  /**
   * @param share The part of the limit that the request may use; `Infinity` is never refused.
   * @param hasSocket Whether the request may have waited in the operating system.
   */
  enter(share: number, hasSocket: boolean): AdmissionTicket | undefined {
    const nowMs = this.#loop.now();
    if (this.#turnSinceMs === 0) this.#beginTurn(nowMs);
    if (share === Number.POSITIVE_INFINITY) this.#limiter.acquire();
    else if (!this.#limiter.tryAcquire(share, nowMs)) {
      this.#refused++;
      return undefined;
    }
    this.#admitted++;
    return {
      sinceMs: hasSocket ? this.#turnSinceMs : nowMs,
      pausedAtMs: 0,
      turn: hasSocket ? this.#turn : 0,
      hasLeft: false,
    };
  }

  pause(ticket: AdmissionTicket): void {
    if (ticket.hasLeft || ticket.pausedAtMs !== 0) return;
    ticket.pausedAtMs = this.#loop.now();
    this.#limiter.release();
  }

  resume(ticket: AdmissionTicket): void {
    if (ticket.hasLeft || ticket.pausedAtMs === 0) return;
    ticket.sinceMs += this.#loop.now() - ticket.pausedAtMs;
    ticket.pausedAtMs = 0;
    this.#limiter.acquire();
  }

  /** @param route `undefined` if the request was cut off, because its duration means nothing then. */
  leave(ticket: AdmissionTicket, route: RouteBaseline | undefined): void {
    if (ticket.hasLeft) return;
    ticket.hasLeft = true;
    if (ticket.pausedAtMs !== 0) return;
    if (route !== undefined) this.#limiter.record(this.#loop.now() - ticket.sinceMs, route);
    if (ticket.turn === this.#turn && this.#turnSinceMs !== 0) this.#endedInTurn++;
    else this.#limiter.release();
  }

  /** Ends measuring. */
  stop(): void {
    this.#loop.stopMeasuring();
  }

  #beginTurn(nowMs: number): void {
    this.#turnSinceMs = nowMs;
    this.#turn++;
    if (this.#windowSinceMs === 0) {
      this.#windowSinceMs = nowMs;
      // Starts with the first request, because an application without requests need not measure.
      this.#loop.startMeasuring();
    }
    this.#loop.afterTurn(this.#endTurn);
  }

  #onTurnEnd(): void {
    for (; this.#endedInTurn > 0; this.#endedInTurn--) this.#limiter.release();
    this.#turnSinceMs = 0;
    const nowMs = this.#loop.now();
    const windowMs = nowMs - this.#windowSinceMs;
    const isComplete = this.#limiter.ended >= windowRequests && windowMs >= shortestWindowMs;
    if (!isComplete && windowMs < longestWindowMs) return;
    this.#windowSinceMs = nowMs;
    this.#limiter.endWindow(this.#loop.readLoad());
  }
}
