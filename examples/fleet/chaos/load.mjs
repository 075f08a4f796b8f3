// A constant load of several users, which counts the outcomes of their requests.
import { EventEmitter, on } from 'node:events';
import { createRandom } from './random.mjs';
import { User } from './user.mjs';

export class Load {
  served = 0;
  /** The number of refused requests for each reason. */
  refused = new Map();
  /** Outcomes that must not happen: no response, an error without a reason, or a note that differs from what was written. */
  wrong = [];
  users;
  lastRefusalMs = 0;
  #events = new EventEmitter().setMaxListeners(0);
  #isOver = false;
  #running = [];

  /**
   * @param {{ origin: string, seed: number, count: number }} options The origin of the load balancer, the seed of the
   *   random actions, and the number of users.
   */
  constructor({ origin, seed, count }) {
    this.users = Array.from({ length: count }, (_, i) => {
      const report = (kind, what) => this.#report(i, kind, what);
      return new User(`user-${seed}-${i}`, origin, createRandom(seed + i), report);
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

  /** Resolves after that many more outcomes. */
  async untilOutcomes(count) {
    let left = count;
    for await (const _ of on(this.#events, 'outcome')) if (--left === 0) return;
  }

  /**
   * Resolves when each user has been served `inRow` times in a row.
   *
   * @throws if users were refused too often before that, because the fleet has not recovered then.
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
