/** The options of the instrumentation, and their checks. */
import type { Span } from '@opentelemetry/api';
import type { Reply, Request, RunningStep } from 'ambit';
import { AmbitInstrumentationError } from './instrumentation-error.ts';

/** Options of `AmbitInstrumentation`. */
export interface AmbitInstrumentationOptions {
  /** Whether the instrumentation starts with the constructor. Default `true`. */
  enabled?: boolean;
  /**
   * Returns whether to ignore a request: it then has no span and is not counted. Called before the first hook. Default: no request is
   * ignored. Routes with `config: { otel: false }` and the probes of the option `health` are ignored too.
   */
  ignore?: (request: Request) => boolean;
  /**
   * Which steps of a request have their own span: `true` for all hooks, parsing, validation, the handler, serialization and error handlers;
   * a function selects some of them. Default `false`.
   */
  steps?: boolean | ((step: RunningStep) => boolean);
  /**
   * Called with each span when it starts, to add attributes to it. It is not called for spans that are not recorded.
   *
   * @param span The span of the request.
   * @param request The request. Its hooks have not run, and its body has not been read.
   */
  requestHook?: (span: Span, request: Request) => void;
  /**
   * Called with each span before it ends, to add attributes to it. It is not called for spans that are not recorded.
   *
   * @param span The span of the request.
   * @param request The request.
   * @param reply Its reply.
   */
  responseHook?: (span: Span, request: Request, reply: Reply) => void;
  /** Whether log lines of a request have `trace_id`, `span_id` and `trace_flags`. Default `true`. */
  logs?: boolean;
  /** Whether exceptions are recorded as events of spans, with their stack, for responses 5xx and broken responses. Default `true`. */
  recordExceptions?: boolean;
  /**
   * Parameters of the query string whose values are replaced with `REDACTED` in `url.query`. Default: those of the semantic conventions
   * (`AWSAccessKeyId`, `Signature`, `sig`, `X-Goog-Signature`). An empty array replaces none.
   */
  redactedQueryParameters?: readonly string[];
}

type Rule = readonly [expected: string, isValid: (value: unknown) => boolean];
const isBoolean: Rule = ['a boolean', (value) => typeof value === 'boolean'];
const isFunction: Rule = ['a function', (value) => typeof value === 'function'];

const rules: Readonly<Record<keyof AmbitInstrumentationOptions, Rule>> = {
  enabled: isBoolean,
  ignore: isFunction,
  steps: ['a boolean or a function', (value) => isBoolean[1](value) || isFunction[1](value)],
  requestHook: isFunction,
  responseHook: isFunction,
  logs: isBoolean,
  recordExceptions: isBoolean,
  redactedQueryParameters: [
    'an array of names',
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== ''),
  ],
};

/** @throws {AMBIT_ERR_OPENTELEMETRY_OPTION} for an unknown option or an invalid value. */
export function checkOptions(options: AmbitInstrumentationOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name))
      throwOptionError(`unknown option '${name}'; it has ${Object.keys(rules).join(', ')}`);
    const [expected, isValid] = rules[name as keyof AmbitInstrumentationOptions];
    if (value !== undefined && !isValid(value)) throwOptionError(`${name} must be ${expected}`);
  }
}

function throwOptionError(problem: string): never {
  throw new AmbitInstrumentationError('AMBIT_ERR_OPENTELEMETRY_OPTION', `AmbitInstrumentation: ${problem}`);
}

/** Steps of the framework that take almost no time. */
const bookkeeping: ReadonlySet<string> = new Set([
  'admit',
  'pauseAdmission',
  'resumeAdmission',
  'endAdmission',
  'defaultErrorReply',
  'lastErrorReply',
]);

/** Returns a function that tells whether a step of a request has a span; `undefined` if no step has one. */
export function createStepFilter(
  steps: boolean | ((step: RunningStep) => boolean),
): ((step: RunningStep) => boolean) | undefined {
  if (steps === false) return undefined;
  if (steps === true) return ({ name }) => !bookkeeping.has(name);
  return (step) => {
    try {
      return steps(step);
    } catch {
      return false;
    }
  };
}
