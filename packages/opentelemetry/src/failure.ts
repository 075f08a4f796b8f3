/**
 * Decides whether a request failed: with a response 5xx, or with a response that broke off after its head was sent. A 4xx is an error of
 * the client.
 */
import type { RequestTrace } from 'ambit';

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
