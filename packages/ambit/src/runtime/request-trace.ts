/** What a request publishes of itself: it is the message of the channels of requests, and runs the steps that it publishes. */
import type { Exchange } from '../contract/exchange.ts';
import type { RunningStep } from '../contract/inspected-steps.ts';
import type { Reply } from '../contract/reply.ts';
import type { Request } from '../contract/request.ts';
import type { RequestTrace, StepRunner, StepTrace } from '../contract/tracing.ts';
import { requestChannel, stepChannel } from './request-channels.ts';
import { Call, runInside } from './run-inside.ts';

export class Trace implements RequestTrace {
  readonly request: Request;
  readonly reply: Reply;
  readonly route: string | undefined;
  error: unknown = undefined;
  state: RequestTrace['state'] = 'running';
  readonly #exchange: Exchange;
  #runner: StepRunner | undefined;
  /** The step that runs at the moment. */
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
        : (step, run) => outer(step, () => void runInside(runner, step, new Call(run)));
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
  /** Runs a step; the one before it is over. */
  runStep<Result>(step: RunningStep, run: () => Result): Result {
    const { start, asyncEnd } = stepChannel;
    if (this.#step === undefined && !start.hasSubscribers && !asyncEnd.hasSubscribers)
      return this.#runInside(step, run);
    this.#endStep();
    const message: StepTrace = { trace: this, request: this.request, reply: this.reply, step };
    this.#step = message;
    return start.runStores(message, () => this.#runInside(step, run));
  }

  #runInside<Result>(step: RunningStep, run: () => Result): Result {
    return this.#runner === undefined ? run() : runInside(this.#runner, step, new Call(run));
  }

  /** Ends a step that nothing follows: a hook that observes. */
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
