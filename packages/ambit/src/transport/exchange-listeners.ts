/** The listeners of an exchange whose transport emits no events. Created for the first listener. */

export class ExchangeListeners {
  readonly #drained: (() => void)[] = [];
  #ended: ((error?: Error) => void)[] = [];
  readonly #closed: ((error?: Error) => void)[] = [];
  readonly #clientGone = new Set<() => void>();

  addDrained(listener: () => void): void {
    this.#drained.push(listener);
  }

  /** @param isEnded Whether the response has ended already: the listener is then called in a microtask. */
  addEnded(listener: (error?: Error) => void, isEnded: boolean): void {
    this.#ended.push(listener);
    if (isEnded) this.emitEnded();
  }

  addClosed(listener: (error?: Error) => void): void {
    this.#closed.push(listener);
  }

  /** @returns A function that removes the listener. */
  addClientGone(listener: () => void): () => void {
    this.#clientGone.add(listener);
    return () => this.#clientGone.delete(listener);
  }

  emitDrained(): void {
    for (const listener of this.#drained) listener();
  }

  /** Calls each listener once, in a microtask. */
  emitEnded(): void {
    queueMicrotask(() => {
      const listeners = this.#ended;
      this.#ended = [];
      for (const listener of listeners) listener();
    });
  }

  emitClosed(error: Error): void {
    for (const listener of this.#closed) listener(error);
  }

  emitClientGone(): void {
    for (const listener of this.#clientGone) listener();
  }
}
