/**
 * The overload protection of one context: counts its requests by turns of the event loop, and asks the limiter.
 *
 * Requests that arrive while the event loop is busy wait in the operating system, which does not count them. The next turn reads all of
 * them. So a request counts from the beginning of its first turn to the end of its last one. Then synchronous handlers count as running at
 * the same time, too, and the duration of a request contains the time that it waited for the requests before it.
 */
import { Overloaded } from '../../types/errors.ts';
import type { Exchange } from '../../types/exchange.ts';
import type {
  Admission,
  AdmissionTicket,
  OverloadSettings,
  OverloadState,
  Priority,
} from '../../types/feature-options.ts';
import { respondEarly, setStatus } from '../exchange.ts';
import { addRelease, monitorOf } from '../request-monitor.ts';
import { ConcurrencyLimiter, RouteBaseline } from './concurrency-limiter.ts';
import { type EventLoop, ProcessEventLoop } from './event-loop.ts';

/** The part of the limit that a priority may use. */
const shares: Readonly<Record<Priority, number>> = {
  low: 0.5,
  normal: 1,
  high: 1.5,
  critical: Number.POSITIVE_INFINITY,
};

/** A window ends after at least this many requests and this time, or after the longest time. */
const windowRequests = 10;
const shortestWindowMs = 100;
const longestWindowMs = 1_000;

export class AdmissionController {
  readonly #retryAfter: string;
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
    this.#retryAfter = String(settings.retryAfterSeconds);
    this.#limiter = new ConcurrencyLimiter(settings);
  }

  get state(): OverloadState {
    const { limit, inFlight } = this.#limiter;
    return { limit, inFlight, admitted: this.#admitted, refused: this.#refused };
  }

  /** Returns the steps of a route whose requests have a priority. They know the usual duration of its requests. */
  forRoute(priority: Priority): Admission<Exchange> {
    const share = shares[priority];
    const route = new RouteBaseline();
    return {
      admit: (x) => this.#admit(x, share),
      pause: (x) => this.pause(x.monitor!.ticket!),
      resume: (x) => this.resume(x.monitor!.ticket!),
      leave: ({ monitor }) => {
        // A refused request has no ticket.
        if (monitor!.ticket !== undefined) this.leave(monitor!.ticket, route);
        return true;
      },
    };
  }

  #admit(x: Exchange, share: number): boolean {
    // Calls of `inject` and `fetch` in one turn run one after the other, so none of them has waited.
    const hasSocket = x.rawSocket?.bytesRead !== undefined;
    const ticket = this.enter(share, hasSocket);
    if (ticket === undefined) {
      refuse(x, this.#retryAfter);
      return false;
    }
    monitorOf(x).ticket = ticket;
    // For requests without a written reply: the client left, the reply was hijacked, or it could not be created.
    const leave = (): void => this.leave(ticket, undefined);
    const stopListening = x.onClientGone(leave);
    addRelease(x, () => {
      stopListening();
      leave();
    });
    return true;
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

  pause(ticket: AdmissionTicket): true {
    if (!ticket.hasLeft && ticket.pausedAtMs === 0) {
      ticket.pausedAtMs = this.#loop.now();
      this.#limiter.release();
    }
    return true;
  }

  resume(ticket: AdmissionTicket): true {
    if (!ticket.hasLeft && ticket.pausedAtMs !== 0) {
      ticket.sinceMs += this.#loop.now() - ticket.pausedAtMs;
      ticket.pausedAtMs = 0;
      this.#limiter.acquire();
    }
    return true;
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

/** Replies without hooks and error handlers, because an overloaded application has no time for them. */
function refuse(x: Exchange, retryAfter: string): void {
  setStatus(x, 503);
  // The client may still send its body, which is not read.
  if (x.hasBody !== false) x.closeAfterResponse();
  // RFC 9110, 10.2.3.
  respondEarly(x, 503, 'The server is overloaded', Overloaded.code, { 'retry-after': retryAfter });
}
