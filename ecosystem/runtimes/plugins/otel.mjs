import { equal, ok } from 'node:assert/strict';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

export function setUp(app) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const instrumentation = new FastifyOtelInstrumentation();
  instrumentation.setTracerProvider(provider);
  app.register(instrumentation.plugin());
  app.register(async (child) => {
    child.get('/notes/:id', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      // A span of the application: its parent is the span of the handler.
      provider.getTracer('notes').startSpan('read the note').end();
      return 'a note';
    });
    child.get('/spans', { config: { otel: false } }, () => exporter.getFinishedSpans().map(describeSpan));
  });
}

function describeSpan(span) {
  const { name, attributes, parentSpanContext } = span;
  return {
    id: span.spanContext().spanId,
    parent: parentSpanContext?.spanId,
    name,
    route: attributes['http.route'],
  };
}

export async function check(ask) {
  equal(await (await ask('/notes/7')).text(), 'a note');
  // The span of the request ends after the response.
  let spans = [];
  while (!spans.some(({ name }) => name === 'request')) spans = await (await ask('/spans')).json();
  const request = spans.find(({ name }) => name === 'request');
  const handler = spans.find(({ parent }) => parent === request.id);
  const inside = spans.find(({ name }) => name === 'read the note');
  equal(request.route, '/notes/:id');
  ok(handler);
  equal(inside.parent, handler.id);
}
