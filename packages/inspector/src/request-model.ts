/** Declares the model of a request that has ended. */
import type { StepPath } from 'ambit';

/** A request that has ended. Times are in milliseconds. */
export interface RequestModel {
  /** The number of the request, from 1. */
  readonly number: number;
  /** The id of the request, as in the log. */
  readonly id: string;
  /** The method. */
  readonly method: string;
  /** The URL as the client sent it, redacted. */
  readonly url: string;
  /** The route; `null` without one. */
  readonly route: number | null;
  /** The status of the response. */
  readonly status: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The time until the response was handed to the operating system. */
  readonly ms: number;
  /** The headers of the request, redacted. */
  readonly headers: { readonly [name: string]: string };
  /** The steps that ran, in order. */
  readonly steps: readonly RanStep[];
  /** Whether the response was handed to the operating system. If not, the client left or the response failed. */
  readonly isFinished: boolean;
}

/** A step that ran. */
export interface RanStep {
  /** The path of the step. */
  readonly path: StepPath;
  /** Its index in that path. */
  readonly index: number;
  /** `onRequest`, `handler`, `validate`, … */
  readonly name: string;
  /** The name of the function that it called; `null` for the framework's own work. */
  readonly function: string | null;
  /** The time from the beginning of the request to the beginning of the step. */
  readonly startMs: number;
  /** The time until the next step began, or the response ended. */
  readonly ms: number;
}
