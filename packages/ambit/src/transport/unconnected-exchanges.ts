/** Owns the running exchanges that came over no connection of the application's servers: by `inject` and by `fetch`. */
import type { Exchange } from '../contract/exchange.ts';

/** The place of an exchange in the list. */
export interface RunningExchange {
  readonly exchange: Exchange | undefined;
  /** `undefined` once the exchange has left the list. */
  previous: RunningExchange | undefined;
  next: RunningExchange | undefined;
}

function ignore(): void {}

/**
 * A linked list in a ring. With a `Set`, each request on Bun took 0.75 µs more (benchmark `get`): its table outlives many requests, and
 * keeps them from being collected early.
 */
export class UnconnectedExchanges {
  readonly #root: RunningExchange = { exchange: undefined, previous: undefined, next: undefined };
  readonly #onEmpty: (() => void)[] = [];

  constructor() {
    this.#root.previous = this.#root;
    this.#root.next = this.#root;
  }

  get running(): readonly Exchange[] {
    const exchanges: Exchange[] = [];
    for (let at = this.#root.next!; at.exchange !== undefined; at = at.next!) exchanges.push(at.exchange);
    return exchanges;
  }

  // HOT: once per request.
  /** @returns What `delete` takes. */
  add(exchange: Exchange): RunningExchange {
    const last = this.#root.previous!;
    const place: RunningExchange = { exchange, previous: last, next: this.#root };
    last.next = place;
    this.#root.previous = place;
    return place;
  }

  // HOT: once per request.
  /** May be called again. */
  delete(place: RunningExchange): void {
    const { previous, next } = place;
    if (previous === undefined || next === undefined) return;
    previous.next = next;
    next.previous = previous;
    // A place that is still known keeps no other exchange in memory.
    place.previous = undefined;
    place.next = undefined;
    if (this.#onEmpty.length > 0 && this.#isEmpty) for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /**
   * Ends those whose client has left, or leaves from now on: nobody gets their responses. Otherwise they end with their handlers, because
   * watching a client costs time.
   */
  watchClients(): void {
    for (const exchange of this.running) exchange.onClientGone(ignore);
  }

  /** Resolves when none is running. */
  async empty(): Promise<void> {
    if (!this.#isEmpty) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  get #isEmpty(): boolean {
    return this.#root.next === this.#root;
  }
}
