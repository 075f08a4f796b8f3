/** Finds the span of the request whose code runs. */
import type { Span } from '@opentelemetry/api';
import { loadApi } from './api.ts';
import type { ObservedRequest } from './observed-request.ts';

/** The key under which a context has the request that it belongs to. Every copy of this package has the same. */
export const requestKey: symbol = Symbol.for('ambit.opentelemetry.request');

/**
 * The span of the request whose code runs. With spans of steps, `trace.getActiveSpan()` of OpenTelemetry is the span of the step.
 *
 * @returns `undefined` outside of requests, and in those that are left out.
 * @throws {AMBIT_ERR_OPENTELEMETRY_API_MISSING} when `@opentelemetry/api` is not installed.
 */
export function requestSpan(): Span | undefined {
  const observed = loadApi().context.active().getValue(requestKey) as ObservedRequest | undefined;
  return observed?.span;
}
