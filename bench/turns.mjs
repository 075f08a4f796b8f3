/**
 * The order in which `count` subjects run in turn number `turn`. Over all turns, each subject has each place, and
 * follows each other subject, equally often, because a subject changes caches and clock rates for the next one. These
 * are the rows of a Latin square that is balanced for carry-over (E. J. Williams, Australian Journal of Scientific
 * Research A2, 1949). The square is complete after `count` turns, or twice as many if `count` is odd.
 *
 * @param {number} count
 * @param {number} turn
 * @returns {number[]} The numbers from `0` to `count - 1`, each once.
 */
export function orderOfTurn(count, turn) {
  const order = zigzag(count).map((place) => (place + turn) % count);
  const mirrored = count % 2 === 1 && Math.floor(turn / count) % 2 === 1;
  return mirrored ? order.reverse() : order;
}

/** 0, 1, last, 2, last but one, …: the differences between neighbours are all different. */
function zigzag(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, i) => (i % 2 === 1 ? (i + 1) / 2 : (count - i / 2) % count));
}
