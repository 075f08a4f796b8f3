/** The diagnostics channels of requests. Without subscribers, they only cost the check for subscribers. */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { Exchange } from '../types/exchange.ts';
import type { RequestTrace, StepTrace } from '../types/inspection.ts';

export const requestChannel: TracingChannel<unknown, RequestTrace> = tracingChannel('ambit.request');
export const stepChannel: TracingChannel<unknown, StepTrace> = tracingChannel('ambit.request.step');

// HOT: once per request. Bench: packages/opentelemetry/bench/cost.mjs.
/**
 * Whether any published event has subscribers. Not every runtime has `hasSubscribers` of a whole tracing channel. In workers with a
 * compatibility date before 2026-05-19, `hasSubscribers` is a method, and nothing is published.
 */
export function isTraced(): boolean {
  const { start, asyncEnd } = requestChannel;
  return (
    start.hasSubscribers === true ||
    asyncEnd.hasSubscribers === true ||
    stepChannel.start.hasSubscribers === true ||
    stepChannel.asyncEnd.hasSubscribers === true ||
    requestChannel.end.hasSubscribers === true ||
    requestChannel.asyncStart.hasSubscribers === true ||
    requestChannel.error.hasSubscribers === true
  );
}

/** Publishes an error with which a request has failed. */
export function publishFailure(x: Exchange, error: unknown): void {
  x.monitor?.trace?.fail(error);
}
