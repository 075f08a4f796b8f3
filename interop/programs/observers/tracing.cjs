'use strict';

// A tracer of OpenTelemetry's Node SDK that keeps its spans in memory.
process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
const { SpanKind, SpanStatusCode } = require('@opentelemetry/api');
const {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} = require('@opentelemetry/sdk-trace-node');

const exporter = new InMemorySpanExporter();
exports.tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
exports.tracerProvider.register();

/** The finished spans, in the order in which they ended. */
exports.listSpans = () => {
  const spans = exporter.getFinishedSpans();
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map((span) => ({
    name: span.name,
    kind: SpanKind[span.kind],
    trace: span.spanContext().traceId,
    parent: names.get(span.parentSpanContext.spanId) ?? span.parentSpanContext.spanId,
    method: span.attributes['http.request.method'],
    status: span.attributes['http.response.status_code'],
    route: span.attributes['http.route'],
    hasFailed: span.status.code === SpanStatusCode.ERROR,
  }));
};
