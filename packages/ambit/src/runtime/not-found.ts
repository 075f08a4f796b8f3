/** Owns the answer to requests that no route takes. */

import { type Exchange, exchangeOf } from '../contract/exchange.ts';
import type { Handler } from '../contract/handlers.ts';
import { runHandlerPhases } from './handle.ts';
import { log } from './log.ts';
import { setStatus } from './reply-head.ts';

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
  x.plan = notFound;
  x.responseEpoch++;
  runHandlerPhases(x);
}
