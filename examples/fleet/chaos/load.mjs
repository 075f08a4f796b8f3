// Constant load by several users, and what their requests ended with.
import { EventEmitter, on } from 'node:events';
import { makeRandom } from './random.mjs';
import { User } from './user.mjs';

export class Load {
  served = 0;
  /** How often each reason was given. */
  refused = new Map();
  /** What must not happen: no response, one without a reason, or a note that is not what was written. */
  wrong = [];
  users;
  lastRefusalMs = 0;
  #events = new EventEmitter().setMaxListeners(0);
  #isOver = false;
  #running = [];

  /** @param {{ origin: string, seed: number, count: number }} options The balancer, what decides what users do, and how many there are. */
  constructor({ origin, seed, count }) {
    this.users = Array.from({ length: count }, (_, i) => {
      const report = (kind, what) => this.#report(i, kind, what);
      return new User(`user-${seed}-${i}`, origin, makeRandom(seed + i), report);
    });
  }

  async start() {
    await Promise.all(this.users.map((user) => user.join()));
    this.#running = this.users.map(async (user) => {
      while (!this.#isOver) await user.act();
      await user.finish();
    });
  }

  async stop() {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  get refusedCount() {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves after as many more outcomes. */
  async untilOutcomes(count) {
    let left = count;
    for await (const _ of on(this.#events, 'outcome')) if (--left === 0) return;
  }

  /**
   * Resolves when each user has been served some times in a row.
   *
   * @throws if a user was refused too often before that: then the fleet has not recovered.
   */
  async untilServed({ inRow = 5, maxRefusals = 300 } = {}) {
    const rows = new Map(this.users.map((_, i) => [i, 0]));
    let refusals = 0;
    for await (const [user, kind] of on(this.#events, 'outcome')) {
      rows.set(user, kind === 'served' ? rows.get(user) + 1 : 0);
      if (kind !== 'served' && ++refusals > maxRefusals * rows.size)
        throw new Error('the fleet has not recovered');
      if ([...rows.values()].every((row) => row >= inRow)) return;
    }
  }

  #report(user, kind, what) {
    if (kind === 'served') this.served++;
    else if (kind === 'wrong') this.wrong.push(what);
    else {
      this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
      this.lastRefusalMs = performance.now();
    }
    this.#events.emit('outcome', user, kind);
  }
}
