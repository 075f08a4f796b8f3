/** Tracks the running exchanges that did not come over a connection of the application's servers, but through `inject` and `fetch`. */

import type { Exchange } from '../types/exchange.ts';

function ignore(): void {}

export class UnconnectedExchanges {
  readonly #running = new Set<Exchange>();
  readonly #onEmpty: (() => void)[] = [];
  readonly #watched = new WeakSet<Exchange>();

  get running(): readonly Exchange[] {
    return [...this.#running];
  }

  // HOT: once per request.
  add(exchange: Exchange): void {
    this.#running.add(exchange);
  }

  // HOT: once per request.
  delete(exchange: Exchange): void {
    this.#running.delete(exchange);
    if (this.#onEmpty.length > 0 && this.#running.size === 0)
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
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
