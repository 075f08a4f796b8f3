/** Begins the life of a request: gives it a request and a reply, and takes it to the steps of its plan. */
import type { Exchange, Params, RequestId } from '../contract/exchange.ts';
import type { Logger } from '../contract/logger.ts';
import type { Plan } from '../contract/plan.ts';
import { errorBody } from '../shared/early-error-body.ts';
import { requestIdText } from './request-ids.ts';
import { monitorRequest } from './request-monitor.ts';
import { startPath } from './walk.ts';

// HOT: once per request.
/** Creates the request and the reply, then walks the steps of the plan. */
export function handleRequest(x: Exchange, plan: Plan, params: Params | undefined, query: unknown): void {
  const id = plan.makeRequestId(x);
  const log = plan.makeLogger === undefined ? plan.log : plan.makeLogger(x, requestIdText(id));
  if (plan.server.isClosing && rejectWhileClosing(x, plan, log)) return;
  createRequestAndReply(x, plan, id, params, query, log);
  if (plan.logsIncoming) plan.logLines.incomingRequest(x.request, x.reply);
  monitorRequest(x);
  startPath(x, plan.steps.request);
}

/** Gives an exchange its plan, request and reply, and runs nothing. */
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

const unavailable = errorBody(503, 'Service Unavailable');

/** While the server closes, connections are not kept, and new requests are refused unless configured otherwise. */
function rejectWhileClosing(x: Exchange, plan: Plan, log: Logger): boolean {
  x.closeAfterResponse();
  if (!plan.server.return503OnClosing) return false;
  const fields = { 'content-type': 'application/json', 'content-length': String(unavailable.length) };
  x.respond(503, fields, unavailable);
  plan.logLines.serviceUnavailable(log, plan.context);
  return true;
}
