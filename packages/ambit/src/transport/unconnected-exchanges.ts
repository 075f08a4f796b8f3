/** Tracks the running exchanges that did not come over a connection of the application's servers, but through `inject` and `fetch`. */

import { LinkedList, type ListEntry } from '../shared/linked-list.ts';
import type { Exchange } from '../types/exchange.ts';

export type RunningExchange = ListEntry<Exchange>;

function ignore(): void {}

export class UnconnectedExchanges {
  readonly #running = new LinkedList<Exchange>();
  readonly #onEmpty: (() => void)[] = [];
  readonly #watched = new WeakSet<Exchange>();

  get running(): readonly Exchange[] {
    return this.#running.entries.map(({ value }) => value);
  }

  // HOT: once per request.
  /** @returns The entry to pass to `delete`. */
  add(exchange: Exchange): RunningExchange {
    return this.#running.add(exchange);
  }

  // HOT: once per request.
  /** Removes an entry. A second call has no effect. */
  delete(entry: RunningExchange): void {
    this.#running.delete(entry);
    if (this.#onEmpty.length > 0 && this.#running.isEmpty)
      for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /**
   * Ends exchanges whose client has left or leaves from now on, because nobody gets their responses. Without this call, they end with their handlers,
   * because to watch clients costs time. Each client is watched once, however often closing calls this.
   */
  watchClients(): void {
    for (const exchange of this.running) {
      if (this.#watched.has(exchange)) continue;
      this.#watched.add(exchange);
      exchange.onClientGone(ignore);
    }
  }

  /** Resolves when no exchange is running. */
  async whenEmpty(): Promise<void> {
    if (!this.#running.isEmpty) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
