/** Keeps track of what a step of boot has registered, and of how much of it has loaded. */
import type { Registration } from './plugin-registration.ts';

/** A plugin, or a listener of `after`, that runs at boot. What it registers loads in that order, one after the other. */
export class BootStep {
  /** The plugin whose code it is; `undefined` for the code of the application itself. */
  readonly owner: Registration | undefined;
  /** Steps that were registered in this one. */
  #queued = 0;
  /** How many of them have begun. Each begins once the one before it has loaded, with everything inside it. */
  #begun = 0;
  #waiting: Promise<void> | undefined;
  /** What was queued when `#waiting` began. */
  #waitingFor = 0;

  constructor(owner?: Registration) {
    this.owner = owner;
  }

  /** How many steps were registered so far: the place of the next one. */
  get queued(): number {
    return this.#queued;
  }

  /** Whether something that was registered here has yet to load. Holds for the code of the step itself, which never runs beside one that loads. */
  get isWaiting(): boolean {
    return this.#begun < this.#queued;
  }

  enqueue(): void {
    this.#queued++;
  }

  begin(): void {
    this.#begun++;
  }

  /**
   * Resolves when everything that is registered here by now has loaded.
   *
   * @param load Asks for it; answers at once while it is asked for already, so that one waits for the other.
   */
  wait(load: () => Promise<void>): Promise<void> {
    const queued = this.#queued;
    if (this.#waiting !== undefined && this.#waitingFor === queued) return this.#waiting;
    const loaded = this.#waiting === undefined ? load() : this.#waiting.then(nextTurn, nextTurn).then(load);
    const waiting = loaded.finally(() => {
      // What failed was passed over: it never begins.
      this.#begun = Math.max(this.#begun, queued);
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
    this.#waiting = waiting;
    this.#waitingFor = queued;
    return waiting;
  }
}

/** The step that has answered a wait ends in this turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
