/** Publishes requests and their steps on diagnostics channels. Loaded by the first request that somebody traces. */
import type { Exchange } from '../contract/exchange.ts';
import type { RunningStep, StepPath } from '../contract/inspection.ts';
import type { Plan } from '../contract/plan.ts';
import type { Reply } from '../contract/reply.ts';
import type { Request } from '../contract/request.ts';
import type { Observer, PlanSteps, Step } from '../contract/step.ts';
import type { RequestTrace, StepRunner, StepTrace } from '../contract/tracing.ts';
import { isThenable } from '../shared/thenable.ts';
import { requestChannel, stepChannel } from './request-channels.ts';
import { monitorOf } from './request-signal.ts';

/** Gives a request a plan whose steps publish themselves, and publishes its life around that. */
export function traceRequest(x: Exchange, run: (x: Exchange) => void): void {
  const trace = new Trace(x);
  x.plan = tracedPlan(x.plan);
  monitorOf(x).trace = trace;
  x.onceOver((error) => trace.end(error === undefined));
  requestChannel.start.runStores(trace, () => {
    try {
      run(x);
    } finally {
      requestChannel.end.publish(trace);
    }
  });
}

class Trace implements RequestTrace {
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

/** One call of a step, which a tool may make twice, or not at all. */
class Call<Result> {
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
function runInside<Result>(runner: StepRunner, step: RunningStep, call: Call<Result>): Result {
  try {
    runner(step, call.once);
  } catch {}
  return call.result();
}

const tracedPlans = new WeakMap<Plan, Plan>();

/** The same plan, with steps that publish themselves. */
function tracedPlan(plan: Plan): Plan {
  let traced = tracedPlans.get(plan);
  if (traced === undefined) {
    const notFound = plan.notFound && tracedPlan(plan.notFound);
    traced = Object.freeze({ ...plan, steps: traceSteps(plan.steps), notFound });
    tracedPlans.set(plan, traced);
  }
  return traced;
}

function traceSteps(steps: PlanSteps): PlanSteps {
  return Object.freeze({
    ...steps,
    request: traceAll(steps.request, 'request'),
    reply: traceAll(steps.reply, 'reply'),
    failure: traceAll(steps.failure, 'failure'),
    onResponse: observeAll(steps.onResponse, 'onResponse'),
    onTimeout: observeAll(steps.onTimeout, 'onTimeout'),
    onRequestAbort: observeAll(steps.onRequestAbort, 'onRequestAbort'),
  });
}

function traceAll(steps: readonly Step[], path: StepPath): Step[] {
  return steps.map((step, index): Step => {
    const running = describe(step, path, index);
    return { ...step, run: (x) => traceOf(x).runStep(running, () => step.run(x, step)) };
  });
}

function observeAll(observers: readonly Observer[], path: StepPath): Observer[] {
  return observers.map((observer, index): Observer => {
    const running = describe(observer, path, index);
    return {
      ...observer,
      call: (x, app, done) => {
        const trace = traceOf(x);
        const end = (): void => trace.endStepOf(running);
        const call = (): unknown =>
          observer.call(x, app, (error) => {
            end();
            done(error);
          });
        const result = trace.runStep(running, call);
        if (isThenable(result)) result.then(end, end);
        return result;
      },
    };
  });
}

function traceOf(x: Exchange): Trace {
  return x.monitor!.trace as Trace;
}

function describe({ name, app }: Step | Observer, path: StepPath, index: number): RunningStep {
  return Object.freeze({ path, index, name, function: app?.declared });
}
