/** Owns the order of the requests of a connection whose responses have not been written. */
import type { LaneExchange } from '../exchange/lane-exchange.ts';

export class RequestQueue {
  first: LaneExchange | undefined = undefined;
  last: LaneExchange | undefined = undefined;
  count = 0;

  // HOT: once per request.
  add(exchange: LaneExchange): void {
    if (this.last === undefined) this.first = exchange;
    else this.last.next = exchange;
    this.last = exchange;
    this.count++;
  }

  // HOT: once per request.
  /** @returns The exchange whose turn it is now. */
  removeFirst(): LaneExchange | undefined {
    const next = this.first?.next;
    this.first = next;
    if (next === undefined) this.last = undefined;
    this.count--;
    return next;
  }

  /** Empties the queue, and tells each exchange that the client has closed the connection. */
  close(): void {
    let exchange = this.first;
    this.first = undefined;
    this.last = undefined;
    this.count = 0;
    for (; exchange !== undefined; exchange = exchange.next) if (!exchange.isDestroyed) exchange.onClosed();
  }
}
