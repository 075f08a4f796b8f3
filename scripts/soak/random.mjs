// A generator of random numbers that gives the same numbers for the same seed (mulberry32).

/**
 * @param {number} seed
 * @returns {() => number} Each call returns a number from 0 (inclusive) to 1 (exclusive).
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
