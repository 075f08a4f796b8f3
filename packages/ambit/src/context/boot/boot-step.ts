/** Counts the steps that a step of boot has registered, and how many of them have begun to load. */
import type { Registration } from './plugin-registration.ts';

/** A plugin, or a listener of `after`, that runs at boot. What it registers loads in order, one after the other. */
export class BootStep {
  /** The plugin whose code it is; `undefined` for the code of the application itself. */
  readonly owner: Registration | undefined;
  /** How many steps were registered in this one. */
  #queued = 0;
  /** How many of them have begun. Each begins when the one before it has loaded, with everything that it registered. */
  #begun = 0;
  #waiting: Promise<void> | undefined;
  /** How many steps were queued when `#waiting` began. */
  #waitingFor = 0;

  constructor(owner?: Registration) {
    this.owner = owner;
  }

  /** How many steps were registered so far: the index of the next one. */
  get queued(): number {
    return this.#queued;
  }

  /**
   * Whether a step that was registered here has not loaded yet. Only the code of this step may ask, because it never runs while one of
   * those steps loads.
   */
  get hasUnloadedSteps(): boolean {
    return this.#begun < this.#queued;
  }

  enqueue(): void {
    this.#queued++;
  }

  begin(): void {
    this.#begun++;
  }

  /**
   * Resolves when everything that was registered here so far has loaded.
   *
   * @param load Loads it. It must not be called while another load runs, because it would then resolve at once.
   */
  wait(load: () => Promise<void>): Promise<void> {
    const queued = this.#queued;
    if (this.#waiting !== undefined && this.#waitingFor === queued) return this.#waiting;
    const loaded = this.#waiting === undefined ? load() : this.#waiting.then(nextTurn, nextTurn).then(load);
    const waiting = loaded.finally(() => {
      // A step after a failed one never begins: it counts as begun.
      this.#begun = Math.max(this.#begun, queued);
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
    this.#waiting = waiting;
    this.#waitingFor = queued;
    return waiting;
  }
}

/** Avvio ends the step that resolved the last wait in this turn, so the next load must begin in a later one. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
