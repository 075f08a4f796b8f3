/**
 * Notices, in development, requests that hang: a handler that returned nothing and does not reply, a hook that was not async and
 * does not call `done`. One request of a route is looked at at a time, and one timer looks at all of them.
 */

import type { Exchange } from '../contract/exchange.ts';
import type { RequestHookName } from '../contract/hooks.ts';
import type { Plan } from '../contract/plan.ts';
import type { WaitingHook } from '../contract/server-state.ts';
import { warnUnanswered } from '../contract/warnings.ts';

/** A request that waits for longer than one interval, and less than two, is reported. */
const intervalMs = 3_000;

const hookNames: readonly RequestHookName[] = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onError',
];

interface Waiting {
  readonly x: Exchange;
  /** The claim on its response when it began to wait: another one means that somebody replied. */
  readonly claim: number;
  /** The hook that it waits for; `undefined` for a handler. */
  readonly hook: WaitingHook | undefined;
  isOld: boolean;
}

export class UnansweredRequests {
  readonly #waiting = new Map<Plan, Waiting>();
  /** Routes that were reported: once is enough. */
  readonly #reported = new WeakSet<Plan>();
  #timer: NodeJS.Timeout | undefined;

  /** A handler, or a hook, has returned, and the request goes on when it says so. */
  add(x: Exchange, claim: number, hook?: WaitingHook): void {
    const { plan } = x;
    if (x.responseEpoch !== claim || this.#reported.has(plan)) return;
    const other = this.#waiting.get(plan);
    if (other !== undefined && isWaiting(other)) return;
    this.#waiting.set(plan, { x, claim, hook, isOld: false });
    this.#timer ??= setTimeout(() => this.#look(), intervalMs).unref();
  }

  #look(): void {
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
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#look(), intervalMs).unref();
  }
}

function isWaiting({ x, claim, hook }: Waiting): boolean {
  if (hook !== undefined && hook.phase.at !== hook.at) return false;
  return (
    x.responseEpoch === claim &&
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

function describe({ x, hook }: Waiting): string {
  if (hook === undefined) {
    const who = x.errorDepth >= 0 ? 'error handler' : 'handler';
    return `the ${who} returned undefined and has not replied; return a value, call reply.send(), or reply.hijack() if you answer by yourself`;
  }
  const { phase, at } = hook;
  const phaseName = hookNames.find((name) => x.plan[name] === phase.hooks) ?? 'request';
  const name = (phase.hooks[at] as { name?: string }).name?.replace(/^bound /, '');
  return `the ${phaseName} hook${name ? ` "${name}"` : ''} has not called done; call it, or make the hook async`;
}
