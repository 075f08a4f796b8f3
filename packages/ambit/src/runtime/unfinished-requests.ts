/** Cuts off requests and connections that have not ended at the deadline of `close`, and logs them. */

import { nodeOf } from '../context/definitions.ts';
import { ClosedAtDeadline } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Logger } from '../types/logger.ts';
import type { Unfinished } from '../types/options.ts';
import { requestIdText } from './exchange.ts';
import { stopWork } from './request-monitor.ts';
import { cutOff } from './run-steps.ts';

/** The source of the unfinished requests: the transport. */
interface UnfinishedSource {
  unfinished(): Unfinished[];
  destroyAll(): void;
}

export class UnfinishedRequests {
  readonly #source: UnfinishedSource;
  readonly #log: Logger;
  /** When requests were first seen here: for requests whose start time is unknown. */
  readonly #seenMs = new WeakMap<Exchange, number>();

  constructor(source: UnfinishedSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** Records when each running request was first seen. */
  recordSeenTimes(): void {
    for (const { exchange } of this.#source.unfinished())
      if (exchange !== undefined && !this.#seenMs.has(exchange))
        this.#seenMs.set(exchange, performance.now());
  }

  /**
   * Aborts the signal of each request, and destroys the requests and connections that do not end in the same turn.
   *
   * @returns The number of requests and upgraded connections.
   */
  async cutOff(): Promise<number> {
    this.recordSeenTimes();
    const unfinished = this.#source.unfinished();
    for (const item of unfinished) this.#report(item);
    for (const { exchange } of unfinished)
      if (exchange !== undefined && hasPlan(exchange)) stopWork(exchange, new ClosedAtDeadline());
    // A handler that waits for its signal may still reply.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { exchange } of unfinished)
      if (exchange !== undefined && !exchange.isEnded) cutOff(exchange, undefined);
    this.#source.destroyAll();
    return unfinished.length;
  }

  #report({ exchange, openedMs }: Unfinished): void {
    if (exchange === undefined || !hasPlan(exchange)) {
      const text = 'a connection was cut off: it had not ended at the deadline of close';
      this.#log.warn({ ageMs: ageOf(openedMs) }, text);
      return;
    }
    const { plan, id, method, originalUrl, monitor } = exchange;
    const details = {
      reqId: requestIdText(id),
      route: `${method} ${plan.info.url ?? originalUrl}`,
      ageMs: ageOf(monitor?.startedAtMs || this.#seenMs.get(exchange)!),
      context: nodeOf(plan.context).path,
    };
    this.#log.warn(details, 'a request was cut off: it had not ended at the deadline of close');
  }
}

/** Boot may have failed, or may not have ended. */
function hasPlan({ plan }: Exchange): boolean {
  return (plan as Exchange['plan'] | undefined) !== undefined;
}

function ageOf(sinceMs: number): number {
  return Math.round(performance.now() - sinceMs);
}
