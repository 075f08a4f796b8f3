/** The overload protection of one route: it admits requests with the priority of the route, and knows their usual duration. */
import { earlyError } from '../../shared/early-error.ts';
import { Overloaded } from '../../types/errors.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { Admission, Priority } from '../../types/feature-options.ts';
import { requestIdText, setStatus } from '../exchange.ts';
import { addRelease, monitorOf } from '../request-monitor.ts';
import type { AdmissionController } from './admission-controller.ts';
import { RouteBaseline } from './concurrency-limiter.ts';

/** The part of the limit that a priority may use. */
const shares: Readonly<Record<Priority, number>> = {
  low: 0.5,
  normal: 1,
  high: 1.5,
  critical: Number.POSITIVE_INFINITY,
};

export class RouteAdmission implements Admission<Exchange> {
  readonly #controller: AdmissionController;
  readonly #share: number;
  readonly #baseline = new RouteBaseline();

  constructor(controller: AdmissionController, priority: Priority) {
    this.#controller = controller;
    this.#share = shares[priority];
  }

  admit(x: Exchange): boolean {
    // Calls of `inject` and `fetch` in one turn run one after the other, so none of them has waited.
    const hasSocket = x.rawSocket?.bytesRead !== undefined;
    const ticket = this.#controller.enter(this.#share, hasSocket);
    if (ticket === undefined) {
      refuse(x, this.#controller.retryAfter);
      return false;
    }
    monitorOf(x).ticket = ticket;
    // For requests without a written reply: the client left, the reply was hijacked, or it could not be created.
    const leave = (): void => this.#controller.leave(ticket, undefined);
    const stopListening = x.onClientGone(leave);
    addRelease(x, () => {
      stopListening();
      leave();
    });
    return true;
  }

  pause(x: Exchange): void {
    this.#controller.pause(x.monitor!.ticket!);
  }

  resume(x: Exchange): void {
    this.#controller.resume(x.monitor!.ticket!);
  }

  leave(x: Exchange): void {
    const { ticket } = x.monitor!;
    // A refused request has no ticket.
    if (ticket !== undefined) this.#controller.leave(ticket, this.#baseline);
  }
}

/** Replies without hooks and error handlers, because an overloaded application has no time for them. */
function refuse(x: Exchange, retryAfter: string): void {
  const { fields, body } = earlyError(x.plan.errorFormat, {
    status: 503,
    message: 'The server is overloaded',
    code: Overloaded.code,
    requestId: requestIdText(x.id),
  });
  setStatus(x, 503);
  // The client may still send its body, which is not read.
  if (x.hasBody !== false) x.closeAfterResponse();
  // RFC 9110, 10.2.3.
  x.respond(503, { ...fields, 'retry-after': retryAfter }, body);
}
