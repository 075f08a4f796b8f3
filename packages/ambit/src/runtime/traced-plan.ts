/** Creates the plan of a traced request, whose steps are published. */

import { isThenable } from '../shared/thenable.ts';
import type { Exchange } from '../types/exchange.ts';
import type { RunningStep, StepPath } from '../types/inspection.ts';
import type { Observer, Plan, PlanSteps, Step } from '../types/plan.ts';
import type { Trace } from './request-trace.ts';

const tracedPlans = new WeakMap<Plan, Plan>();

/** Returns the same plan with steps that are published. */
export function tracedPlan(plan: Plan): Plan {
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
