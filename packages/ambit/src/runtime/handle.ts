/** Runs the end of the request's way in: `preHandler` hooks, then the handler, then what it returned. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { Exchange } from '../contract/exchange.ts';
import { isThenable } from '../shared/thenable.ts';
import { fail, setErrorStatus } from './fail.ts';
import { callRequestHook } from './phases.ts';
import { runPhase } from './run-phase.ts';
import { settleResult } from './settle.ts';

const handlerChannel = tracingChannel<HandlerTrace, HandlerTrace>('fastify.request.handler');

/** What subscribers of the handler's tracing channel receive. */
interface HandlerTrace {
  request: Exchange['request'];
  reply: Exchange['reply'];
  async: boolean;
  route: { url: string | undefined; method: string | string[] };
  error?: unknown;
}

export function runHandlerPhases(x: Exchange): void {
  runPhase(x.plan.preHandler, callRequestHook, x, undefined, handle);
}

// HOT: once per request.
function handle(x: Exchange, error: unknown): void {
  if (handlerChannel.hasSubscribers && !x.plan.isNotFound) traceHandler(x, error);
  else if (error != null) fail(x, error);
  else runHandler(x);
}

function runHandler(x: Exchange): void {
  const { responseEpoch } = x;
  try {
    settleResult(x, x.plan.handler(x.request, x.reply), responseEpoch, fail);
  } catch (error) {
    fail(x, error);
  }
}

/** The same, published as `fastify.request.handler`: start, end, error, and the asynchronous pair. */
function traceHandler(x: Exchange, error: unknown): void {
  const { url, method } = x.plan.info;
  const trace: HandlerTrace = { request: x.request, reply: x.reply, async: false, route: { url, method } };
  handlerChannel.start.runStores(trace, () => {
    try {
      if (error != null) failTraced(x, trace, error);
      else runTraced(x, trace);
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
    result = x.plan.handler(x.request, x.reply);
    settleResult(x, isThenable(result) ? tracePromise(x, trace, result) : result, responseEpoch, fail);
  } catch (error) {
    failTraced(x, trace, error);
  }
}

/** Publishes around the continuation of the handler's promise: the reply is sent between asyncStart and asyncEnd. */
function tracePromise(x: Exchange, trace: HandlerTrace, promise: PromiseLike<unknown>): PromiseLike<unknown> {
  trace.async = true;
  return {
    // biome-ignore lint/suspicious/noThenProperty: it stands in for the handler's promise.
    then: (fulfilled?: ((value: unknown) => never) | null, rejected?: ((error: unknown) => never) | null) => {
      const around = <T>(go: ((value: T) => never) | null | undefined, value: T): never => {
        handlerChannel.asyncStart.publish(trace);
        try {
          return go!(value);
        } finally {
          handlerChannel.asyncEnd.publish(trace);
        }
      };
      return promise.then(
        (value) => (x.replyState === 'hijacked' ? (undefined as never) : around(fulfilled, value)),
        (error) => {
          trace.error = error;
          setErrorStatus(x, error);
          handlerChannel.error.publish(trace);
          return around(rejected, error);
        },
      );
    },
  };
}
