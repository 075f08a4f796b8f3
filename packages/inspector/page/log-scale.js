// A logarithmic scale of times: each step is ten times the one before, so that 100 µs and 10 s fit into one picture.

/** The first and the last power of ten of a scale without times: from 100 µs to 1 s. */
const usual = { from: -1, to: 3 };
/** Shorter times are drawn as 10 µs. */
const lowest = -2;
const highest = 7;

/**
 * A mark of the scale.
 *
 * @typedef {object} Tick
 * @property {number} ms
 * @property {number} at Its place, from 0 to 1.
 */

export class LogScale {
  /** The power of ten of a millisecond at which the scale begins. */
  from = usual.from;
  /** The power of ten at which it ends. */
  to = usual.to;

  /**
   * Extends the scale, so that it contains a time. It never becomes shorter, because then all bars would move.
   *
   * @param {number} ms
   * @returns {boolean} Whether the scale has changed.
   */
  include(ms) {
    if (!(ms > 0)) return false;
    const { from, to } = this;
    const power = Math.log10(ms);
    this.from = Math.max(lowest, Math.min(from, Math.floor(power)));
    this.to = Math.min(highest, Math.max(to, Math.ceil(power)));
    return this.from !== from || this.to !== to;
  }

  /**
   * The place of a time, from 0 to 1.
   *
   * @param {number} ms
   */
  at(ms) {
    if (!(ms > 0)) return 0;
    return Math.min(1, Math.max(0, (Math.log10(ms) - this.from) / (this.to - this.from)));
  }

  /**
   * The powers of ten.
   *
   * @param {number} most How many fit.
   * @returns {Tick[]}
   */
  ticks(most) {
    const each = Math.max(1, Math.ceil((this.to - this.from) / Math.max(1, most - 1)));
    const ticks = [];
    for (let power = this.from; power <= this.to; power += each)
      ticks.push({ ms: 10 ** power, at: (power - this.from) / (this.to - this.from) });
    return ticks;
  }
}
