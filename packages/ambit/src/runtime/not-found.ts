/** Owns the answer to requests that no route takes. */

import { type Exchange, exchangeOf } from '../contract/exchange.ts';
import type { Handler } from '../contract/handlers.ts';
import type { PlanSteps } from '../contract/step.ts';
import { log } from './log.ts';
import { setStatus } from './reply-head.ts';
import { startPath } from './walk.ts';

/** The default not-found handler: 404, with the method and the URL that were asked for. */
export const defaultNotFoundHandler: Handler = function basic404(request, reply) {
  const x = exchangeOf(reply);
  x.plan.logLines.routeNotFound(request, reply);
  const { method, url } = x;
  setStatus(x, 404);
  reply.send({ message: `Route ${method}:${url} not found`, error: 'Not Found', statusCode: 404 });
};

/** `reply.callNotFound`: the exchange goes on under the plan of the not-found handler, from its `preHandler` hooks. */
export function callNotFound(x: Exchange): void {
  const { notFound } = x.plan;
  if (notFound === undefined) {
    log(x, 'warn', 'Trying to send a NotFound error inside a 404 handler. Sending basic 404 response.');
    setStatus(x, 404);
    x.reply.send('404 Not Found');
    return;
  }
  if (x.nextFailureStep > 0) x.nextFailureStep = sameFailureStep(x, notFound.steps);
  x.plan = notFound;
  x.responseEpoch++;
  startPath(x, notFound.steps.request);
}

/** An exchange that has failed before: error handlers that have had their turn do not get another one under the other plan. */
function sameFailureStep({ plan, nextFailureStep }: Exchange, other: PlanSteps): number {
  const { defaultReplyAt } = plan.steps;
  if (nextFailureStep > defaultReplyAt) return other.lastReplyAt;
  // The outer ones are the same.
  return Math.max(0, other.defaultReplyAt - (defaultReplyAt - nextFailureStep));
}
