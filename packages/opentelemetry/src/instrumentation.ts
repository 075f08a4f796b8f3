/** The instrumentation: it creates a span and metrics for each request that an application publishes, and finds the parent of the span. */
import type { Context, MeterProvider, Span, TracerProvider } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
import { type Api, loadApi } from './api.ts';
import { AmbitInstrumentationError } from './instrumentation-error.ts';
import { addSpanIdsToLogs, ObservedRequest, type Observer, requestKey } from './observed-request.ts';
import { type AmbitInstrumentationOptions, checkOptions, createStepFilter } from './options.ts';
import {
  type AttributeRules,
  defaultRedacted,
  readKnownMethods,
  requestAttributes,
  spanName,
} from './request-attributes.ts';
import { RequestMetrics } from './request-metrics.ts';
import { Subscription } from './subscription.ts';
import { version } from './version.ts';

/** The global key of the enabled instrumentation, which all copies of this package share. */
const enabledKey = Symbol.for('ambit.opentelemetry.enabled');
const registry = globalThis as { [enabledKey]?: AmbitInstrumentation };

/** The key of the observed request in its trace. */
const observedKey = Symbol('observed');
type ObservedTrace = RequestTrace & { [observedKey]?: ObservedRequest };

/**
 * Creates a span and metrics for each request of every Ambit application in the process. Pass it to the SDK of OpenTelemetry in
 * `instrumentations`, or only create it: the constructor starts it, before or after applications are created.
 */
export class AmbitInstrumentation {
  /** The name of the scope of spans and metrics. */
  readonly instrumentationName = '@ambit/opentelemetry';
  /** The version of this package. */
  readonly instrumentationVersion: string = version;
  readonly #api: Api;
  #options: AmbitInstrumentationOptions;
  #tracerProvider: TracerProvider | undefined;
  #meterProvider: MeterProvider | undefined;
  #metrics: RequestMetrics | undefined;
  /** The provider of `#metrics`. */
  #metricsProvider: MeterProvider | undefined;
  #observer: Observer;
  #rules: AttributeRules;
  #subscription: Subscription | undefined;
  /** How many requests are running that started while this was enabled. */
  #runningCount = 0;

  /**
   * Starts, unless the option `enabled` is `false`.
   *
   * @param options The options. Every option has a default.
   * @throws {AMBIT_ERR_OPENTELEMETRY_API_MISSING} if `@opentelemetry/api` is not installed.
   * @throws {AMBIT_ERR_OPENTELEMETRY_OPTION} for an unknown option or an invalid value.
   * @throws {AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE} if another instrumentation is enabled.
   */
  constructor(options: AmbitInstrumentationOptions = {}) {
    checkOptions(options);
    this.#api = loadApi();
    this.#options = options;
    this.#observer = this.#createObserver();
    this.#rules = this.#createRules();
    if (options.enabled !== false) this.enable();
  }

  /**
   * Starts, unless it has already started.
   *
   * @throws {AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE} if another instrumentation is enabled.
   */
  enable(): void {
    if (registry[enabledKey] === this) return;
    if (registry[enabledKey] !== undefined)
      throw new AmbitInstrumentationError(
        'AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE',
        'AmbitInstrumentation is enabled already: each request would have two spans. Make one, or disable() the other one first',
      );
    registry[enabledKey] = this;
    this.#options = { ...this.#options, enabled: true };
    this.#subscribe();
  }

  /** Stops. Running requests still complete their spans. */
  disable(): void {
    if (registry[enabledKey] !== this) return;
    delete registry[enabledKey];
    this.#options = { ...this.#options, enabled: false };
    this.#subscription?.stopStarting();
    this.#stopIfIdle();
  }

  /**
   * Sets the provider of spans. The SDK calls it. Default: the global provider.
   *
   * @param provider The provider.
   */
  setTracerProvider(provider: TracerProvider): void {
    this.#tracerProvider = provider;
    this.#observer = this.#createObserver();
  }

  /**
   * Sets the provider of metrics. The SDK calls it. Default: the global provider.
   *
   * @param provider The provider.
   */
  setMeterProvider(provider: MeterProvider): void {
    this.#meterProvider = provider;
  }

  /** The options. `enabled` says whether it is started. */
  getConfig(): AmbitInstrumentationOptions {
    return this.#options;
  }

  /**
   * Replaces the options, for requests that start from now on.
   *
   * @param options All options. Missing options get their defaults. `enabled` is ignored.
   * @throws {AMBIT_ERR_OPENTELEMETRY_OPTION} for an unknown option or an invalid value.
   */
  setConfig(options: AmbitInstrumentationOptions): void {
    checkOptions(options);
    this.#options = { ...options, enabled: registry[enabledKey] === this };
    this.#observer = this.#createObserver();
    this.#rules = this.#createRules();
  }

