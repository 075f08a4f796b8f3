/** Runs the hooks of one phase in order, callback and promise style alike, until one fails or somebody replies. */
import { UndefinedError } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { isThenable } from '../kit/thenable.ts';

export type PhaseDone = (error?: unknown, payload?: unknown) => void;
/** Calls one hook with the arguments of its phase. */
export type CallHook<Hook> = (hook: Hook, x: Exchange, payload: unknown, done: PhaseDone) => unknown;
/** Where the phase goes on; `error` is `undefined` or `null` when every hook passed. */
export type AfterPhase = (x: Exchange, error: unknown, payload: unknown) => void;

// HOT: every phase of every request. Free when there are no hooks; otherwise one object, and one closure a hook.
export function runPhase<Hook>(
  hooks: readonly Hook[],
  call: CallHook<Hook>,
  x: Exchange,
  payload: unknown,
  after: AfterPhase,
): void {
  if (hooks.length === 0) after(x, undefined, payload);
  else new Phase(hooks, call, x, payload, after).advance();
}

class Phase<Hook> {
  readonly #hooks: readonly Hook[];
  readonly #call: CallHook<Hook>;
  readonly #x: Exchange;
  readonly #after: AfterPhase;
  /** The claim under which the phase began: another one means that somebody replied, and the phase is over. */
  readonly #claim: number;
  #payload: unknown;
  #at = 0;

  constructor(
    hooks: readonly Hook[],
    call: CallHook<Hook>,
    x: Exchange,
    payload: unknown,
    after: AfterPhase,
  ) {
    this.#hooks = hooks;
    this.#call = call;
    this.#x = x;
    this.#payload = payload;
    this.#after = after;
    this.#claim = x.claim;
  }

  /** Goes on inside the `done` of the hook before, so that an AsyncLocalStorage entered around it stays entered. */
  advance(): void {
    if (this.#isOver()) return;
    const at = this.#at;
    if (at === this.#hooks.length) {
      this.#after(this.#x, undefined, this.#payload);
      return;
    }
    const done: PhaseDone = (error, payload) => this.#settle(at, error, payload);
    let result: unknown;
    try {
      result = this.#call(this.#hooks[at]!, this.#x, this.#payload, done);
    } catch (error) {
      this.#settle(at, error || new UndefinedError(), undefined);
      return;
    }
    if (isThenable(result)) {
      result.then(
        (payload) => this.#settle(at, undefined, payload),
        (error) => this.#settle(at, error || new UndefinedError(), undefined),
      );
    }
  }

  /** Each hook settles once; what it says later, or after somebody replied, no longer counts. */
  #settle(at: number, error: unknown, payload: unknown): void {
    if (at !== this.#at) return;
    this.#at++;
    if (error) {
      this.#at = Number.POSITIVE_INFINITY;
      if (this.#isOver()) this.#x.log.debug({ err: error }, 'a hook failed after the reply was sent');
      else this.#after(this.#x, error, this.#payload);
      return;
    }
    if (payload !== undefined) this.#payload = payload;
    this.advance();
  }

  #isOver(): boolean {
    return this.#x.claim !== this.#claim || this.#x.isEnded;
  }
}
