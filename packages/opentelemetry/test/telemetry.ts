/** Sets up the SDK of OpenTelemetry for one test, with exporters in memory, and instruments Ambit. */
import { context, metrics, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';
import { AmbitInstrumentation, type AmbitInstrumentationOptions } from '../src/index.ts';

export class Telemetry {
  readonly instrumentation: AmbitInstrumentation;
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader: PeriodicExportingMetricReader;
  readonly #waiting: (() => void)[] = [];

  constructor(options: AmbitInstrumentationOptions = {}, sampler: Sampler = new AlwaysOnSampler()) {
    const exporter = this.#spans;
    const wake = (): void => {
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    const processor = new SimpleSpanProcessor(exporter);
    const tracers = new BasicTracerProvider({
      sampler: new ParentBasedSampler({ root: sampler }),
      spanProcessors: [
        processor,
        {
          onStart: () => {},
          onEnd: wake,
          forceFlush: async () => {},
          shutdown: async () => {},
        },
      ],
    });
    this.#reader = new PeriodicExportingMetricReader({
      exporter: this.#metrics,
      exportIntervalMillis: 3_600_000,
    });
    const meters = new MeterProvider({ readers: [this.#reader] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    );
    trace.setGlobalTracerProvider(tracers);
    metrics.setGlobalMeterProvider(meters);
    this.instrumentation = new AmbitInstrumentation(options);
    onTestFinished(async () => {
      this.instrumentation.disable();
      for (const api of [context, propagation, trace, metrics]) api.disable();
      await meters.shutdown();
    });
  }

  get spans(): ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  /** Resolves with the spans of requests, when there are at least `count`. */
  async requestSpans(count = 1): Promise<ReadableSpan[]> {
    for (;;) {
      const spans = this.spans.filter(({ kind }) => kind === SpanKind.SERVER);
      if (spans.length >= count) return spans;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async requestSpan(): Promise<ReadableSpan> {
    return (await this.requestSpans())[0]!;
  }

  async metric<Data extends MetricData = HistogramMetricData>(name: string): Promise<Data | undefined> {
    await this.#reader.forceFlush();
    const latest = this.#metrics.getMetrics().at(-1);
    return latest?.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .find(({ descriptor }) => descriptor.name === name) as Data | undefined;
  }
}
