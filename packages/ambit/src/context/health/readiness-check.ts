/** One readiness check. It runs with a time limit. Simultaneous calls share one run, and its result is cached for a while. */

/** The outcome of a run. */
export type CheckStatus = 'passed' | 'failed' | 'timed-out';

export interface CheckResult {
  readonly status: CheckStatus;
  /** Why it did not pass. It is only for the log, because its text may contain addresses and passwords. */
  readonly error: unknown;
}

export interface ReadinessCheckSettings {
  readonly name: string;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  run(signal: AbortSignal): unknown;
}

const passed: CheckResult = { status: 'passed', error: undefined };

export class ReadinessCheck {
  readonly #settings: ReadinessCheckSettings;
  /** The current run; `undefined` if none is running. */
  #running: Promise<CheckResult> | undefined;
  #lastResult: CheckResult | undefined;
  #lastResultAtMs = 0;

  constructor(settings: ReadinessCheckSettings) {
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.name;
  }

  /**
   * Returns the result of the current run, of the last run if it is recent, or of a new run. Never rejects.
   *
   * @param onChange Called with the first result if it is not `passed`, and with each later result whose status differs from the one
   *   before.
   */
  getResult(onChange: (result: CheckResult) => void): Promise<CheckResult> {
    if (this.#running !== undefined) return this.#running;
    const { cacheMs } = this.#settings;
    if (this.#lastResult !== undefined && performance.now() - this.#lastResultAtMs < cacheMs)
      return Promise.resolve(this.#lastResult);
    this.#running = this.#run().then((result) => {
      const previousStatus = (this.#lastResult ?? passed).status;
      this.#running = undefined;
      this.#lastResult = result;
      this.#lastResultAtMs = performance.now();
      if (result.status !== previousStatus) onChange(result);
      return result;
    });
    return this.#running;
  }

  #run(): Promise<CheckResult> {
    const { timeoutMs, run } = this.#settings;
    return new Promise((resolve) => {
      const aborter = new AbortController();
      const timer = setTimeout(() => {
        const error = new Error(`the check has not ended within ${timeoutMs} ms`);
        resolve({ status: 'timed-out', error });
        aborter.abort(error);
      }, timeoutMs);
      const settle = (result: CheckResult): void => {
        clearTimeout(timer);
        resolve(result);
      };
      new Promise((resolveRun) => resolveRun(run(aborter.signal))).then(
        (value) => settle(value === false ? failed(new Error('the check returned false')) : passed),
        (error) => settle(failed(error)),
      );
    });
  }
}

function failed(error: unknown): CheckResult {
  return { status: 'failed', error };
}
