/** Owns the answer to requests that no route takes. */
import type { Handler } from '../contract/context.ts';
import type { Exchange } from '../contract/exchange.ts';
import { runHandlerPhases } from './handle.ts';

/** The default not-found handler: 404, with the method and the URL that were asked for. */
export const defaultNotFoundHandler: Handler = function basic404(request, reply) {
  const { exchange: x } = reply as unknown as { exchange: Exchange };
  x.plan.logLines.routeNotFound(request, reply);
  const { method, url } = request.raw;
  reply.code(404).send({ message: `Route ${method}:${url} not found`, error: 'Not Found', statusCode: 404 });
};

/** `reply.callNotFound`: the exchange goes on under the plan of the not-found handler, from its `preHandler` hooks. */
export function callNotFound(x: Exchange): void {
  const { notFound } = x.plan;
  if (notFound === undefined) {
    x.log.warn('Trying to send a NotFound error inside a 404 handler. Sending basic 404 response.');
    x.reply.code(404).send('404 Not Found');
    return;
  }
  x.plan = notFound;
  x.claim++;
  runHandlerPhases(x);
}
