/** Calls the listeners of `after` and `ready`, and `onClose` hooks, with the arguments that fit their number of parameters. */

import { isThenable } from '../../shared/thenable.ts';
import type { Context } from '../../types/context.ts';
import type { Done } from '../../types/hooks.ts';
import type { AvvioCallback } from './avvio.ts';
import { type MakeError, strictDone } from './to-error.ts';

export type Listener = (...args: never[]) => unknown;

interface ListenerCall {
  readonly context: Context;
  readonly error: Error | null;
  readonly done: AvvioCallback;
}

/** The number of the listener's parameters decides what it gets: (), (error), (error, done) or (error, context, done). */
export function callListener(listener: Listener, listenerCall: ListenerCall, makeError: MakeError): void {
  try {
    callByArity(listener, listenerCall, makeError);
  } catch (thrown) {
    process.nextTick(listenerCall.done, makeError(thrown));
  }
}

function callByArity(listener: Listener, { context, error, done }: ListenerCall, makeError: MakeError): void {
  const call = listener as (...args: unknown[]) => unknown;
  if (listener.length >= 3) call.call(context, error, context, strictDone(done, makeError));
  else if (listener.length === 2) call.call(context, error, strictDone(done, makeError));
  else {
    const result = listener.length === 0 ? call.call(context) : call.call(context, error);
    // A listener that takes the error has dealt with it.
    endAfter(result, done, makeError, listener.length === 0 ? error : undefined);
  }
}

export function callCloseHook(hook: Listener, context: Context, done: Done, makeError: MakeError): void {
  const call = hook as (...args: unknown[]) => unknown;
  try {
    if (hook.length >= 2) call.call(context, context, strictDone(done, makeError));
    else endAfter(call.call(context, context), done, makeError);
  } catch (error) {
    process.nextTick(done, makeError(error));
  }
}

/** Ends a step of boot in a new turn when the result has settled: with the reason if the result rejects, otherwise with `error`. */
function endAfter(result: unknown, done: AvvioCallback, makeError: MakeError, error?: Error | null): void {
  if (!isThenable(result)) process.nextTick(done, error);
  else {
    result.then(
      () => process.nextTick(done, error),
      (thrown) => done(makeError(thrown)),
    );
  }
}
