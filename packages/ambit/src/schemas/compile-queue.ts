/** Generates code for schemas that boot has checked, at the time that the application has chosen. */
import type { CompileTime } from '../types/compilers.ts';

/** Decides when code is generated: during boot, at the first use, or in the background after boot. */
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
   * Compiles the waiting schemas, one per turn of the event loop, so that requests are served in between.
   *
   * @param onFailure Called with the error of a schema. The first use of the schema throws it again.
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
      // `setImmediate` keeps the process alive until all schemas are compiled: an idle event loop would sleep while schemas still wait.
      setImmediate(next);
    };
    this.#waiting.reverse();
    setImmediate(next);
  }

  /** Drops the waiting schemas: their first use compiles them. */
  stop(): void {
    this.#waiting = [];
  }
}
