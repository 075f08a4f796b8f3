/** Sends the result of a handler: a value, or a promise of one. A handler that returns nothing replies later. */
import type { Exchange } from '../contract/exchange.ts';
import { isFulfilled, peekValue } from '../shared/fulfilled-promise.ts';
import { isThenable } from '../shared/thenable.ts';
import { log } from './log.ts';
import { fail } from './run-steps.ts';
import { warnAlreadySent } from './send.ts';

/**
 * @param responseEpoch The epoch before the handler ran. A handler that called `reply.send` has raised it.
 */
export function sendResult(x: Exchange, result: unknown, responseEpoch: number): void {
  if (result === undefined) {
    // In development, this reports a handler that returned nothing and never replies.
    if (x.responseEpoch === responseEpoch) x.plan.server.unanswered?.add(x, responseEpoch);
    return;
  }
  if (!isThenable(result)) {
    // The reply is a thenable, unless a decorator has replaced `then`.
    if (result === x.reply) return;
    if (x.responseEpoch === responseEpoch) x.reply.send(result);
    else warnAlreadySent(x);
    return;
  }
  // A handler without a result may have begun something that replies before its promise would be read.
  const value = isFulfilled(result) ? peekValue(result) : undefined;
  if (value !== undefined) {
    sendResolved(x, value, responseEpoch);
    return;
  }
  const sent = result.then(
    (payload) => sendResolved(x, payload, responseEpoch),
    (error) => {
      if (x.replyState !== 'open' || x.isEnded) {
        log(x, 'error', { err: error }, 'Promise errored, but reply.sent = true was set');
      } else {
        fail(x, error);
      }
    },
  );
  // The handler may have replied before it ends.
  x.waitUntil?.(sent);
}

function sendResolved(x: Exchange, payload: unknown, responseEpoch: number): void {
  if (x.replyState === 'hijacked' || payload === x.reply) return;
  if (x.responseEpoch !== responseEpoch) {
    if (payload !== undefined) warnAlreadySent(x);
  } else if (payload !== undefined || awaitsReply(x)) {
    sendOrFail(x, payload);
  }
}

/** Whether an async handler that returned nothing gets an empty reply: if there is no reply yet, and the client is still connected. */
function awaitsReply(x: Exchange): boolean {
  return !x.isHeadWritten && !x.isEnded && !x.isClientGone;
}

function sendOrFail(x: Exchange, payload: unknown): void {
  try {
    x.reply.send(payload);
  } catch (error) {
    fail(x, error);
  }
}
