/** Publishes requests and their steps on diagnostics channels. Loaded with the first request that is traced. */
import type { Exchange } from '../types/exchange.ts';
import { monitorOf } from './monitor-of.ts';
import { requestChannel } from './request-channels.ts';
import { Trace } from './request-trace.ts';
import { tracedPlan } from './traced-plan.ts';

/** Gives a request a plan whose steps are published, and publishes its start and its end. */
export function traceRequest(x: Exchange, run: (x: Exchange) => void): void {
  const trace = new Trace(x);
  x.plan = tracedPlan(x.plan);
  monitorOf(x).trace = trace;
  x.onceSettled((error) => trace.end(error === undefined));
  requestChannel.start.runStores(trace, () => {
    try {
      run(x);
    } finally {
      requestChannel.end.publish(trace);
    }
  });
}
