/** The metrics of the HTTP semantic conventions: the duration of requests, and the number of running requests. */
import type { Attributes, Context, Histogram, MeterProvider, UpDownCounter } from '@opentelemetry/api';
import type { Outcome } from './failure.ts';
import { version } from './version.ts';

/** In seconds: https://opentelemetry.io/docs/specs/semconv/http/http-metrics/#metric-httpserverrequestduration */
const bucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The attributes of metrics. They are few, because each value of an attribute creates another time series. */
const metricAttributes = [
  'http.request.method',
  'url.scheme',
  'http.route',
  'network.protocol.version',
] as const;

export class RequestMetrics {
  readonly #duration: Histogram;
  readonly #active: UpDownCounter;

  constructor(provider: MeterProvider) {
    const meter = provider.getMeter('@ambit/opentelemetry', version);
    this.#duration = meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: bucketBoundaries },
    });
    this.#active = meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests.',
      unit: '{request}',
    });
  }

  /** Counts a request that starts. The caller must call the returned function when the request ends. */
  start(attributes: Attributes, context: Context): (outcome: Outcome) => void {
    const startedMs = performance.now();
    const active = {
      'http.request.method': attributes['http.request.method'],
      'url.scheme': attributes['url.scheme'],
    };
    this.#active.add(1, active, context);
    return ({ status, errorType }) => {
      this.#active.add(-1, active, context);
      const labels: Attributes = {};
      for (const name of metricAttributes)
        if (attributes[name] !== undefined) labels[name] = attributes[name];
      if (status !== undefined) labels['http.response.status_code'] = status;
      if (errorType !== undefined) labels['error.type'] = errorType;
      this.#duration.record((performance.now() - startedMs) / 1_000, labels, context);
    };
  }
}
