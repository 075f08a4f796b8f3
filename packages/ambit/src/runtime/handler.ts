/** The steps that run the handler and the error handlers, and send their results. */
import { isError } from '../shared/thrown-values.ts';
import { isThenable } from '../shared/values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ErrorHandler } from '../types/hooks.ts';
import type { Step } from '../types/plan.ts';
import { replyNotFound } from './error-reply.ts';
import { errorStatus, log, removeContentFields } from './exchange.ts';
import { fail, type HookKind, peek, pending, requestHook } from './run-steps.ts';
import { warnAlreadySent } from './send.ts';

// HOT: once per request.
export function runHandler(x: Exchange): false {
  const { plan, responseEpoch } = x;
  try {
    sendResult(x, plan.handler.call(plan.context, x.request, x.reply), responseEpoch);
  } catch (error) {
    fail(x, error);
  }
  return false;
}

/** `preHandler` hooks. Tools see one that fails as a handler that fails. */
export const preHandlerHook: HookKind = {
  ...requestHook,
  fail: (x, error) => {
    const trace = x.monitor?.trace;
    if (trace === undefined) fail(x, error);
    else trace.failPreHandler(error);
  },
};

/**
 * The step of one error handler. They run from the innermost to the outermost, which is the default one; each gets the error that the
 * previous one threw or sent. The step ends the path, because the handler replies or fails.
 */
export function runErrorHandler(x: Exchange, { app }: Step): false {
  x.nextFailureStep = x.nextStep;
  removeContentFields(x);
  x.replyState = 'open';
  const { responseEpoch, status: statusBefore } = x;
  x.hasStatus = false;
  try {
    const handle = app!.declared as ErrorHandler;
    const result = handle.call(app!.self, x.error as never, x.request, x.reply);
    // As if the handler had thrown the error again.
    sendResult(x, result, responseEpoch, { statusBefore, passOn: () => fail(x, x.error) });
  } catch (thrown) {
    fail(x, thrown);
  }
  return false;
}

/** What a function that handles an error leaves to the framework, if it does not do it itself. */
export interface ErrorHandling {
  /** The status before the function ran. If it sets no other one, a value that it returns gets the status of `x.error`. */
  readonly statusBefore: number;
  /** Called when an async function has ended without a reply. */
  passOn(): void;
}

/**
 * @param responseEpoch The epoch before the handler ran. A handler that called `reply.send` has raised it.
 * @param handling Given for the result of an error handler.
 */
export function sendResult(
  x: Exchange,
  result: unknown,
  responseEpoch: number,
  handling?: ErrorHandling,
): void {
  if (result === undefined) {
    // Reports a handler that returned nothing and never replies: in development, and an error handler always.
    const { unanswered, unansweredErrors } = x.plan.server;
    if (x.responseEpoch === responseEpoch)
      (handling === undefined ? unanswered : unansweredErrors)?.add(x, responseEpoch);
    return;
  }
  if (!isThenable(result)) {
    // The reply is a thenable, unless a decorator has replaced `then`.
    if (result === x.reply) return;
    if (x.responseEpoch !== responseEpoch) warnAlreadySent(x, true);
    else {
      if (handling !== undefined) setHandledStatus(x, result, handling);
      x.reply.send(result);
    }
    return;
  }
  if (handling !== undefined) x.plan.server.unansweredErrors.add(x, responseEpoch, true);
  // A handler without a result may have begun something that replies before its promise would be read.
  const value = peek(result);
  if (value !== pending && value !== undefined) {
    sendResolved(x, value, responseEpoch, handling);
    return;
  }
  const sent = result.then(
    (payload) => sendResolved(x, payload, responseEpoch, handling),
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

function sendResolved(
  x: Exchange,
  payload: unknown,
  responseEpoch: number,
  handling: ErrorHandling | undefined,
): void {
  if (x.replyState === 'hijacked' || payload === x.reply) return;
  if (x.responseEpoch !== responseEpoch) {
    if (payload !== undefined) warnAlreadySent(x, true);
    return;
  }
  if (payload === undefined) {
    // The client has left, or something has replied on `raw`.
    if (x.isHeadWritten || x.isEnded || x.isClientGone) return;
    if (handling !== undefined && !hasOwnStatus(x, handling)) {
      handling.passOn();
      return;
    }
    if (handling === undefined && x.plan.isNotFound && !x.hasStatus) {
      replyNotFound(x);
      return;
    }
  } else if (handling !== undefined) setHandledStatus(x, payload, handling);
  try {
    x.reply.send(payload);
  } catch (error) {
    fail(x, error);
  }
}

function hasOwnStatus(x: Exchange, { statusBefore }: ErrorHandling): boolean {
  return x.hasStatus || x.status !== statusBefore;
}

/** Another error that is sent has a status of its own. */
function setHandledStatus(x: Exchange, payload: unknown, handling: ErrorHandling): void {
  if (!hasOwnStatus(x, handling) && !isError(payload)) x.status = errorStatus(x.status, x.error);
}
