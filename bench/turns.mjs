/**
 * In which order `count` subjects run, the `turn`-th time: over the turns each has each place and each other's place behind it equally
 * often, because what ran before leaves its traces in caches and clock rates. The rows of a Latin square that is balanced for carry-over
 * (E. J. Williams, Australian Journal of Scientific Research A2, 1949): `count` turns make it whole, twice as many when `count` is odd.
 *
 * @param {number} count
 * @param {number} turn
 * @returns {number[]} Of `0` to `count - 1`, each once.
 */
export function orderOfTurn(count, turn) {
  const order = zigzag(count).map((place) => (place + turn) % count);
  const mirrored = count % 2 === 1 && Math.floor(turn / count) % 2 === 1;
  return mirrored ? order.reverse() : order;
}

/** 0, 1, last, 2, last but one, …: the distances between neighbours are all different. */
function zigzag(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, i) => (i % 2 === 1 ? (i + 1) / 2 : (count - i / 2) % count));
}
