/** Starts a routed request: creates its request and reply objects, and starts the steps of its plan. */

import { earlyError } from '../shared/early-error-body.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { Exchange, Params, RequestId } from '../types/exchange.ts';
import type { Logger } from '../types/logger.ts';
import type { Plan } from '../types/plan.ts';
import { isTraced } from './request-channels.ts';
import { requestIdText } from './request-ids.ts';
import { monitorRequest } from './request-monitor.ts';
import { startPath } from './run-steps.ts';

const loadTracing = lazyModule<typeof import('./trace-requests.ts')>(() => require('./trace-requests.ts'));

// HOT: once per request.
/** Creates the request and the reply, then runs the steps of the plan. */
export function handleRequest(x: Exchange, plan: Plan, params: Params | undefined, query: unknown): void {
  const id = plan.makeRequestId(x);
  const log = plan.makeLogger === undefined ? plan.log : plan.makeLogger(x, requestIdText(id));
  createRequestAndReply(x, plan, id, params, query, log);
  if (isTraced()) runTraced(x, start);
  else start(x);
}

/** Publishes a request while it runs. Probes are not published, as they are not logged. */
export function runTraced(x: Exchange, run: (x: Exchange) => void): void {
  if (x.plan.servesWhileClosing) run(x);
  else loadTracing().traceRequest(x, run);
}

function start(x: Exchange): void {
  const { plan } = x;
  if (plan.server.isClosing && rejectWhileClosing(x)) return;
  if (plan.logsIncoming) plan.logWriter.incomingRequest(x.request, x.reply);
  monitorRequest(x);
  startPath(x, plan.steps.request);
}

/** Sets the plan, the request and the reply of an exchange. Runs no steps. */
export function createRequestAndReply(
  x: Exchange,
  plan: Plan,
  id: RequestId,
  params: Params | undefined,
  query: unknown,
  log: Logger,
): void {
  x.plan = plan;
  x.request = new plan.Request(x, id, params, query, log);
  x.reply = new plan.Reply(x, x.request, log);
}

/** While the server closes, connections are not kept open, and new requests are rejected unless the options say otherwise. */
function rejectWhileClosing(x: Exchange): boolean {
  const { plan } = x;
  const { mayStayOpen, isDraining, return503OnClosing } = plan.server;
  if (mayStayOpen?.(x) === true) return false;
  x.closeAfterResponse();
  if (isDraining || !return503OnClosing || plan.servesWhileClosing) return false;
  const { fields, body } = earlyError(plan.errorFormat, {
    status: 503,
    message: 'Service Unavailable',
    requestId: requestIdText(x.id),
  });
  x.respond(503, fields, body);
  plan.logWriter.serviceUnavailable(x.log, plan.context);
  return true;
}
