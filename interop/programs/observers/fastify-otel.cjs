'use strict';

// Prints the spans that `@fastify/otel` makes of an application's requests. The third argument says what else is there.
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { FastifyOtelInstrumentation } = require('@fastify/otel');
const { tracerProvider, listSpans } = require('./tracing.cjs');

// An instrumentation takes effect when it is created.
const setups = {
  alone: () => ({}),
  'by itself': () => ({ config: { registerOnInitialization: true } }),
  'without the engine': () => ({ options: { engine: 'node' } }),
  'with instrumentation-http': () => ({ others: [new HttpInstrumentation()] }),
};
const { config, options, others = [] } = setups[process.argv[3]]();
const otel = new FastifyOtelInstrumentation(config);
registerInstrumentations({ tracerProvider, instrumentations: [otel, ...others] });
const { create, declareNotes, requestNotes } = require('./serve.cjs');

(async () => {
  const { app, served } = create(options);
  if (config === undefined) await app.register(otel.plugin());
  declareNotes(app);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const statuses = await requestNotes(origin);
  await app.close();
  console.log(JSON.stringify({ statuses, spans: listSpans(), served: served() }));
})();
