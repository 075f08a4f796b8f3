// The rows of the tree. Each draws its part of the boxes around it, so that only visible rows need elements.
import { h } from './dom.js';
import { count, countKind, kinds } from './format.js';

/** @import { PluginModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/**
 * @typedef {object} TreeRow
 * @property {'context' | 'hoisted' | 'end'} type
 * @property {number} id The context.
 * @property {number} depth
 * @property {PluginModel} [plugin] Of a hoisted plugin.
 */

export const rowHeights = { context: 46, hoisted: 30, end: 10 };

/** Deeper boxes are drawn closer and closer together, so that a deep tree stays in the window. */
const wideLevels = 8;
/** How much wider than the wide levels all others together can get, and after how many of them half of it is reached. */
const maxRest = 5;
const halfway = 12;

function stepsIn(/** @type {number} */ level) {
  const rest = Math.max(0, level - wideLevels);
  return Math.min(level, wideLevels) + (maxRest * rest) / (rest + halfway);
}

/**
 * @param {Model} model
 * @param {ReadonlySet<number>} closed The contexts whose inside is folded.
 * @returns {TreeRow[]}
 */
export function treeRows(model, closed) {
  /** @type {TreeRow[]} */
  const rows = [];
  // Without recursion: a tree may be as deep as it likes.
  /** @type {{ id: number, depth: number, isEnd: boolean }[]} */
  const open = [{ id: 0, depth: 0, isEnd: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, depth, isEnd } = next;
    rows.push({ type: isEnd ? 'end' : 'context', id, depth });
    if (isEnd) continue;
    open.push({ id, depth, isEnd: true });
    if (closed.has(id)) continue;
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
export function frameRow({ type, depth }) {
  const element = h(`div.tree-row.tree-${type}`, {
    role: type === 'context' ? 'treeitem' : 'none',
    style: { '--depth': stepsIn(depth) },
  });
  for (let level = 0; level <= depth; level++) {
    // Between them, the boxes are so close that nobody could tell them apart.
    if (level > wideLevels + 10 && level < depth - 10) continue;
    const isOwn = level === depth;
    const edge = isOwn && type === 'context' ? '.is-top' : isOwn && type === 'end' ? '.is-bottom' : '';
    element.append(h(`span.edge.tone-${level % 4}${edge}`, { style: { '--level': stepsIn(level) } }));
  }
  return element;
}

/** How many of each kind a context defines. */
export function chips(/** @type {Model} */ model, /** @type {number} */ id) {
  const { definitions } = model.context(id);
  const texts = kinds.flatMap((kind) => {
    const found = definitions.filter((definition) => definition.kind === kind).length;
    return found === 0 ? [] : [h(`span.chip.kind-${kind}`, {}, countKind(found, kind))];
  });
  const routes = (model.routesOf[id] ?? []).filter(({ isAutomatic }) => !isAutomatic).length;
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
