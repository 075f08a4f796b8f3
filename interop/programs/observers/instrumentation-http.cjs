'use strict';

// Prints the spans that OpenTelemetry's instrumentation of node:http makes of an application's requests.
const { trace } = require('@opentelemetry/api');
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { tracerProvider, listSpans } = require('./tracing.cjs');

registerInstrumentations({ tracerProvider, instrumentations: [new HttpInstrumentation()] });
const { create, declareNotes, requestNotes } = require('./serve.cjs');

(async () => {
  const { app, served } = create();
  const active = [];
  app.addHook('onSend', async () => {
    active.push(trace.getActiveSpan()?.spanContext().traceId);
  });
  declareNotes(app);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const statuses = await requestNotes(origin);
  await app.close();
  console.log(JSON.stringify({ statuses, active, spans: listSpans(), served: served() }));
})();