  #createObserver(): Observer {
    const { steps = false, recordExceptions = true } = this.#options;
    const api = this.#api;
    const provider = this.#tracerProvider ?? api.trace.getTracerProvider();
    return {
      api,
      tracer: provider.getTracer(this.instrumentationName, version),
      hasSpan: createStepFilter(steps),
      recordsExceptions: recordExceptions,
    };
  }

  #createRules(): AttributeRules {
    const { redactedQueryParameters = defaultRedacted } = this.#options;
    return { knownMethods: readKnownMethods(process.env), redacted: new Set(redactedQueryParameters) };
  }

  #subscribe(): void {
    this.#subscription?.stop();
    this.#subscription = new Subscription(
      {
        start: (trace) => this.#start(trace),
        error: (trace) => observedRequestOf(trace)?.fail(trace),
        asyncEnd: (trace) => this.#end(trace),
        stepEnd: (trace) => observedRequestOf(trace)?.endStep(),
      },
      (error) => this.#report(error),
    );
  }

  /** Unsubscribes if it is disabled and all requests that started before have ended. */
  #stopIfIdle(): void {
    if (this.#runningCount > 0 || registry[enabledKey] === this) return;
    this.#subscription?.stop();
    this.#subscription = undefined;
  }

  // HOT: once per request.
  #start(trace: RequestTrace): void {
    if (this.#isIgnored(trace)) return;
    const observer = this.#observer;
    const attributes = requestAttributes(trace, this.#rules);
    const { parent, kind } = findParent(this.#api, trace);
    const name = spanName(attributes['http.request.method'] as string, trace.route);
    const span = observer.tracer.startSpan(name, { kind, attributes }, parent);
    const countEnd = this.#currentMetrics().start(attributes, this.#api.trace.setSpan(parent, span));
    const observed = new ObservedRequest(observer, span, parent, countEnd);
    (trace as ObservedTrace)[observedKey] = observed;
    this.#runningCount++;
    trace.runStepsIn(observed.runStep);
    if (this.#options.logs !== false) addSpanIdsToLogs(this.#api, trace, span);
    const { requestHook } = this.#options;
    if (requestHook !== undefined && span.isRecording())
      this.#runGuarded(() => requestHook(span, trace.request));
  }

  #end(trace: RequestTrace): void {
    const observed = observedRequestOf(trace);
    if (observed === undefined) return;
    this.#runningCount--;
    const { responseHook } = this.#options;
    try {
      observed.end(trace, (span) => {
        if (responseHook !== undefined)
          this.#runGuarded(() => responseHook(span, trace.request, trace.reply));
      });
    } finally {
      this.#stopIfIdle();
    }
  }

  #isIgnored({ request }: RequestTrace): boolean {
    const { ignore } = this.#options;
    if ((request.routeOptions.config as { otel?: unknown } | undefined)?.otel === false) return true;
    if (ignore === undefined) return false;
    let isIgnored = false;
    this.#runGuarded(() => {
      isIgnored = ignore(request) === true;
    });
    return isIgnored;
  }

  /** The metrics of the current provider. The SDK may set its provider after this instrumentation has started. */
  #currentMetrics(): RequestMetrics {
    const provider = this.#meterProvider ?? this.#api.metrics.getMeterProvider();
    if (this.#metrics === undefined || provider !== this.#metricsProvider) {
      this.#metrics = new RequestMetrics(provider);
      this.#metricsProvider = provider;
    }
    return this.#metrics;
  }

  /** Runs a function of the application. Its error must end neither the process nor the span. */
  #runGuarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#api.diag.error('@ambit/opentelemetry: a request could not be observed', error);
  }
}

function observedRequestOf(trace: RequestTrace): ObservedRequest | undefined {
  return (trace as ObservedTrace)[observedKey];
}

/** Reads single headers of a request, so that the object with all headers is not created. */
const headers = {
  keys: ({ request }: RequestTrace) => Object.keys(request.headers),
  get: (trace: RequestTrace, name: string) => trace.header(name.toLowerCase()),
};

/**
 * Returns the parent from the headers of the request (W3C Trace Context). Inside a span of other code, such as a server that calls
 * `fetch`, the parent is that span. A context of code that has ended or of an earlier request, which a connection may still have, is not
 * a parent.
 */
function findParent(api: Api, trace: RequestTrace): { parent: Context; kind: number } {
  const { context, propagation, trace: traces, ROOT_CONTEXT, SpanKind } = api;
  const active = context.active();
  const isInOtherCode =
    traces.getSpan(active)?.isRecording() === true && active.getValue(requestKey) === undefined;
  return isInOtherCode
    ? { parent: active, kind: SpanKind.INTERNAL }
    : { parent: propagation.extract(ROOT_CONTEXT, trace, headers), kind: SpanKind.SERVER };
}

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
