/** Runs handlers that cannot see their request. If one returns a text or an object at once, the response needs no exchange. */
import type { DirectRoutes, DirectRun } from '../contract/direct-routes.ts';
import type { Exchange, Params, RequestId } from '../contract/exchange.ts';
import type { Plan } from '../contract/plan.ts';
import type { Router } from '../routing/router.ts';
import { writeJson } from '../schemas/serialization/write-json.ts';
import { isFulfilled, peekValue } from '../shared/fulfilled-promise.ts';
import { isAsyncIterable } from '../shared/payload-shapes.ts';
import { isThenable } from '../shared/thenable.ts';
import { createRequestAndReply } from './handle-request.ts';
import { isTraced } from './request-channels.ts';
import { isHandlerTraced } from './run-handler.ts';
import { fail } from './run-steps.ts';
import { isLiteral, jsonType, textType } from './send.ts';
import { sendResult } from './send-result.ts';

interface Run extends DirectRun {
  readonly plan: Plan;
  readonly id: RequestId;
  readonly result: unknown;
  text: string | undefined;
  type: string;
}

export class DirectRouteTable implements DirectRoutes {
  /** The plans of the direct routes, by path. */
  plans: ReadonlyMap<string, Plan> = new Map();
  readonly #router: Router;

  constructor(router: Router) {
    this.#router = router;
  }

  get paths(): Iterable<string> {
    return this.plans.keys();
  }

  // HOT: once per request of a direct route (benchmark `get` on Bun).
  run(path: string): DirectRun | undefined {
    const plan = this.plans.get(path);
    if (plan === undefined || plan.server.isClosing || isTraced() || isHandlerTraced()) return undefined;
    // `needsExchange` has made sure that neither the id nor the handler needs the request.
    const id = plan.makeRequestId(undefined as never);
    const result = callHandler(plan.handler as () => unknown);
    const run: Run = { plan, id, result, text: undefined, type: jsonType };
    try {
      setText(run, isThenable(result) ? fulfilledValue(result) : result);
    } catch {
      // The exchange will fail in the same way.
    }
    return run;
  }

  resume(x: Exchange, run: DirectRun): void {
    const { plan, id, result } = run as Run;
    const { params, searchParams } = this.#router.findMatch('GET', x.url)!;
    createRequestAndReply(x, plan, id, params as Params, searchParams, plan.log);
    try {
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

function fulfilledValue(promise: PromiseLike<unknown>): unknown {
  return isFulfilled(promise) ? peekValue(promise) : undefined;
}

/** Sets what `reply.send` would send for a text or an object literal. */
function setText(run: Run, payload: unknown): void {
  if (typeof payload === 'string') {
    run.text = payload || undefined;
    run.type = textType;
  } else if (
    typeof payload === 'object' &&
    payload !== null &&
    isLiteral(payload) &&
    !isAsyncIterable(payload)
  ) {
    const serialize = run.plan.serializers?.pick(200, jsonType) ?? writeJson;
    const text: unknown = serialize(payload as never);
    // A serializer of the application may return bytes.
    if (typeof text === 'string') run.text = text || undefined;
  }
}
