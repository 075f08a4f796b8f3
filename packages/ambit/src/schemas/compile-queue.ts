/** Owns when code is generated for schemas that boot has checked: with boot, with the first use, or in between. */

import type { CompileTime } from '../contract/compiler.ts';

export class CompileQueue {
  readonly #time: CompileTime;
  #waiting: (() => void)[] = [];

  constructor(time: CompileTime) {
    this.#time = time;
  }

  get isEager(): boolean {
    return this.#time === 'boot';
  }

  /** Remembers what could be compiled ahead of its first use. */
  add(compile: () => void): void {
    if (this.#time === 'background') this.#waiting.push(compile);
  }

  /**
   * Compiles what waits, one piece a turn of the event loop: requests are served in between.
   *
   * @param onFailure Told what could not be compiled: nobody waits for it, and whoever uses it will be told as well.
   */
  start(onFailure: (error: unknown) => void): void {
    const next = (): void => {
      const compile = this.#waiting.pop();
      if (compile === undefined) return;
      try {
        compile();
      } catch (error) {
        onFailure(error);
      }
      setImmediate(next).unref();
    };
    this.#waiting.reverse();
    setImmediate(next).unref();
  }

  /** Lets go of what waits. */
  stop(): void {
    this.#waiting = [];
  }
}
