/** Times the steps of a request, by when each of them began. */
import type { RunningStep } from 'ambit';
import type { RanStep } from './request-model.ts';
import { functionName } from './safe-value.ts';

/** The beginning of a step. */
export interface Mark {
  readonly step: RunningStep;
  readonly startMs: number;
}

/** What is timed of a request. */
export interface TimedRequest {
  readonly marks: readonly Mark[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** A step lasts until the next one begins; the last one before the end lasts until the end. */
export function timeSteps({ marks, startedAtMs, endedAtMs }: TimedRequest): RanStep[] {
  return marks.map(({ step, startMs }, i) => {
    const next = marks[i + 1]?.startMs ?? endedAtMs;
    const endMs = startMs <= endedAtMs ? Math.min(next, endedAtMs) : next;
    return {
      path: step.path,
      index: step.index,
      name: step.name,
      function: step.function === undefined ? null : functionName(step.function),
      startMs: roundMs(startMs - startedAtMs),
      ms: roundMs(Math.max(0, endMs - startMs)),
    };
  });
}

/** To a microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
