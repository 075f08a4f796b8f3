/** The public surface of `@ambit/opentelemetry`. */
export { AmbitInstrumentation } from './instrumentation.ts';
export { AmbitInstrumentationError, type AmbitInstrumentationErrorCode } from './instrumentation-error.ts';
export type { AmbitInstrumentationOptions } from './options.ts';
export { requestSpan } from './request-span.ts';
