/** Owns when code is generated for schemas that boot has checked. */
import type { CompileTime } from '../contract/compiler-options.ts';

/** Decides when code is generated for schemas that boot has checked: during boot, at the first use, or in between. */
export class CompileQueue {
  readonly #time: CompileTime;
  #waiting: (() => void)[] = [];

  constructor(time: CompileTime) {
    this.#time = time;
  }

  get isEager(): boolean {
    return this.#time === 'boot';
  }

  add(generate: () => void): void {
    if (this.isEager) generate();
    else if (this.#time === 'background') this.#waiting.push(generate);
  }

  /**
   * Compiles what waits, one schema per turn of the event loop, so that requests are served in between.
   *
   * @param onFailure Gets what a schema threw; its first use throws it again.
   */
  start(onFailure: (error: unknown) => void): void {
    const next = (): void => {
      const generate = this.#waiting.pop();
      if (generate === undefined) return;
      try {
        generate();
      } catch (error) {
        onFailure(error);
      }
      // Keeps the process alive until all is compiled: otherwise an idle event loop would sleep, with schemas still waiting.
      setImmediate(next);
    };
    this.#waiting.reverse();
    setImmediate(next);
  }

  /** Drops what waits. */
  stop(): void {
    this.#waiting = [];
  }
}
