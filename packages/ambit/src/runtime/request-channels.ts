/** Owns the diagnostics channels of requests. Without subscribers, a request costs the test whether there are any. */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { Exchange } from '../contract/exchange.ts';
import type { RequestTrace, StepTrace } from '../contract/tracing.ts';

export const requestChannel: TracingChannel<unknown, RequestTrace> = tracingChannel('ambit.request');
export const stepChannel: TracingChannel<unknown, StepTrace> = tracingChannel('ambit.request.step');

// HOT: once per request. Bench: packages/opentelemetry/bench/cost.mjs.
/** Whether somebody has subscribed to one of the events that are published. Not every runtime tells it of a whole tracing channel. */
export function isTraced(): boolean {
  const { start, asyncEnd } = requestChannel;
  return (
    start.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    stepChannel.start.hasSubscribers ||
    stepChannel.asyncEnd.hasSubscribers ||
    requestChannel.end.hasSubscribers ||
    requestChannel.asyncStart.hasSubscribers ||
    requestChannel.error.hasSubscribers
  );
}

/** Publishes an error that a request has failed with. The default error handler passes on the one that it got. */
export function publishFailure(x: Exchange, error: unknown): void {
  x.monitor?.trace?.fail(error);
}
