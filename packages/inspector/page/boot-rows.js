// The rows of the waterfall: which plugin and which listener of `after` ran when, what each waited for, and who registered it.

/** @import { Model } from './model.js' */

/**
 * A row. Times are in milliseconds since the beginning of boot.
 *
 * @typedef {object} BootRow
 * @property {string} name
 * @property {'plugin' | 'hoisted' | 'after'} kind
 * @property {number} context
 * @property {string | null} file
 * @property {number} depth How many plugins registered one another, down to this one.
 * @property {string | null} waitedFor The plugin that had to load before.
 * @property {number} queuedMs When it was its turn, but for others: when the code that registered it had ended.
 * @property {number} startMs
 * @property {number} endMs When its own code had ended.
 * @property {number} idleMs The part of that time in which the process had nothing to do.
 * @property {number} loadedMs When everything that it registered had loaded.
 */

/** @returns {BootRow[]} In the order in which they began: each after the plugin that registered it. */
export function bootRows(/** @type {Model} */ model) {
  const { plugins, afterListeners } = model;
  /** @type {number[]} */
  const depths = [];
  const around = (/** @type {number | null} */ owner) => ({
    depth: owner === null ? 0 : (depths[owner] ?? 0) + 1,
    ownerEndMs: owner === null ? 0 : (plugins[owner]?.endMs ?? 0),
  });
  const ofPlugins = plugins.map((plugin) => {
    const { id, isHoisted, registeredBy, waitedFor, startMs } = plugin;
    const { depth, ownerEndMs } = around(registeredBy);
    depths[id] = depth;
    return {
      ...plugin,
      kind: /** @type {'hoisted' | 'plugin'} */ (isHoisted ? 'hoisted' : 'plugin'),
      depth,
      waitedFor: waitedFor === null ? null : (plugins[waitedFor]?.name ?? null),
      queuedMs: Math.min(startMs, ownerEndMs),
    };
  });
  /** @type {BootRow[]} */
  const rows = [...model.listed(ofPlugins)];
  for (const listener of afterListeners) {
    const { depth, ownerEndMs } = around(listener.plugin);
    const { startMs, endMs } = listener;
    rows.push({
      ...listener,
      kind: 'after',
      depth,
      waitedFor: null,
      queuedMs: Math.min(startMs, ownerEndMs),
      loadedMs: endMs,
    });
  }
  return rows.sort((a, b) => a.startMs - b.startMs);
}

/** How long the code of a plugin itself took. */
export function ownMs(/** @type {BootRow} */ { startMs, endMs }) {
  return endMs - startMs;
}

/** What takes a smaller part of boot is not worth a name. */
const leastShare = 0.02;

/** The rows whose own code took longest, the slowest first. */
export function slowest(
  /** @type {readonly BootRow[]} */ rows,
  /** @type {number} */ number,
  /** @type {number} */ totalMs,
) {
  return rows
    .filter((row) => ownMs(row) > totalMs * leastShare)
    .sort((a, b) => ownMs(b) - ownMs(a))
    .slice(0, number);
}

/**
 * The distance between two ticks: 1, 2 or 5 times a power of ten, for at most `most` ticks.
 *
 * @param {number} totalMs
 * @param {number} most
 */
export function tickMs(totalMs, most) {
  if (totalMs <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(totalMs / most));
  return power * ([1, 2, 5].find((step) => totalMs / (step * power) <= most) ?? 10);
}
