/** The message of the diagnostics channels for one request. It also runs the steps of the request, in order to publish them. */
import type { Exchange } from '../types/exchange.ts';
import type { RequestTrace, RunningStep, StepRunner, StepTrace } from '../types/inspection.ts';
import type { Reply } from '../types/reply.ts';
import type { Request } from '../types/request.ts';
import { requestChannel, stepChannel } from './request-channels.ts';
import { runInRunner, StepCall } from './run-in-runner.ts';

export class Trace implements RequestTrace {
  readonly request: Request;
  readonly reply: Reply;
  readonly route: string | undefined;
  error: unknown = undefined;
  state: RequestTrace['state'] = 'running';
  readonly #exchange: Exchange;
  #runner: StepRunner | undefined;
  /** The running step. */
  #step: StepTrace | undefined;

  constructor(x: Exchange) {
    this.#exchange = x;
    this.request = x.request;
    this.reply = x.reply;
    this.route = x.plan.info.url;
  }

  get httpVersion(): string | undefined {
    return this.#exchange.httpVersion;
  }

  get isHeadWritten(): boolean {
    return this.#exchange.isHeadWritten;
  }

  header(name: string): string | string[] | undefined {
    return this.#exchange.requestHeader(name);
  }

  runStepsIn(runner: StepRunner): void {
    const outer = this.#runner;
    this.#runner =
      outer === undefined
        ? runner
        : (step, run) => outer(step, () => void runInRunner(runner, step, new StepCall(run)));
  }

  fail(error: unknown): void {
    if (error === this.error || this.state !== 'running') return;
    this.error = error;
    requestChannel.error.publish(this);
  }

  end(isComplete: boolean): void {
    if (this.state !== 'running') return;
    this.#endStep();
    this.state = isComplete ? 'complete' : 'incomplete';
    requestChannel.asyncStart.publish(this);
    requestChannel.asyncEnd.publish(this);
  }

  // HOT: once per step of a request that is published.
  /** Runs a step, and ends the previous one. */
  runStep<Result>(step: RunningStep, run: () => Result): Result {
    const { start, asyncEnd } = stepChannel;
    if (this.#step === undefined && !start.hasSubscribers && !asyncEnd.hasSubscribers)
      return this.#runInRunner(step, run);
    this.#endStep();
    const message: StepTrace = { trace: this, request: this.request, reply: this.reply, step };
    this.#step = message;
    return start.runStores(message, () => this.#runInRunner(step, run));
  }

  #runInRunner<Result>(step: RunningStep, run: () => Result): Result {
    return this.#runner === undefined ? run() : runInRunner(this.#runner, step, new StepCall(run));
  }

  /** Ends the step of an observing hook, because no other step follows it. */
  endStepOf(step: RunningStep): void {
    if (this.#step?.step === step) this.#endStep();
  }

  #endStep(): void {
    const message = this.#step;
    if (message === undefined) return;
    this.#step = undefined;
    stepChannel.asyncEnd.publish(message);
  }
}
