/**
 * Makes the steps of requests visible, to watchers and on diagnostics channels. Loaded at boot if there are watchers, or with the first
 * request that is published.
 */
import { attempt } from '../shared/thrown-values.ts';
import { isThenable } from '../shared/values.ts';
import { type Exchange, exchangeOf } from '../types/exchange.ts';
import type {
  RequestTrace,
  RequestWatcher,
  RunningStep,
  StepPath,
  StepRunner,
  StepTrace,
} from '../types/inspection.ts';
import type { Observer, ObserverName, Plan, PlanSteps, Step } from '../types/plan.ts';
import type { Reply } from '../types/reply.ts';
import type { Request } from '../types/request.ts';
import {
  errorStatus,
  type HandlerTrace,
  handlerChannel,
  handlerEvents,
  requestChannel,
  setStatus,
  stepChannel,
} from './exchange.ts';
import { monitorOf } from './request-monitor.ts';
import { fail } from './run-steps.ts';

const watchedSteps = new WeakMap<PlanSteps, PlanSteps>();

/** Returns the same paths, with steps that call the watchers when they begin. Plans that share steps share these, too. */
export function watchSteps(steps: PlanSteps, watchers: readonly RequestWatcher[]): PlanSteps {
  let watched = watchedSteps.get(steps);
  if (watched === undefined) {
    watched = wrapSteps(steps, (x, step, run) => {
      report(x, step, watchers);
      return run();
    });
    watchedSteps.set(steps, watched);
  }
  return watched;
}

/** Requests that already have listeners for their end. */
const watchedRequests = new WeakSet<Request>();

/** A watcher that throws must not affect the request. */
function report(x: Exchange, step: RunningStep, watchers: readonly RequestWatcher[]): void {
  const { request, reply } = x;
  const isFirst = !watchedRequests.has(request);
  if (isFirst) watchedRequests.add(request);
  for (const watcher of watchers) {
    if (isFirst && watcher.onEnd)
      x.onceFinished((error) => attempt(() => watcher.onEnd!(request, reply, error)));
    if (isFirst && watcher.onAbort) x.onClientGone(() => attempt(() => watcher.onAbort!(request, reply)));
    attempt(() => watcher.onStep(request, step, reply));
  }
}

/** Gives a request a plan whose steps are published, and publishes its start and its end. Of probes, only the handler is published. */
export function traceRequest(x: Exchange, run: (x: Exchange) => void): void {
  x.plan = tracedPlan(x.plan);
  if (x.plan.servesWhileClosing) {
    run(x);
    return;
  }
  const trace = new Trace(x);
  const monitor = monitorOf(x);
  monitor.trace = trace;
  // For `reply.elapsedTime`, also without a logger.
  monitor.startedAtMs ||= performance.now();
  x.onceSettled((error) => trace.end(error === undefined));
  requestChannel.start.runStores(trace, () => {
    try {
      run(x);
    } finally {
      requestChannel.end.publish(trace);
    }
  });
}

const tracedPlans = new WeakMap<Plan, Plan>();

/** Returns the same plan with a handler and steps that are published. */
function tracedPlan(plan: Plan): Plan {
  let traced = tracedPlans.get(plan);
  if (traced === undefined) {
    const published = plan.isNotFound ? plan : { ...plan, ...publishHandler(plan) };
    const steps = plan.servesWhileClosing
      ? published.steps
      : wrapSteps(
          published.steps,
          (x, step, run) => traceOf(x).runStep(step, run),
          (x, step) => traceOf(x).endStepOf(step),
        );
    traced = Object.freeze({ ...published, steps, notFound: plan.notFound && tracedPlan(plan.notFound) });
    tracedPlans.set(plan, traced);
  }
  return traced;
}

function traceOf(x: Exchange): Trace {
  return x.monitor!.trace as Trace;
}

/** The message of the diagnostics channels for one request. It also runs the steps of the request, in order to publish them. */
class Trace implements RequestTrace {
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
      outer === undefined ? runner : (step, run) => outer(step, () => void runInRunner(runner, step, run));
  }

  fail(error: unknown): void {
    if (error === this.error || this.state !== 'running') return;
    this.error = error;
    requestChannel.error.publish(this);
  }

  failPreHandler(error: unknown): void {
    const x = this.#exchange;
    if (x.plan.isNotFound) fail(x, error);
    else
      publishRun(x, () => {
        publishError(x, error);
        fail(x, error);
      });
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
    return this.#runner === undefined ? run() : runInRunner(this.#runner, step, run);
  }

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

