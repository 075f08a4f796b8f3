/** The step that runs the handler, and the tracing channel that publishes it to monitoring tools. */
import { tracingChannel } from 'node:diagnostics_channel';
import { isThenable } from '../shared/thenable.ts';
import type { Exchange } from '../types/exchange.ts';
import { setErrorStatus } from './error-head.ts';
import { type HookKind, requestHook } from './run-hook.ts';
import { fail } from './run-steps.ts';
import { sendResult } from './send-result.ts';

const handlerChannel = tracingChannel<HandlerTrace, HandlerTrace>('fastify.request.handler');

/** What subscribers of the handler's tracing channel receive. */
interface HandlerTrace {
  request: Exchange['request'];
  reply: Exchange['reply'];
  async: boolean;
  route: { url: string | undefined; method: string | string[] };
  error?: unknown;
}

// HOT: once per request.
export function runHandler(x: Exchange): false {
  if (isTraced(x)) traceHandler(x, runTraced);
  else {
    const { responseEpoch } = x;
    try {
      const { plan } = x;
      sendResult(x, plan.handler.call(plan.context, x.request, x.reply), responseEpoch);
    } catch (error) {
      fail(x, error);
    }
  }
  return false;
}

/** `preHandler` hooks. The tracing channel publishes a failed hook as a failed handler. */
export const preHandlerHook: HookKind = {
  ...requestHook,
  fail: (x, error) => {
    if (isTraced(x)) traceHandler(x, (x, trace) => failTraced(x, trace, error));
    else fail(x, error);
  },
};

function isTraced(x: Exchange): boolean {
  return isHandlerTraced() && !x.plan.isNotFound;
}

/** Whether somebody has subscribed. Bun does not tell it of a whole tracing channel. */
export function isHandlerTraced(): boolean {
  const { start, end, asyncStart, asyncEnd, error } = handlerChannel;
  return (
    start.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers
  );
}

/** Publishes a run of the handler as `fastify.request.handler`: start, end, error, and the asynchronous pair. */
function traceHandler(x: Exchange, run: (x: Exchange, trace: HandlerTrace) => void): void {
  const { url, method } = x.plan.info;
  const trace: HandlerTrace = { request: x.request, reply: x.reply, async: false, route: { url, method } };
  handlerChannel.start.runStores(trace, () => {
    try {
      run(x, trace);
    } finally {
      handlerChannel.end.publish(trace);
    }
  });
}

function failTraced(x: Exchange, trace: HandlerTrace, error: unknown): void {
  trace.error = error;
  setErrorStatus(x, error);
  handlerChannel.error.publish(trace);
  fail(x, error);
}

function runTraced(x: Exchange, trace: HandlerTrace): void {
  const { responseEpoch } = x;
  let result: unknown;
  try {
    const { plan } = x;
    result = plan.handler.call(plan.context, x.request, x.reply);
    sendResult(x, isThenable(result) ? tracePromise(x, trace, result) : result, responseEpoch);
  } catch (error) {
    failTraced(x, trace, error);
  }
}

/** Publishes `asyncStart` and `asyncEnd` around the continuation of the handler's promise, in which the reply is sent. */
function tracePromise(x: Exchange, trace: HandlerTrace, promise: PromiseLike<unknown>): PromiseLike<unknown> {
  trace.async = true;
  return {
    // biome-ignore lint/suspicious/noThenProperty: the object replaces the handler's promise.
    then: (fulfilled?: ((value: unknown) => never) | null, rejected?: ((error: unknown) => never) | null) => {
      const publishAround = <T>(next: ((value: T) => never) | null | undefined, value: T): never => {
        handlerChannel.asyncStart.publish(trace);
        try {
          return next!(value);
        } finally {
          handlerChannel.asyncEnd.publish(trace);
        }
      };
      return promise.then(
        (value) => (x.replyState === 'hijacked' ? (undefined as never) : publishAround(fulfilled, value)),
        (error) => {
          trace.error = error;
          setErrorStatus(x, error);
          handlerChannel.error.publish(trace);
          return publishAround(rejected, error);
        },
      );
    },
  };
}
