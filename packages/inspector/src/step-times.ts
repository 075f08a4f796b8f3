/** Computes the times of the steps of a request from their starts. */
import type { RunningStep } from 'ambit';
import type { RanStep } from './request-model.ts';
import { functionName } from './safe-value.ts';

/** The start of a step. */
export interface StepStart {
  readonly step: RunningStep;
  readonly startMs: number;
}

/** The recorded times of a request. */
export interface TimedRequest {
  readonly starts: readonly StepStart[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** A step lasts until the next one begins; the last one before the end lasts until the end. */
export function timeSteps({ starts, startedAtMs, endedAtMs }: TimedRequest): RanStep[] {
  return starts.map(({ step, startMs }, i) => {
    const next = starts[i + 1]?.startMs ?? endedAtMs;
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

/** Rounds to a microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
