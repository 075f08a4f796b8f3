/** Tracks the running exchanges that did not come over a connection of the application's servers, but through `inject` and `fetch`. */
import type { Exchange } from '../contract/exchange.ts';

/** An entry of the list. */
export interface RunningExchange {
  readonly exchange: Exchange | undefined;
  /** `undefined` after the entry was removed. */
  previous: RunningExchange | undefined;
  next: RunningExchange | undefined;
}

function ignore(): void {}

/**
 * A circular linked list. With a `Set`, each request on Bun took 0.75 µs more (benchmark `get`), because the table of a set outlives many
 * requests, and keeps them from being collected early.
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
  /** @returns The entry to pass to `delete`. */
  add(exchange: Exchange): RunningExchange {
    const last = this.#root.previous!;
    const entry: RunningExchange = { exchange, previous: last, next: this.#root };
    last.next = entry;
    this.#root.previous = entry;
    return entry;
  }

  // HOT: once per request.
  /** Removes an entry. A second call has no effect. */
  delete(entry: RunningExchange): void {
    const { previous, next } = entry;
    if (previous === undefined || next === undefined) return;
    previous.next = next;
    next.previous = previous;
    // Code that still has this entry must not keep other exchanges in memory.
    entry.previous = undefined;
    entry.next = undefined;
    if (this.#onEmpty.length > 0 && this.#isEmpty) for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /**
   * Ends exchanges whose client has left or leaves from now on, because nobody gets their responses. Without this call, they end with their
   * handlers, because to watch clients costs time.
   */
  watchClients(): void {
    for (const exchange of this.running) exchange.onClientGone(ignore);
  }

  /** Resolves when no exchange is running. */
  async whenEmpty(): Promise<void> {
    if (!this.#isEmpty) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  get #isEmpty(): boolean {
    return this.#root.next === this.#root;
  }
}
