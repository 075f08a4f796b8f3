/**
 * Reports requests that hang: a handler that returned nothing and does not reply, a hook that is not async and does not call `done`, an
 * error handler that does not reply. It watches one request of each route at a time, with one timer for all of them.
 */

import { nodeOf } from '../context/definitions.ts';
import type { CallSite } from '../shared/call-site.ts';
import { unrefTimer } from '../shared/js-runtime.ts';
import type { Exchange } from '../types/exchange.ts';
import type { AppFunction, Plan, Step, UnansweredMonitor } from '../types/plan.ts';
import { warnUnanswered } from '../types/warnings.ts';

/** A request is reported after it has waited for one to two intervals. */
const intervalMs = 3_000;

interface WaitingRequest {
  readonly x: Exchange;
  /** The epoch when it began to wait. If it has changed, there is a reply. */
  readonly responseEpoch: number;
  /** The index of the step after the one that it waits for. If it has changed, the request has continued. */
  readonly nextStep: number;
  /** Whether it waits for a promise. */
  readonly isPending: boolean;
  isOld: boolean;
}

export class UnansweredRequests implements UnansweredMonitor {
  readonly #waiting = new Map<Plan, WaitingRequest>();
  /** Routes that were reported; each is reported once. */
  readonly #reported = new WeakSet<Plan>();
  #timer: NodeJS.Timeout | undefined;

  /** Called when a handler or a hook has returned without a result: the request continues when it replies or calls `done`. */
  add(x: Exchange, responseEpoch: number, isPending = false): void {
    const { plan, nextStep } = x;
    if (x.responseEpoch !== responseEpoch || this.#reported.has(plan)) return;
    const other = this.#waiting.get(plan);
    if (other !== undefined && isWaiting(other)) return;
    this.#waiting.set(plan, { x, responseEpoch, nextStep, isPending, isOld: false });
    this.#timer ??= unrefTimer(setTimeout(() => this.#check(), intervalMs));
  }

  #check(): void {
    this.#timer = undefined;
    for (const [plan, waiting] of this.#waiting) {
      if (isWaiting(waiting) && !waiting.isOld) waiting.isOld = true;
      else {
        this.#waiting.delete(plan);
        if (!isWaiting(waiting)) continue;
        this.#reported.add(plan);
        warnUnanswered(routeOf(waiting.x), describe(waiting));
      }
    }
    if (this.#waiting.size > 0) this.#timer = unrefTimer(setTimeout(() => this.#check(), intervalMs));
  }
}

function isWaiting({ x, responseEpoch, nextStep }: WaitingRequest): boolean {
  return (
    x.responseEpoch === responseEpoch &&
    x.nextStep === nextStep &&
    x.replyState !== 'hijacked' &&
    !x.isHeadWritten &&
    !x.isEnded &&
    !x.isDestroyed
  );
}

function routeOf({ plan, method, url }: Exchange): string {
  const { info, isNotFound } = plan;
  return isNotFound || info.url === undefined
    ? `${method} ${url}`
    : `${[info.method].flat().join(',')} ${info.url}`;
}

/** The line that declared the route of a request. */
export function routeSite({ plan: { context, info } }: Exchange): string | undefined {
  return nodeOf(context).routes.find(({ target }) => target.plan?.info === info)?.site.file;
}

/** The line that declared a function; if it was not recorded, that of the route, or of the plugin that declared it. */
export function declaredAt(x: Exchange, { origin, belongsToRoute }: AppFunction): string | undefined {
  if (belongsToRoute) return routeSite(x);
  const registration = origin?.step.owner as { readonly site: CallSite } | undefined;
  return (origin?.site ?? registration?.site)?.file;
}

function describe({ x, nextStep, isPending }: WaitingRequest): string {
  const step = x.steps[nextStep - 1];
  const hint = 'return a value, call reply.send(), or reply.hijack() if you send the response yourself';
  if (step?.app === undefined || step.name === 'errorHandler') {
    const problem = isPending
      ? 'has not ended: its promise is pending'
      : `returned undefined and has not replied; ${hint}`;
    return `${describeHandler(x, step)} ${problem}`;
  }
  return `the ${step.name} hook${quoteName(step.app)}${inParentheses(declaredAt(x, step.app))} has not called done; call it, or make the hook async`;
}

function describeHandler(x: Exchange, step: Step | undefined): string {
  if (step?.name === 'errorHandler') {
    const { context, belongsToRoute } = step.app!;
    if (belongsToRoute) return `the errorHandler of the route${inParentheses(routeSite(x))}`;
    return `the error handler${quoteName(step.app!)} of ${context.pluginName}`;
  }
  // It replies without a step, and before there is a route.
  if (step === undefined && x.error !== undefined) return 'frameworkErrors';
  return `the handler${inParentheses(routeSite(x))}`;
}

function inParentheses(file: string | undefined): string {
  return file === undefined ? '' : ` (${file})`;
}

function quoteName({ declared: { name } }: AppFunction): string {
  return name ? ` "${name}"` : '';
}
