/**
 * Wraps the steps of a plan, so that watchers are called when each step begins. Only plans of applications with watchers have such steps.
 */
import type { Exchange } from '../types/exchange.ts';
import type { RequestWatcher, RunningStep, StepPath } from '../types/inspection.ts';
import type { Observer, PlanSteps, Step } from '../types/plan.ts';
import type { Request } from '../types/request.ts';

type Watchers = readonly RequestWatcher[];

const tracedSteps = new WeakMap<PlanSteps, PlanSteps>();
/** Requests that already have listeners for their end. */
const watchedRequests = new WeakSet<Request>();

/** @returns The same paths, with steps that report. Plans that share steps share these, too. */
export function traceSteps(steps: PlanSteps, watchers: Watchers): PlanSteps {
  let result = tracedSteps.get(steps);
  if (result === undefined) {
    result = Object.freeze({
      ...steps,
      request: traceAll(steps.request, 'request', watchers),
      reply: traceAll(steps.reply, 'reply', watchers),
      failure: traceAll(steps.failure, 'failure', watchers),
      onResponse: observeAll(steps.onResponse, 'onResponse', watchers),
      onTimeout: observeAll(steps.onTimeout, 'onTimeout', watchers),
      onRequestAbort: observeAll(steps.onRequestAbort, 'onRequestAbort', watchers),
    });
    tracedSteps.set(steps, result);
  }
  return result;
}

function traceAll(steps: readonly Step[], path: StepPath, watchers: Watchers): Step[] {
  return steps.map((step, index): Step => {
    const running = describe(step, path, index);
    const { run } = step;
    return {
      ...step,
      run: (x) => {
        report(x, running, watchers);
        return run(x, step);
      },
    };
  });
}

function observeAll(observers: readonly Observer[], path: StepPath, watchers: Watchers): Observer[] {
  return observers.map((observer, index): Observer => {
    const running = describe(observer, path, index);
    return {
      ...observer,
      call: (x, app, done) => {
        report(x, running, watchers);
        return observer.call(x, app, done);
      },
    };
  });
}

function describe({ name, app }: Step | Observer, path: StepPath, index: number): RunningStep {
  return Object.freeze({ path, index, name, function: app?.declared });
}

function report(x: Exchange, step: RunningStep, watchers: Watchers): void {
  const { request, reply } = x;
  if (!watchedRequests.has(request)) {
    watchedRequests.add(request);
    x.onceFinished(() => notify(watchers, (watcher) => watcher.onEnd?.(request, reply)));
    x.onClientGone(() => notify(watchers, (watcher) => watcher.onAbort?.(request, reply)));
  }
  notify(watchers, (watcher) => watcher.onStep(request, step));
}

/** Calls each watcher. A watcher that throws must not affect the request. */
function notify(watchers: Watchers, call: (watcher: RequestWatcher) => void): void {
  for (const watcher of watchers) {
    try {
      call(watcher);
    } catch {}
  }
}
