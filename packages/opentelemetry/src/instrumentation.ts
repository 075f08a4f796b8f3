/** Owns the instrumentation: it makes a span and metrics of each request that an application publishes. */
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
import { type Api, loadApi } from './api.ts';
import { findParent } from './find-parent.ts';
import { AmbitInstrumentationError } from './instrumentation-error.ts';
import { readKnownMethods } from './method.ts';
import { nameInLogs } from './name-in-logs.ts';
import { ObservedRequest, type Observer } from './observed-request.ts';
import { type AmbitInstrumentationOptions, checkOptions } from './options.ts';
import { defaultRedacted } from './query.ts';
import { type AttributeRules, requestAttributes, spanName } from './request-attributes.ts';
import { RequestMetrics } from './request-metrics.ts';
import { requestKey } from './request-span.ts';
import { chooseSteps } from './step-choice.ts';
import { Subscription } from './subscription.ts';
import { version } from './version.ts';

/** Where the one that is enabled is known, also to another copy of this package. */
const enabledKey = Symbol.for('ambit.opentelemetry.enabled');
const registry = globalThis as { [enabledKey]?: AmbitInstrumentation };

/** Where a request that is published has what is observed of it. */
const observedKey = Symbol('observed');
type ObservedTrace = RequestTrace & { [observedKey]?: ObservedRequest };

/**
 * Makes a span and metrics of each request that any Ambit application of the process gets. Give it to the SDK of OpenTelemetry in
 * `instrumentations`, or make one: it starts with its constructor, and may do so before or after applications.
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
  /** Those that `#metrics` are of. */
  #metricsProvider: MeterProvider | undefined;
  #observer: Observer;
  #rules: AttributeRules;
  #subscription: Subscription | undefined;
  /** How many requests run that have started while this was enabled. */
  #running = 0;

  /**
   * Starts, unless the option `enabled` is `false`.
   *
   * @param options Every option has a default.
   * @throws {AMBIT_ERR_OPENTELEMETRY_API_MISSING} when `@opentelemetry/api` is not installed.
   * @throws {AMBIT_ERR_OPENTELEMETRY_OPTION} for an option that is unknown, or whose value is wrong.
   * @throws {AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE} when another one is enabled.
   */
  constructor(options: AmbitInstrumentationOptions = {}) {
    checkOptions(options);
    this.#api = loadApi();
    this.#options = options;
    this.#observer = this.#makeObserver();
    this.#rules = this.#makeRules();
    if (options.enabled !== false) this.enable();
  }

  /**
   * Starts, if it has not.
   *
   * @throws {AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE} when another one is enabled.
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

  /** Stops. Requests that run have their spans to the end. */
  disable(): void {
    if (registry[enabledKey] !== this) return;
    delete registry[enabledKey];
    this.#options = { ...this.#options, enabled: false };
    this.#subscription?.stopStarting();
    this.#stopIfIdle();
  }

  /**
   * Sets where spans go. The SDK calls it. Default: the global provider.
   *
   * @param provider The provider.
   */
  setTracerProvider(provider: TracerProvider): void {
    this.#tracerProvider = provider;
    this.#observer = this.#makeObserver();
  }

  /**
   * Sets where metrics go. The SDK calls it. Default: the global provider.
   *
   * @param provider The provider.
   */
  setMeterProvider(provider: MeterProvider): void {
    this.#meterProvider = provider;
  }

  /** The options; `enabled` says whether it has started. */
  getConfig(): AmbitInstrumentationOptions {
    return this.#options;
  }

  /**
   * Replaces the options, for requests that start from now on.
   *
   * @param options All options: those that are left out have their defaults. `enabled` is left as it is.
   * @throws {AMBIT_ERR_OPENTELEMETRY_OPTION} for an option that is unknown, or whose value is wrong.
   */
  setConfig(options: AmbitInstrumentationOptions): void {
    checkOptions(options);
    this.#options = { ...options, enabled: registry[enabledKey] === this };
    this.#observer = this.#makeObserver();
    this.#rules = this.#makeRules();
  }

  #makeObserver(): Observer {
    const { steps = false, recordExceptions = true } = this.#options;
    const api = this.#api;
    const provider = this.#tracerProvider ?? api.trace.getTracerProvider();
    return {
      api,
      tracer: provider.getTracer(this.instrumentationName, version),
      key: requestKey,
      stepKey: Symbol.for('ambit.opentelemetry.step'),
      hasSpan: chooseSteps(steps),
      recordsExceptions: recordExceptions,
    };
  }

  #makeRules(): AttributeRules {
    const { redactedQueryParameters = defaultRedacted } = this.#options;
    return { knownMethods: readKnownMethods(process.env), redacted: new Set(redactedQueryParameters) };
  }

  #subscribe(): void {
    this.#subscription?.stop();
    this.#subscription = new Subscription(
      {
        start: (trace) => this.#start(trace),
        error: (trace) => observedOf(trace)?.fail(trace),
        asyncEnd: (trace) => this.#end(trace),
        stepEnd: (trace) => observedOf(trace)?.endStep(),
      },
      (error) => this.#report(error),
    );
  }

  /** Requests that started before it was disabled are over. */
  #stopIfIdle(): void {
    if (this.#running > 0 || registry[enabledKey] === this) return;
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
    this.#running++;
    trace.runStepsIn(observed.runStep);
    if (this.#options.logs !== false) nameInLogs(this.#api, trace, span);
    const { requestHook } = this.#options;
    if (requestHook !== undefined && span.isRecording()) this.#guard(() => requestHook(span, trace.request));
  }

  #end(trace: RequestTrace): void {
    const observed = observedOf(trace);
    if (observed === undefined) return;
    this.#running--;
    const { responseHook } = this.#options;
    try {
      observed.end(trace, (span) => {
        if (responseHook !== undefined) this.#guard(() => responseHook(span, trace.request, trace.reply));
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
    this.#guard(() => {
      isIgnored = ignore(request) === true;
    });
    return isIgnored;
  }

  /** The SDK may be set up after this. */
  #currentMetrics(): RequestMetrics {
    const provider = this.#meterProvider ?? this.#api.metrics.getMeterProvider();
    if (this.#metrics === undefined || provider !== this.#metricsProvider) {
      this.#metrics = new RequestMetrics(provider);
      this.#metricsProvider = provider;
    }
    return this.#metrics;
  }

  /** A function of the application must not end the process, nor the span. */
  #guard(call: () => void): void {
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

function observedOf(trace: RequestTrace): ObservedRequest | undefined {
  return (trace as ObservedTrace)[observedKey];
}
