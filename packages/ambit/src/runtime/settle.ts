/** Turns what a handler returned into a reply: a value, a promise of one, or nothing yet. */
import type { Exchange } from '../contract/exchange.ts';
import { isThenable } from '../kit/thenable.ts';

export type OnFailure = (x: Exchange, error: unknown) => void;

/**
 * @param claim The exchange's claim before the handler ran: a handler that replied by itself has raised it.
 */
export function settleResult(x: Exchange, result: unknown, claim: number, onFailure: OnFailure): void {
  if (result === undefined) return;
  if (!isThenable(result)) {
    x.reply.send(result);
    return;
  }
  result.then(
    (payload) => {
      if (x.stage === 'hijacked') return;
      if (payload !== undefined || awaitsReply(x, claim)) sendOrFail(x, payload, onFailure);
    },
    (error) => {
      if (x.stage !== 'open' || x.isEnded) {
        x.log.error({ err: error }, 'Promise errored, but reply.sent = true was set');
      } else {
        onFailure(x, error);
      }
    },
  );
}

/** An async handler that returned nothing, with nobody replying and a client still there: the reply is empty. */
function awaitsReply(x: Exchange, claim: number): boolean {
  return (
    x.claim === claim &&
    !x.isHeadWritten &&
    !x.isEnded &&
    !x.isAborted &&
    x.socket != null &&
    !x.socket.destroyed
  );
}

function sendOrFail(x: Exchange, payload: unknown, onFailure: OnFailure): void {
  try {
    x.reply.send(payload);
  } catch (error) {
    onFailure(x, error);
  }
}
