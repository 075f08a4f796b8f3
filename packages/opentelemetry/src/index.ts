/** The public surface of `@ambit/opentelemetry`. */
export { AmbitInstrumentation, requestSpan } from './instrumentation.ts';
export { AmbitInstrumentationError, type AmbitInstrumentationErrorCode } from './instrumentation-error.ts';
export type { AmbitInstrumentationOptions } from './options.ts';
