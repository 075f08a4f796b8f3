/** The requests of a connection that have no response yet, in order, and the one whose body is still arriving. */
import type { EngineExchange } from '../exchange/engine-exchange.ts';
import type { Input } from './input.ts';

export class RequestQueue {
  first: EngineExchange | undefined = undefined;
  last: EngineExchange | undefined = undefined;
  count = 0;
  /** All requests of the connection, including those with responses. */
  total = 0;
  /** Whether a request said that it is the last one, or reached the server's limit. */
  isComplete = false;
  /** The request whose body has not arrived completely. */
  receiving: EngineExchange | undefined = undefined;

  // HOT: once per request.
  /** @param maxRequests After this number, the server accepts no more; 0 means no limit. */
  add(exchange: EngineExchange, maxRequests: number): void {
    if (++this.total === maxRequests) {
      exchange.isLimitReached = true;
      exchange.isLast = true;
    }
    if (exchange.isLast) this.isComplete = true;
    if (exchange.body !== undefined) this.receiving = exchange;
    if (this.last === undefined) this.first = exchange;
    else this.last.next = exchange;
    this.last = exchange;
    this.count++;
  }

  // HOT: once per request.
  /** @returns The exchange whose turn it is now. */
  removeFirst(): EngineExchange | undefined {
    const next = this.first?.next;
    this.first = next;
    if (next === undefined) this.last = undefined;
    this.count--;
    return next;
  }

  // HOT: once per read of a body.
  /** Passes the bytes that were read to the body that is still arriving. @returns Whether the body is complete. */
  receiveBody(input: Input): boolean {
    const body = this.receiving!.body!;
    input.position = body.receive(input.bytes, input.position);
    if (body.isComplete) this.receiving = undefined;
    return body.isComplete;
  }

  /** Empties the queue, and tells each exchange that the client has closed the connection. */
  close(): void {
    const { receiving } = this;
    let exchange = this.first;
    this.receiving = undefined;
    this.first = undefined;
    this.last = undefined;
    this.count = 0;
    // If it has its response already, it is no longer in the queue.
    if (receiving !== undefined && !receiving.isDestroyed) receiving.onClosed();
    for (; exchange !== undefined; exchange = exchange.next) if (!exchange.isDestroyed) exchange.onClosed();
  }
}
