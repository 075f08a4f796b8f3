/** Replies to requests that match no route. */
import { createRequire } from 'node:module';
import { problemMediaType } from '../shared/early-error.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { type Exchange, exchangeOf } from '../types/exchange.ts';
import type { Handler } from '../types/hooks.ts';
import type { PlanSteps } from '../types/plan.ts';
import { log, removeContentFields, setStatus } from './exchange.ts';
import { startPath } from './run-steps.ts';

const require = createRequire(import.meta.url);

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));

/** The default not-found handler: 404, with the method and the URL of the request. */
export const defaultNotFoundHandler: Handler = function basic404(request, reply) {
  const x = exchangeOf(reply);
  x.plan.logWriter.routeNotFound(request, reply);
  replyNotFound(x);
};

/** Replies that no route matches the request. */
export function replyNotFound(x: Exchange): void {
  const message = `Route ${x.method}:${x.url} not found`;
  setStatus(x, 404);
  removeContentFields(x);
  if (x.plan.errorFormat === 'problem') {
    x.replyHeaders['content-type'] = problemMediaType;
    x.reply.send(
      loadProblems().problemDetails(x, { message }, { status: 404, code: undefined, mayTell: true }),
    );
  } else x.reply.send({ message, error: 'Not Found', statusCode: 404 });
}

/** `reply.callNotFound`: continues with the plan of the not-found handler, from its `preHandler` hooks. */
export function callNotFound(x: Exchange): void {
  const { notFound } = x.plan;
  if (notFound === undefined) {
    log(x, 'warn', 'Trying to send a NotFound error inside a 404 handler. Sending basic 404 response.');
    if (x.plan.errorFormat === 'problem') replyNotFound(x);
    else {
      setStatus(x, 404);
      x.reply.send('404 Not Found');
    }
    return;
  }
  removeContentFields(x);
  if (x.nextFailureStep > 0) x.nextFailureStep = sameFailureStep(x, notFound.steps);
  x.plan = notFound;
  x.responseEpoch++;
  startPath(x, notFound.steps.request);
}

/** Returns the index at which the path `failure` of the other plan continues, so that error handlers that have run do not run again. */
function sameFailureStep({ plan, nextFailureStep }: Exchange, other: PlanSteps): number {
  const { defaultReplyAt } = plan.steps;
  if (nextFailureStep > defaultReplyAt) return other.lastReplyAt;
  // The outer error handlers of both plans are the same, so the position is counted from the end.
  return Math.max(0, other.defaultReplyAt - (defaultReplyAt - nextFailureStep));
}
