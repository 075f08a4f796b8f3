/** Owns the running exchanges that came over no connection of the application's servers: by `inject` and by `fetch`. */
import type { Exchange } from '../contract/exchange.ts';

export class UnconnectedExchanges {
  readonly #running = new Set<Exchange>();
  readonly #onEmpty: (() => void)[] = [];

  get running(): readonly Exchange[] {
    return [...this.#running];
  }

  add(x: Exchange): void {
    this.#running.add(x);
  }

  delete(x: Exchange): void {
    this.#running.delete(x);
    if (this.#running.size > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /** Resolves when none is running. */
  async empty(): Promise<void> {
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
