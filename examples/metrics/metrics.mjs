// Metrics of an application in the format of Prometheus: durations and numbers of requests by route, overload protection,
// and the default metrics of prom-client. They are measured with the diagnostics channels of Ambit, without hooks.
import { tracingChannel } from 'node:diagnostics_channel';
import { overloadState } from 'ambit';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

// The bucket boundaries of the OpenTelemetry conventions for http.server.request.duration, in seconds.
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const standardMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/**
 * Measures the requests of all applications of the process, except those of routes with `config: { measure: false }`.
 *
 * @param app The root context of the application whose overload protection is measured.
 * @returns The registry of prom-client, and `stop`, which stops measuring.
 */
export function measureRequests(app) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets,
    registers: [registry],
  });
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Number of active HTTP server requests.',
    registers: [registry],
  });
  addOverload(registry, app);

  const started = new WeakMap();
  const start = (trace) => {
    if (trace.request.routeOptions.config?.measure === false) return;
    started.set(trace, performance.now());
    active.inc();
  };
  const asyncEnd = (trace) => {
    const startedMs = started.get(trace);
    if (startedMs === undefined) return;
    active.dec();
    const { request, reply, route, isHeadWritten } = trace;
    // Clients choose methods and paths, so they must not be labels as they are: the number of labels would be unlimited.
    const labels = {
      http_request_method: standardMethods.has(request.method) ? request.method : '_OTHER',
      http_route: route ?? '',
      http_response_status_code: isHeadWritten ? reply.statusCode : '',
    };
    duration.observe(labels, (performance.now() - startedMs) / 1_000);
  };
  const channel = tracingChannel('ambit.request');
  channel.subscribe({ start, asyncEnd });
  return { registry, stop: () => channel.unsubscribe({ start, asyncEnd }) };
}

/** Adds gauges for the option `overload`. */
function addOverload(registry, app) {
  const collectors = {
    http_server_concurrency_limit: ['How many requests may run at once.', ({ limit }) => limit],
    http_server_requests_refused: [
      'Requests that were refused because of overload.',
      ({ refused }) => refused,
    ],
  };
  for (const [name, [help, read]] of Object.entries(collectors)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const state = overloadState(app);
        if (state !== undefined) this.set(read(state));
      },
    });
  }
}

/** A plugin that serves `/metrics`. */
export async function metricsRoute(app, { registry }) {
  app.get('/metrics', { config: { measure: false } }, async (_request, reply) => {
    reply.type(registry.contentType);
    return registry.metrics();
  });
}
