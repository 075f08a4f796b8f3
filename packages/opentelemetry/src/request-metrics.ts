/** The metrics of the HTTP semantic conventions: the duration of requests, and the number of running requests. */
import type { Attributes, Context, Histogram, MeterProvider, UpDownCounter } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
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

/** How a request ended. */
export interface Outcome {
  /** The status that the client got; `undefined` if it left before the head was written. */
  readonly status: number | undefined;
  /** The value of `error.type`; `undefined` for a request that did not fail. */
  readonly errorType: string | undefined;
}

/** @param lateError The error that occurred after the head was written. */
export function outcomeOf(trace: RequestTrace, lateError: unknown): Outcome {
  const status = trace.isHeadWritten ? trace.reply.statusCode : undefined;
  if (lateError !== undefined) return { status, errorType: typeOf(lateError) ?? 'Error' };
  if (status === undefined || status < 500) return { status, errorType: undefined };
  return { status, errorType: typeOf(trace.error) ?? String(status) };
}

/** The class name of an error. `error.name` is not used, because it could be any text. */
function typeOf(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error)) return undefined;
    const { name } = error.constructor;
    return name === '' ? undefined : name;
  } catch {
    return undefined;
  }
}
