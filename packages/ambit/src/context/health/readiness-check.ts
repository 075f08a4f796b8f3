/** One readiness check: it runs with a time limit, once for all who ask at the same time, and its result is used again for a while. */

/** What the last run of a check has shown. */
export type CheckStatus = 'passed' | 'failed' | 'timed-out';

export interface CheckResult {
  readonly status: CheckStatus;
  /** Why it did not pass. It is for the log: its text may hold addresses and passwords. */
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
  /** The run that is under way. */
  #running: Promise<CheckResult> | undefined;
  #last: CheckResult | undefined;
  #lastAtMs = 0;

  constructor(settings: ReadinessCheckSettings) {
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.name;
  }

  /**
   * The result of the run that is under way, of the last one if it is recent, or of a new one. Never rejects.
   *
   * @param onChange Is told of the first result, unless it is a pass, and of each result whose status is another than the one before.
   */
  ask(onChange: (result: CheckResult) => void): Promise<CheckResult> {
    if (this.#running !== undefined) return this.#running;
    const { cacheMs } = this.#settings;
    if (this.#last !== undefined && performance.now() - this.#lastAtMs < cacheMs)
      return Promise.resolve(this.#last);
    this.#running = this.#run().then((result) => {
      const before = (this.#last ?? passed).status;
      this.#running = undefined;
      this.#last = result;
      this.#lastAtMs = performance.now();
      if (result.status !== before) onChange(result);
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
      new Promise((started) => started(run(aborter.signal))).then(
        (value) => settle(value === false ? failed(new Error('the check returned false')) : passed),
        (error) => settle(failed(error)),
      );
    });
  }
}

function failed(error: unknown): CheckResult {
  return { status: 'failed', error };
}
