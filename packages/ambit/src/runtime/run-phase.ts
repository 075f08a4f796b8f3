/** Runs the hooks of one phase in order, callback and promise style alike, until one fails or somebody replies. */
import type { Exchange } from '../contract/exchange.ts';
import { isThenable } from '../shared/thenable.ts';
import { failureOf } from './failure-of.ts';
import { log } from './log.ts';

export type PhaseDone = (error?: unknown, payload?: unknown) => void;
/** Calls one hook with the arguments of its phase. */
export type CallHook<in Hook> = (hook: Hook, x: Exchange, payload: unknown, done: PhaseDone) => unknown;
/** Where the phase goes on; `error` is `undefined` or `null` when every hook passed. */
export type AfterPhase = (x: Exchange, error: unknown, payload: unknown) => void;

// HOT: every phase of every request. Free when there are no hooks; otherwise one object, and two closures a hook.
export function runPhase<Hook extends object>(
  hooks: readonly Hook[],
  call: CallHook<Hook>,
  x: Exchange,
  payload: unknown,
  after: AfterPhase,
): void {
  if (hooks.length === 0) after(x, undefined, payload);
  else
    advance({
      hooks,
      call: call as CallHook<object>,
      x,
      after,
      responseEpoch: x.responseEpoch,
      payload,
      at: 0,
    });
}

/** The hooks of a payload may send another one: it takes the place of theirs, and goes through the hooks itself. */
export function runPayloadPhase<Hook extends object>(
  hooks: readonly Hook[],
  call: CallHook<Hook>,
  x: Exchange,
  payload: unknown,
  after: AfterPhase,
): void {
  x.replyState = 'preparing';
  runPhase(hooks, call, x, payload, (x, error, payload) => {
    x.replyState = 'replying';
    after(x, error, payload);
  });
}

/** A phase under way. A plain object and functions: private methods cost a check at every call. */
interface Phase {
  readonly hooks: readonly object[];
  readonly call: CallHook<object>;
  readonly x: Exchange;
  readonly after: AfterPhase;
  /** The responseEpoch under which the phase began: another one means that somebody replied, and the phase is over. */
  readonly responseEpoch: number;
  payload: unknown;
  /** The hook that runs; past the end when all have, or one has failed. */
  at: number;
}

/** What an `async` hook gets for `done`: it settles by its promise, and by nothing else. */
const ignoreDone: PhaseDone = () => {};
const asyncPrototype: object = Object.getPrototypeOf(async () => {});

/** Goes on inside the `done` of the hook before, so that an AsyncLocalStorage entered around it stays entered. */
function advance(phase: Phase): void {
  if (isOver(phase)) return;
  const { hooks, at } = phase;
  if (at === hooks.length) {
    end(phase, undefined);
    return;
  }
  const hook = hooks[at]!;
  try {
    // Binding a hook keeps its prototype, which tells `async` ones apart.
    const isAsync = Object.getPrototypeOf(hook) === asyncPrototype;
    const result = phase.call(hook, phase.x, phase.payload, isAsync ? ignoreDone : doneOf(phase, at));
    if (isThenable(result)) awaitResult(phase, at, result);
    else if (phase.at === at)
      phase.x.plan.server.unanswered?.add(phase.x, phase.responseEpoch, { phase, at });
  } catch (error) {
    settle(phase, at, failureOf(error), undefined);
  }
}

/** What throws further on fails the request here: the `done` of a hook must not throw at a hook, or at its timer. */
function end(phase: Phase, error: unknown): void {
  const { after, x } = phase;
  try {
    after(x, error, phase.payload);
  } catch (thrown) {
    after(x, failureOf(thrown), phase.payload);
  }
}

function doneOf(phase: Phase, at: number): PhaseDone {
  return (error, payload) => settle(phase, at, error, payload);
}

function awaitResult(phase: Phase, at: number, result: PromiseLike<unknown>): void {
  result.then(
    (payload) => settle(phase, at, undefined, payload),
    (error) => settle(phase, at, failureOf(error), undefined),
  );
}

/** Each hook settles once; what it says later, or after somebody replied, no longer counts. */
function settle(phase: Phase, at: number, error: unknown, payload: unknown): void {
  const hasPassed = error === undefined || error === null;
  if (at !== phase.at) {
    if (!hasPassed) log(phase.x, 'warn', { err: error }, 'a hook failed after it had ended');
    return;
  }
  if (!hasPassed) {
    phase.at = Number.MAX_SAFE_INTEGER;
    if (isOver(phase)) log(phase.x, 'debug', { err: error }, 'a hook failed after the reply was sent');
    else end(phase, failureOf(error));
    return;
  }
  phase.at = at + 1;
  if (payload !== undefined) phase.payload = payload;
  // Hooks that end at once deepen the stack; now and then it is let go. A microtask keeps the AsyncLocalStorage.
  if ((phase.at & 255) === 0) queueMicrotask(() => advance(phase));
  else advance(phase);
}

function isOver({ x, responseEpoch }: Phase): boolean {
  return x.responseEpoch !== responseEpoch || x.isEnded;
}
