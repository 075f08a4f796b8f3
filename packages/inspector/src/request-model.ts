/** What the inspector tells of a request that was answered. */
import type { StepPath } from 'ambit';

/** A request that was answered. Times are in milliseconds. */
export interface RequestModel {
  /** Counts up from 1. */
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
  /** Until the response was handed to the system. */
  readonly ms: number;
  /** The headers of the request, redacted. */
  readonly headers: { readonly [name: string]: string };
  /** The steps that ran, in order. */
  readonly steps: readonly RanStep[];
  /** Whether the response was handed to the system. If not, the client left or the response failed. */
  readonly isFinished: boolean;
}

/** A step that ran. */
export interface RanStep {
  /** The path of the step. */
  readonly path: StepPath;
  /** Its place in that path. */
  readonly index: number;
  /** `onRequest`, `handler`, `validate`, … */
  readonly name: string;
  /** The name of the function that it called; `null` for the framework's own work. */
  readonly function: string | null;
  /** When it began, since the request began. */
  readonly startMs: number;
  /** Until the next step began, or the response ended. */
  readonly ms: number;
}
