/** Runs a step inside the runner of a tool. */
import type { RunningStep, StepRunner } from '../types/inspection.ts';

/** Makes sure that a step runs exactly once, although a tool may call it twice or not at all. */
export class StepCall<Result> {
  readonly #run: () => Result;
  #hasRun = false;
  #hasThrown = false;
  #outcome: unknown = undefined;

  constructor(run: () => Result) {
    this.#run = run;
  }

  readonly once = (): void => {
    if (this.#hasRun) return;
    this.#hasRun = true;
    try {
      this.#outcome = this.#run();
    } catch (error) {
      this.#hasThrown = true;
      this.#outcome = error;
    }
  };

  /** Returns the result of the step, or throws its error. Runs the step if the tool has not. */
  result(): Result {
    this.once();
    if (this.#hasThrown) throw this.#outcome;
    return this.#outcome as Result;
  }
}

/** Runs a step in the runner of a tool. Whatever the tool does, the step runs once, and only errors of the step are thrown. */
export function runInRunner<Result>(runner: StepRunner, step: RunningStep, call: StepCall<Result>): Result {
  try {
    runner(step, call.once);
  } catch {}
  return call.result();
}
