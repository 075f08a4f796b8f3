// Pseudo-random numbers for benchmarks and simulations, which are the same in every run with the same seed.

/** @param {number} seed @returns {() => number} Numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The milliseconds until the next of independent arrivals with a mean rate (a Poisson process). */
export function nextArrivalMs(random, perSecond) {
  return (-Math.log(1 - random()) / perSecond) * 1_000;
}
