// Shows the tree: contexts as nested boxes, and the details of the selected context.
import { contextDetails } from './context-view.js';
import { fill, h } from './dom.js';
import { count } from './format.js';
import { chips, createRow, hasInside, hoistedLabel, rowHeights, treeRows } from './tree-rows.js';
import { VirtualList } from './virtual-list.js';

/** @import { Model } from './model.js' */
/** @import { TreeRow } from './tree-rows.js' */

/**
 * @param {Model} model
 * @param {(hash: string, isQuiet?: boolean) => void} go
 */
export function treeView(model, go) {
  /** @type {Set<number>} */
  const folded = new Set();
  let selected = 0;
  /** @type {TreeRow[]} */
  let rows = [];
  const details = h('aside.details', { 'aria-label': 'Context' });
  const list = new VirtualList({
    draw: drawRow,
    heightOf: (/** @type {TreeRow} */ { type }) => rowHeights[type],
    role: 'none',
    attributes: { role: 'tree', 'aria-label': 'Contexts' },
  });
  const toggleAll = h('button.quiet', { type: 'button', on: { click: foldAll } });

  function build() {
    rows = treeRows(model, folded);
    list.show(rows);
    toggleAll.textContent = folded.size === 0 ? 'Fold all' : 'Unfold all';
  }

  function foldAll() {
    const isOpen = folded.size === 0;
    folded.clear();
    if (isOpen)
      for (const { id, parent } of model.contexts)
        if (parent !== null && hasInside(model, id)) folded.add(id);
    build();
  }

  function drawRow(/** @type {TreeRow} */ row) {
    const element = createRow(row);
    if (row.type === 'context') drawContext(element, row);
    if (row.type === 'hoisted') element.append(hoistedLabel(model, row));
    return element;
  }

  function drawContext(/** @type {HTMLElement} */ element, /** @type {TreeRow} */ { id, depth }) {
    const { name, prefix } = model.context(id);
    const isOpen = !folded.has(id);
    element.id = `context-${id}`;
    element.setAttribute('aria-level', String(depth + 1));
    element.setAttribute('aria-selected', String(id === selected));
    if (hasInside(model, id)) element.setAttribute('aria-expanded', String(isOpen));
    element.addEventListener('click', () => select(id, true));
    const fold = h('span.fold', { 'aria-hidden': 'true' }, hasInside(model, id) && (isOpen ? '▾' : '▸'));
    fold.addEventListener('click', (event) => {
      event.stopPropagation();
      toggle(id);
    });
    element.append(
      h(
        'span.tree-label',
        {},
        fold,
        h('span.name', { title: name }, name),
        prefix && h('code.prefix', { title: prefix }, prefix),
        h('span.chips', {}, chips(model, id)),
      ),
    );
  }

  function toggle(/** @type {number} */ id) {
    if (folded.has(id)) folded.delete(id);
    else if (hasInside(model, id)) folded.add(id);
    build();
  }

  function select(/** @type {number} */ id, /** @type {boolean} */ isByUser) {
    selected = id;
    for (const { parent } of model.chain(id)) if (parent !== null) folded.delete(parent);
    build();
    list.element.setAttribute('aria-activedescendant', `context-${id}`);
    list.reveal(rows.findIndex((row) => row.type === 'context' && row.id === id));
    fill(details, contextDetails(model, id));
    details.scrollTop = 0;
    if (isByUser) go(`#/context/${id}`, true);
  }

  list.element.addEventListener('keydown', (event) => {
    const move = moves.get(event.key);
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  });

  /** Selects the visible context at a distance in rows. */
  function step(/** @type {number} */ distance) {
    const visible = rows.filter(({ type }) => type === 'context').map(({ id }) => id);
    const index = Math.max(0, Math.min(visible.length - 1, visible.indexOf(selected) + distance));
    select(visible[index] ?? 0, true);
  }

  /** The keys of a tree, according to the ARIA Authoring Practices Guide. */
  const moves = new Map([
    ['ArrowDown', () => step(1)],
    ['ArrowUp', () => step(-1)],
    ['Home', () => step(Number.NEGATIVE_INFINITY)],
    ['End', () => step(Number.POSITIVE_INFINITY)],
    ['Enter', () => /** @type {HTMLElement | null} */ (details.querySelector('a, button, summary'))?.focus()],
    [
      'ArrowRight',
      () => {
        const [child] = model.children[selected] ?? [];
        if (folded.has(selected)) toggle(selected);
        else if (child !== undefined) select(child, true);
      },
    ],
    [
      'ArrowLeft',
      () => {
        if (!folded.has(selected) && hasInside(model, selected)) toggle(selected);
        else select(model.context(selected).parent ?? 0, true);
      },
    ],
  ]);

  const element = h(
    'div.view.split',
    {},
    h(
      'div.main-column',
      {},
      h(
        'div.view-head',
        {},
        h('h1', {}, 'Tree'),
        h('p.lead', {}, summarize(model)),
        model.listed(model.contexts).length > 1 && toggleAll,
      ),
      list.element,
    ),
    details,
  );
  build();
  return {
    element,
    /** @param {string} [id] */
    show: (id = '0') => select(model.idOf(id), false),
  };
}

function summarize(/** @type {Model} */ model) {
  const hoisted = model.listed(model.plugins).filter(({ isHoisted }) => isHoisted).length;
  return [
    count(model.listed(model.contexts).length, 'context'),
    count(hoisted, 'hoisted plugin'),
    count(model.listed(model.routes).length, 'route'),
  ].join(' · ');
}
