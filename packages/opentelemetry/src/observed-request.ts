/** Observes one request: its span, the spans of its steps, and the attributes that are recorded at its end. */
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { RequestTrace, RunningStep } from 'ambit';
import type { Api } from './api.ts';
import { type Outcome, outcomeOf } from './request-metrics.ts';

/** The key of the request in its context. It is the same for every copy of this package. */
export const requestKey: symbol = Symbol.for('ambit.opentelemetry.request');

/** The key of the step's span in the context of a step. */
const stepKey = Symbol.for('ambit.opentelemetry.step');

/** The dependencies and options that all observed requests share. */
export interface Observer {
  readonly api: Api;
  readonly tracer: Tracer;
  /** Returns whether a step has a span; `undefined` if no step has one. */
  readonly hasSpan: ((step: RunningStep) => boolean) | undefined;
  readonly recordsExceptions: boolean;
}

export class ObservedRequest {
  readonly span: Span;
  /** The context in which the code of the request runs. */
  readonly context: Context;
  readonly #observer: Observer;
  readonly #countEnd: (outcome: Outcome) => void;
  #stepSpan: Span | undefined;
  #errorAtMs = 0;
  #lateError: unknown;

  constructor(observer: Observer, span: Span, parent: Context, countEnd: (outcome: Outcome) => void) {
    this.#observer = observer;
    this.span = span;
    this.#countEnd = countEnd;
    this.context = observer.api.trace.setSpan(parent, span).setValue(requestKey, this);
  }

  /** Runs a step in the context of the request, or in that of its own span. Values that hooks have added to the context are kept. */
  readonly runStep = (step: RunningStep, run: () => void): void => {
    const { api, hasSpan } = this.#observer;
    const active = api.context.active();
    const isInside = active.getValue(requestKey) === this;
    if (hasSpan !== undefined && this.span.isRecording() && hasSpan(step))
      this.#runInStepSpan(step, this.#withoutStepSpan(isInside ? active : this.context), run);
    else if (!isInside) api.context.with(this.context, run);
    else if (hasSpan === undefined) run();
    else api.context.with(this.#withoutStepSpan(active), run);
  };

  /**
   * Removes the span of an earlier step from a context, because each step runs inside the context of the step before. A span that a hook
   * has started around later steps stays their parent.
   */
  #withoutStepSpan(context: Context): Context {
    const { api } = this.#observer;
    const stepSpan = context.getValue(stepKey);
    if (stepSpan === undefined || api.trace.getSpan(context) !== stepSpan) return context;
    return api.trace.setSpan(context, this.span);
  }

  #runInStepSpan(step: RunningStep, parent: Context, run: () => void): void {
    const { api, tracer } = this.#observer;
    const name = step.function?.name;
    const attributes = {
      'ambit.step.name': step.name,
      'ambit.step.path': step.path,
      ...(name && { 'code.function.name': name }),
    };
    const span = tracer.startSpan(name ? `${step.name} ${name}` : step.name, { attributes }, parent);
    this.#stepSpan = span;
    api.context.with(api.trace.setSpan(parent, span).setValue(stepKey, span), run);
  }

  endStep(): void {
    this.#stepSpan?.end();
    this.#stepSpan = undefined;
  }

  fail(trace: RequestTrace): void {
    this.#errorAtMs = performance.now();
    if (trace.isHeadWritten) this.#lateError = trace.error;
    if (this.#stepSpan !== undefined) this.#addException(this.#stepSpan, trace.error);
  }

  /** @param beforeEnd Called before the span ends, if the span is recorded. */
  end(trace: RequestTrace, beforeEnd: (span: Span) => void): void {
    const { span } = this;
    const outcome = outcomeOf(trace, this.#lateError);
    this.#countEnd(outcome);
    try {
      if (!span.isRecording()) return;
      this.#addOutcome(trace, outcome);
      beforeEnd(span);
    } finally {
      span.end();
    }
  }

  #addOutcome(trace: RequestTrace, { status, errorType }: Outcome): void {
    const { span } = this;
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (trace.state === 'incomplete') span.setAttribute('ambit.response.incomplete', true);
    if (errorType === undefined) return;
    span.setAttribute('error.type', errorType);
    this.#addException(span, this.#lateError ?? trace.error);
  }

  /** Marks a span as failed. A 5xx without an exception has no message, because its status is the reason. */
  #addException(span: Span, error: unknown): void {
    const { api, recordsExceptions } = this.#observer;
    const code = api.SpanStatusCode.ERROR;
    if (!(error instanceof Error)) {
      span.setStatus({ code });
      return;
    }
    const message = String(error.message);
    span.setStatus({ code, message });
    if (!recordsExceptions) return;
    const { stack } = error;
    span.recordException(
      { name: String(error.name), message, ...(stack !== undefined && { stack: String(stack) }) },
      this.#errorAtMs,
    );
  }
}

/** Adds the ids of the span of a request to its log lines, with the field names of OpenTelemetry for logs in other formats. */
export function addSpanIdsToLogs(api: Api, { request, reply }: RequestTrace, span: Span): void {
  const spanContext = span.spanContext();
  if (!api.isSpanContextValid(spanContext)) return;
  const { traceId, spanId, traceFlags } = spanContext;
  const bindings = {
    trace_id: traceId,
    span_id: spanId,
    trace_flags: traceFlags.toString(16).padStart(2, '0'),
  };
  const log = request.log.child(bindings);
  request.log = log;
  reply.log = log;
}
