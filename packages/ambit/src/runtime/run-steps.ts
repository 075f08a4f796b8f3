/**
 * Runs the steps of a plan. The exchange holds its position: `steps` is its path, and `nextStep` is the index of the next step. `failure`
 * is a path like the others; `fail` starts it, at any time.
 */

import { isError } from '../shared/thrown-values.ts';
import { ReplyAlreadySent } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Step } from '../types/plan.ts';
import { log } from './log.ts';
import { ensureError, translateError } from './prepare-error.ts';
import { publishFailure } from './request-channels.ts';

/** Starts a path, and runs its steps. */
export function startPath(x: Exchange, steps: readonly Step[], at = 0): void {
  x.steps = steps;
  x.nextStep = at;
  walk(x);
}

// HOT: once per path and once per hook.
/** Runs the next steps until one waits or is the last of its path. Never throws: if a step throws, the exchange fails. */
export function walk(x: Exchange): void {
  try {
    let step: Step;
    do step = x.steps[x.nextStep++]!;
    while (step.run(x, step));
  } catch (error) {
    fail(x, ensureError(error));
  }
}

/** Whether the exchange still has this epoch, so that no other code has replied in the meantime. */
export function isCurrent(x: Exchange, responseEpoch: number): boolean {
  return x.responseEpoch === responseEpoch && !x.isEnded;
}

/**
 * Fails the exchange: starts the path `failure`, after the error handlers that have already run. A reply that was being prepared is
 * dropped. Never throws. The failure can be any value, so only `readField` and functions like it read from it.
 */
export function fail(x: Exchange, failure: unknown): void {
  const error = translateError(x, failure);
  if (x.replyState === 'hijacked' || x.isEnded) {
    log(x, 'warn', { err: translateError(x, ReplyAlreadySent.at({ cause: error }, x.url, x.method)) });
    return;
  }
  publishFailure(x, error);
  if (x.isHeadWritten) {
    // The connection is closed, so that the client does not take an incomplete response for a complete one.
    log(x, 'error', { err: error }, 'a request failed while its reply was being sent');
    cutOff(x, error);
    return;
  }
  x.responseEpoch++;
  x.replyState = 'replying';
  x.error = error;
  startPath(x, x.plan.steps.failure, x.nextFailureStep);
}

/** Destroys the exchange. Node reads fields of the error; an error that throws when it is read is left out. */
export function cutOff(x: Exchange, error: unknown): void {
  if (error !== undefined) publishFailure(x, error);
  try {
    x.destroy(isError(error) ? error : undefined);
  } catch {
    x.destroy();
  }
}
