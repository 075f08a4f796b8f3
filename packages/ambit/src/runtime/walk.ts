/**
 * Walks the steps of a plan. The place of an exchange is in the exchange: `steps` is its path, `nextStep` the index of the step
 * that follows. Failure is a path like the others: `fail` leads there from wherever a request is.
 */
import { ReplyAlreadySent } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Step } from '../contract/step.ts';
import { isError } from '../shared/thrown-values.ts';
import { ensureError, translateError } from './errors.ts';
import { log } from './log.ts';

/** Takes an exchange to a path, and walks it. */
export function startPath(x: Exchange, steps: readonly Step[], at = 0): void {
  x.steps = steps;
  x.nextStep = at;
  walk(x);
}

// HOT: once per path and once per hook.
/** Runs the steps that follow, until one waits or is the last of its path. Never throws: what a step throws fails the exchange. */
export function walk(x: Exchange): void {
  try {
    let step: Step;
    do step = x.steps[x.nextStep++]!;
    while (step.run(x, step));
  } catch (error) {
    fail(x, ensureError(error));
  }
}

/** Whether nobody has replied since the exchange was at this epoch. */
export function isCurrent(x: Exchange, responseEpoch: number): boolean {
  return x.responseEpoch === responseEpoch && !x.isEnded;
}

/**
 * Fails the exchange, and never throws: it takes the path of failure, where it was left. Whatever was being sent stops, unless its head
 * is on the wire. What failed may be anything: nothing of it is read but by `readField` and its like.
 */
export function fail(x: Exchange, failure: unknown): void {
  const error = translateError(x, failure);
  if (x.replyState === 'hijacked' || x.isEnded) {
    log(x, 'warn', { err: translateError(x, ReplyAlreadySent.at({ cause: error }, x.url, x.method)) });
    return;
  }
  if (x.isHeadWritten) {
    // Half a response cannot be mended, only cut off: the client must not take it for whole.
    log(x, 'error', { err: error }, 'a request failed while its reply was being sent');
    cutOff(x, error);
    return;
  }
  x.responseEpoch++;
  x.replyState = 'replying';
  x.error = error;
  startPath(x, x.plan.steps.failure, x.nextFailureStep);
}

/** Node reads an error that it destroys a socket with: one that throws then is not handed on. */
export function cutOff(x: Exchange, error: unknown): void {
  try {
    x.destroy(isError(error) ? error : undefined);
  } catch {
    x.destroy();
  }
}
