/** What subscribers of the diagnostics channels `ambit.request` and `ambit.request.step` receive. */
import type { RunningStep } from './inspected-steps.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/**
 * Wraps a step, for example to run it in an OpenTelemetry context. The function must call `run` once, before it returns. If it does not
 * call `run`, or if it throws, the framework runs the step itself.
 */
export type StepRunner = (step: RunningStep, run: () => void) => void;

/** One request, from the event `start` to the event `asyncEnd` of the tracing channel `ambit.request`: the same object in each event. */
export interface RequestTrace {
  /** The request. */
  readonly request: Request;
  /** Its reply. */
  readonly reply: Reply;
  /** The pattern of the route that the request was routed to, for example `/users/:id`; `undefined` if it matches no route. */
  readonly route: string | undefined;
  /** The version of HTTP: `1.0`, `1.1` or `2.0`; `undefined` if the runtime does not provide it. */
  readonly httpVersion: string | undefined;
  /** The last error that the request has failed with; `undefined` before the first one. */
  readonly error: unknown;
  /**
   * `running` until `asyncStart`. Then `complete` if the whole response was handed to the operating system, or `incomplete` if the client
   * left before that or the connection was cut off.
   */
  readonly state: 'running' | 'complete' | 'incomplete';
  /** Whether the head of the response was written. From then on, its status cannot change. */
  readonly isHeadWritten: boolean;
  /**
   * Reads one header of the request, without creating the object of all headers.
   *
   * @param name The name in lower case.
   */
  header(name: string): string | string[] | undefined;
  /**
   * Wraps each step of the request: hooks, the handler and error handlers. Subscribers of `start` call it. If several of them do, the
   * runner of the first one is the outermost.
   *
   * @param runner Called for each step.
   */
  runStepsIn(runner: StepRunner): void;
}

/** One step of a request, in the events `start` and `asyncEnd` of the tracing channel `ambit.request.step`. */
export interface StepTrace {
  /** The request that the step is a part of. */
  readonly trace: RequestTrace;
  /** The request. */
  readonly request: Request;
  /** Its reply. */
  readonly reply: Reply;
  /** The step; the same object for each request of a route. */
  readonly step: RunningStep;
}
