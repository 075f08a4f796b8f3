/** Runs a step inside a function of a tool. */
import type { RunningStep } from '../contract/inspected-steps.ts';
import type { StepRunner } from '../contract/tracing.ts';

/** One call of a step, which a tool may make twice, or not at all. */
export class Call<Result> {
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

  /** What the step has returned. Throws what it has thrown. */
  result(): Result {
    this.once();
    if (this.#hasThrown) throw this.#outcome;
    return this.#outcome as Result;
  }
}

/** Runs a step in a runner that belongs to a tool: whatever the tool does, the step runs once, and throws only what is its own. */
export function runInside<Result>(runner: StepRunner, step: RunningStep, call: Call<Result>): Result {
  try {
    runner(step, call.once);
  } catch {}
  return call.result();
}
