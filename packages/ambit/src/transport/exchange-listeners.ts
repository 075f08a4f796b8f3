/** Who wants to know what becomes of an exchange whose transport emits no events of its own. Made when the first listener comes. */

export class ExchangeListeners {
  readonly #drained: (() => void)[] = [];
  #ended: ((error?: Error) => void)[] = [];
  readonly #closed: ((error?: Error) => void)[] = [];
  readonly #left = new Set<() => void>();

  addDrained(listener: () => void): void {
    this.#drained.push(listener);
  }

  /** @param isOver Whether the response has ended already: the listener is then told in the next turn. */
  addEnded(listener: (error?: Error) => void, isOver: boolean): void {
    this.#ended.push(listener);
    if (isOver) this.tellEnded();
  }

  addClosed(listener: (error?: Error) => void): void {
    this.#closed.push(listener);
  }

  /** @returns A function that removes the listener. */
  addLeft(listener: () => void): () => void {
    this.#left.add(listener);
    return () => this.#left.delete(listener);
  }

  tellDrained(): void {
    for (const listener of this.#drained) listener();
  }

  /** In the next turn, and each listener once. */
  tellEnded(): void {
    queueMicrotask(() => {
      const listeners = this.#ended;
      this.#ended = [];
      for (const listener of listeners) listener();
    });
  }

  tellClosed(error: Error): void {
    for (const listener of this.#closed) listener(error);
  }

  tellLeft(): void {
    for (const listener of this.#left) listener();
  }
}
