// Creates the rows of the tree. Each row draws its part of the boxes around it, so that only visible rows need elements.
import { h } from './dom.js';
import { count, countKind, kinds } from './format.js';

/** @import { PluginModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/**
 * @typedef {object} TreeRow
 * @property {'context' | 'hoisted' | 'end'} type
 * @property {number} id The context.
 * @property {number} depth
 * @property {PluginModel} [plugin] The plugin, for the type `hoisted`.
 */

export const rowHeights = { context: 46, hoisted: 30, end: 10 };

/**
 * The number of levels with the full indent. Deeper boxes are drawn closer and closer together, so that a deep tree fits into the window.
 */
const wideLevels = 8;
/** The maximum indent of all deeper levels together, and the number of levels after which half of it is reached. */
const maxRest = 5;
const halfway = 12;

function indentOf(/** @type {number} */ level) {
  const rest = Math.max(0, level - wideLevels);
  return Math.min(level, wideLevels) + (maxRest * rest) / (rest + halfway);
}

/**
 * @param {Model} model
 * @param {ReadonlySet<number>} folded The contexts whose content is folded.
 * @returns {TreeRow[]}
 */
export function treeRows(model, folded) {
  /** @type {TreeRow[]} */
  const rows = [];
  // It does not use recursion, because a tree may have any depth.
  /** @type {{ id: number, depth: number, isEnd: boolean }[]} */
  const open = [{ id: 0, depth: 0, isEnd: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, depth, isEnd } = next;
    rows.push({ type: isEnd ? 'end' : 'context', id, depth });
    if (isEnd) continue;
    open.push({ id, depth, isEnd: true });
    if (folded.has(id)) continue;
    for (const plugin of model.pluginsIn(id).hoisted) rows.push({ type: 'hoisted', id, plugin, depth });
    for (const child of (model.children[id] ?? []).toReversed())
      open.push({ id: child, depth: depth + 1, isEnd: false });
  }
  return rows;
}

export function hasInside(/** @type {Model} */ model, /** @type {number} */ id) {
  return (model.children[id] ?? []).length > 0 || model.pluginsIn(id).hoisted.length > 0;
}

/**
 * The element of a row, with its part of the boxes around it.
 *
 * @param {TreeRow} row
 */
export function createRow({ type, depth }) {
  const element = h(`div.tree-row.tree-${type}`, {
    role: type === 'context' ? 'treeitem' : 'none',
    style: { '--depth': indentOf(depth) },
  });
  for (let level = 0; level <= depth; level++) {
    // The boxes between these levels are so close that they cannot be distinguished.
    if (level > wideLevels + 10 && level < depth - 10) continue;
    const isOwn = level === depth;
    const edge = isOwn && type === 'context' ? '.is-top' : isOwn && type === 'end' ? '.is-bottom' : '';
    element.append(h(`span.edge.tone-${level % 4}${edge}`, { style: { '--level': indentOf(level) } }));
  }
  return element;
}

/** The number of definitions of each kind in a context. */
export function chips(/** @type {Model} */ model, /** @type {number} */ id) {
  const definitions = model.definitionsOf(id);
  const texts = kinds.flatMap((kind) => {
    const count = definitions.filter((definition) => definition.kind === kind).length;
    return count === 0 ? [] : [h(`span.chip.kind-${kind}`, {}, countKind(count, kind))];
  });
  const routes = model.routesOf[id]?.length ?? 0;
  if (routes > 0) texts.push(h('span.chip.kind-route', {}, count(routes, 'route')));
  return texts;
}

export function hoistedLabel(/** @type {Model} */ model, /** @type {TreeRow} */ { plugin, id }) {
  const defined = model.context(id).definitions.filter((definition) => definition.plugin === plugin?.id);
  const names = defined.slice(0, 4).map(({ name }) => name);
  return h(
    'span.tree-label',
    { title: `${plugin?.name} is hoisted: what it defines lands in this context` },
    h('span.hoist-mark', { 'aria-hidden': 'true' }, '↥'),
    h('span.hoisted-name', {}, plugin?.name),
    h(
      'span.hoisted-adds',
      {},
      names.length > 0 && `adds ${names.join(', ')}${defined.length > 4 ? ', …' : ''}`,
    ),
  );
}
