/** Loads `@opentelemetry/api`. The application installs it, because it must be the same module that its SDK uses. */
import { createRequire } from 'node:module';
import { AmbitInstrumentationError } from './instrumentation-error.ts';

/** The module `@opentelemetry/api`. */
export type Api = typeof import('@opentelemetry/api');

const require = createRequire(import.meta.url);

/** @throws {AMBIT_ERR_OPENTELEMETRY_API_MISSING} if it is not installed. */
export function loadApi(): Api {
  try {
    return require('@opentelemetry/api') as Api;
  } catch (cause) {
    throw new AmbitInstrumentationError(
      'AMBIT_ERR_OPENTELEMETRY_API_MISSING',
      'AmbitInstrumentation needs the package @opentelemetry/api: npm install @opentelemetry/api',
      cause,
    );
  }
}
