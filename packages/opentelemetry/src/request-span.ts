/** Finds the span of the current request. */
import type { Span } from '@opentelemetry/api';
import { loadApi } from './api.ts';
import type { ObservedRequest } from './observed-request.ts';

/** The key of the request in its context. It is the same for every copy of this package. */
export const requestKey: symbol = Symbol.for('ambit.opentelemetry.request');

/**
 * Returns the span of the current request. With spans of steps, `trace.getActiveSpan()` of OpenTelemetry returns the span of the step
 * instead.
 *
 * @returns The span; `undefined` outside of requests, and in requests that are ignored.
 * @throws {AMBIT_ERR_OPENTELEMETRY_API_MISSING} if `@opentelemetry/api` is not installed.
 */
export function requestSpan(): Span | undefined {
  const observed = loadApi().context.active().getValue(requestKey) as ObservedRequest | undefined;
  return observed?.span;
}