/** Runs a step in the runner of a tool. Whatever the tool does, the step runs once, and only errors of the step are thrown. */
function runInRunner<Result>(runner: StepRunner, step: RunningStep, run: () => Result): Result {
  let hasRun = false;
  let hasThrown = false;
  let outcome: unknown;
  const runOnce = (): void => {
    if (hasRun) return;
    hasRun = true;
    try {
      outcome = run();
    } catch (error) {
      hasThrown = true;
      outcome = error;
    }
  };
  try {
    runner(step, runOnce);
  } catch {}
  runOnce();
  if (hasThrown) throw outcome;
  return outcome as Result;
}

/**
 * Returns the same paths, with other functions in their steps.
 *
 * @param around Runs a step.
 * @param onEnd Called when an observing hook has ended, because no other step follows it.
 */
export function wrapSteps(
  steps: PlanSteps,
  around: <Result>(x: Exchange, step: RunningStep, run: () => Result) => Result,
  onEnd?: (x: Exchange, step: RunningStep) => void,
): PlanSteps {
  const wrapPath = (path: 'request' | 'reply' | 'failure'): Step[] =>
    steps[path].map((step, index): Step => {
      const running = describe(step, path, index);
      return { ...step, run: (x) => around(x, running, () => step.run(x, step)) };
    });
  const wrapObservers = (path: ObserverName): Observer[] =>
    steps[path].map((observer, index): Observer => {
      const running = describe(observer, path, index);
      const call: Observer['call'] = (x, app, done) => {
        if (onEnd === undefined) return around(x, running, () => observer.call(x, app, done));
        const end = (): void => onEnd(x, running);
        const doneAfterEnd: typeof done = (error) => {
          end();
          done(error);
        };
        const result = around(x, running, () => observer.call(x, app, doneAfterEnd));
        if (isThenable(result)) result.then(end, end);
        return result;
      };
      return { ...observer, call };
    });
  return Object.freeze({
    ...steps,
    request: wrapPath('request'),
    reply: wrapPath('reply'),
    failure: wrapPath('failure'),
    onResponse: wrapObservers('onResponse'),
    onTimeout: wrapObservers('onTimeout'),
    onRequestAbort: wrapObservers('onRequestAbort'),
  });
}

function describe({ name, app }: Step | Observer, path: StepPath, index: number): RunningStep {
  return Object.freeze({ path, index, name, function: app?.declared });
}

const handlerTraces = new WeakMap<Exchange, HandlerTrace>();

/**
 * Publishes the handler as `fastify.request.handler`: start, end, error, and the asynchronous pair around the continuation of its promise, in
 * which the reply is sent.
 */
function publishHandler({ handler, steps }: Plan): Pick<Plan, 'handler' | 'steps'> {
  const request = steps.request.map(
    (step): Step =>
      step.name === 'handler' ? { ...step, run: (x) => publishRun(x, () => step.run(x, step)) } : step,
  );
  return {
    steps: { ...steps, request },
    handler(request, reply) {
      const x = exchangeOf(request);
      try {
        const result = handler.call(this, request, reply);
        return isThenable(result) ? publishPromise(x, result) : result;
      } catch (error) {
        publishError(x, error);
        throw error;
      }
    },
  };
}

function publishRun<Result>(x: Exchange, run: () => Result): Result {
  if (!handlerEvents.some((event) => event.hasSubscribers)) return run();
  const { request, reply, plan } = x;
  const { url, method } = plan.info;
  const trace: HandlerTrace = { request, reply, async: false, route: { url, method } };
  handlerTraces.set(x, trace);
  return handlerChannel.start.runStores(trace, () => {
    try {
      return run();
    } finally {
      handlerChannel.end.publish(trace);
    }
  });
}

function publishPromise(x: Exchange, promise: PromiseLike<unknown>): PromiseLike<unknown> {
  const trace = handlerTraces.get(x);
  if (trace === undefined) return promise;
  trace.async = true;
  const publishAround = <T, Result>(next: (value: T) => Result, value: T): Result => {
    handlerChannel.asyncStart.publish(trace);
    try {
      return next(value);
    } finally {
      handlerChannel.asyncEnd.publish(trace);
    }
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: the object replaces the handler's promise.
    then: (fulfilled, rejected) =>
      promise.then(
        (value) => (x.replyState === 'hijacked' ? (undefined as never) : publishAround(fulfilled!, value)),
        (error) => {
          publishError(x, error);
          return publishAround(rejected!, error);
        },
      ),
  };
}

/** Publishes an error of the handler, together with the status that tools expect the reply to have. */
function publishError(x: Exchange, error: unknown): void {
  const trace = handlerTraces.get(x);
  if (trace === undefined) return;
  trace.error = error;
  if (!x.hasStatus || x.status === 200) setStatus(x, errorStatus(500, error));
  handlerChannel.error.publish(trace);
}
