/** Runs a handler that cannot see its request. If it returns a text or an object, the response needs no exchange. */

import type { Router } from '../routing/router.ts';
import { writeJson } from '../schemas/serialization/write-json.ts';
import { isFulfilled, isNativePromise, peekValue } from '../shared/fulfilled-promise.ts';
import { isAsyncIterable, isThenable } from '../shared/values.ts';
import type { DirectRoute, DirectRun, Exchange, Params, RequestId } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import { createRequestAndReply } from './dispatcher.ts';
import { isTraced } from './exchange.ts';
import { isHandlerTraced, sendResult } from './handler.ts';
import { fail } from './run-steps.ts';
import { isLiteral, jsonType, textType } from './send.ts';

interface Run extends DirectRun {
  readonly id: RequestId;
  readonly result: unknown;
  /** What reading or serializing the result has thrown. It is not tried again, because code of the application may have run. */
  failure: { readonly error: unknown } | undefined;
  text: string | undefined;
  type: string;
}

export class PlannedDirectRoute implements DirectRoute {
  readonly #plan: Plan;
  readonly #path: string;
  readonly #router: Router;

  constructor(plan: Plan, path: string, router: Router) {
    this.#plan = plan;
    this.#path = path;
    this.#router = router;
  }

  // HOT: once per request of a direct route (benchmark `get` on Bun and Deno).
  run(): DirectRun | undefined {
    const { server, makeRequestId, handler } = this.#plan;
    if (server.isClosing || isTraced() || isHandlerTraced()) return undefined;
    // Nothing that is called here looks at the request: `listPathRoutes` has made sure of it.
    const id = makeRequestId(undefined as never);
    const result = callHandler(handler as () => unknown);
    const promise = mustBeAwaited(result) ? result : undefined;
    const run: Run = { id, result, text: undefined, type: jsonType, promise, failure: undefined };
    if (promise === undefined) this.fulfill(run, result);
    return run;
  }

  // HOT: once per request of a direct route.
  fulfill(run: Run, value: unknown): void {
    try {
      const payload = isThenable(value) ? fulfilledValue(value) : value;
      if (typeof payload === 'string') {
        run.text = payload || undefined;
        run.type = textType;
      } else if (isPlainValue(payload)) {
        const serialize = this.#plan.serializers?.pick(200, jsonType) ?? writeJson;
        const text: unknown = serialize(payload as never);
        // A serializer of the application may return bytes.
        if (typeof text === 'string') run.text = text || undefined;
      }
    } catch (error) {
      run.failure = { error };
    }
  }

  resume(x: Exchange, { id, result, failure }: Run): void {
    const plan = this.#plan;
    const queryAt = x.url.indexOf('?');
    const url = queryAt === -1 ? this.#path : this.#path + x.url.slice(queryAt);
    const { params, searchParams } = this.#router.findMatch('GET', url)!;
    createRequestAndReply(x, plan, id, params as Params, searchParams, plan.log);
    try {
      if (failure !== undefined) throw failure.error;
      sendResult(x, result, x.responseEpoch);
    } catch (error) {
      fail(x, error);
    }
  }
}

function callHandler(handler: () => unknown): unknown {
  try {
    return handler();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Other promises always get an exchange, because their `then` may do anything. */
function mustBeAwaited(result: unknown): result is Promise<unknown> {
  try {
    return isThenable(result) && isNativePromise(result) && !isFulfilled(result);
  } catch {
    // A proxy or a getter has thrown. It does so again where errors have their place.
    return false;
  }
}

function fulfilledValue(promise: PromiseLike<unknown>): unknown {
  return isFulfilled(promise) ? peekValue(promise) : undefined;
}

function isPlainValue(payload: unknown): payload is object {
  return typeof payload === 'object' && payload !== null && isLiteral(payload) && !isAsyncIterable(payload);
}
