/** Adds the ids of the span of a request to its log lines. */
import type { Span } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
import type { Api } from './api.ts';

/** The field names are those of OpenTelemetry for logs in other formats. */
export function addSpanIdsToLogs(api: Api, { request, reply }: RequestTrace, span: Span): void {
  const spanContext = span.spanContext();
  if (!api.isSpanContextValid(spanContext)) return;
  const { traceId, spanId, traceFlags } = spanContext;
  const bindings = {
    trace_id: traceId,
    span_id: spanId,
    trace_flags: traceFlags.toString(16).padStart(2, '0'),
  };
  const log = request.log.child(bindings);
  request.log = log;
  reply.log = log;
}
