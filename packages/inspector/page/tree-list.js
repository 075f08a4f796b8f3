// The tree as a list: contexts as nested boxes, in rows. It has the keys of a tree, according to the ARIA Authoring Practices Guide.
import { h } from './dom.js';
import { chips, createRow, hasInside, hoistedLabel, rowHeights, treeRows } from './tree-rows.js';
import { VirtualList } from './virtual-list.js';

/** @import { Model } from './model.js' */
/** @import { TreeRow } from './tree-rows.js' */

export class TreeList {
  #selected = 0;
  /** @type {ReadonlySet<number>} */
  #folded = new Set();
  /** @type {TreeRow[]} */
  #rows = [];
  #list;
  #model;
  #on;

  /**
   * @param {Model} model
   * @param {object} on
   * @param {(id: number) => void} on.select
   * @param {(id: number) => void} on.toggle Folds or unfolds a context.
   * @param {() => void} on.leave Goes to the details of the selected context.
   */
  constructor(model, on) {
    this.#model = model;
    this.#on = on;
    this.#list = new VirtualList({
      draw: (/** @type {TreeRow} */ row) => this.#drawRow(row),
      heightOf: (/** @type {TreeRow} */ { type }) => rowHeights[type],
      role: 'none',
      attributes: { role: 'tree', 'aria-label': 'Contexts' },
    });
    this.element = this.#list.element;
    this.element.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.#press(event.key)) return;
      event.preventDefault();
    });
  }

  /** @param {ReadonlySet<number>} folded The contexts whose content is folded. */
  show(folded) {
    this.#folded = folded;
    this.#rows = treeRows(this.#model, folded);
    this.#list.show(this.#rows);
  }

  /**
   * Marks a context as the selected one.
   *
   * @param {number} id
   * @param {boolean} isRevealed Whether the list scrolls until it is visible.
   */
  select(id, isRevealed) {
    this.#selected = id;
    this.element.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    this.element.querySelector(`#context-${id}`)?.setAttribute('aria-selected', 'true');
    this.element.setAttribute('aria-activedescendant', `context-${id}`);
    if (isRevealed) this.#list.reveal(this.#rows.findIndex((row) => row.type === 'context' && row.id === id));
  }

  #drawRow(/** @type {TreeRow} */ row) {
    const element = createRow(row);
    if (row.type === 'context') this.#drawContext(element, row);
    if (row.type === 'hoisted') element.append(hoistedLabel(this.#model, row));
    return element;
  }

  #drawContext(/** @type {HTMLElement} */ element, /** @type {TreeRow} */ { id, depth }) {
    const { name, prefix } = this.#model.context(id);
    const isOpen = !this.#folded.has(id);
    const isFoldable = hasInside(this.#model, id);
    element.id = `context-${id}`;
    element.setAttribute('aria-level', String(depth + 1));
    element.setAttribute('aria-selected', String(id === this.#selected));
    if (isFoldable) element.setAttribute('aria-expanded', String(isOpen));
    element.addEventListener('click', () => this.#on.select(id));
    const fold = h('span.fold', { 'aria-hidden': 'true' }, isFoldable && (isOpen ? '▾' : '▸'));
    fold.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#on.toggle(id);
    });
    element.append(
      h(
        'span.tree-label',
        {},
        fold,
        h('span.name', { title: name }, name),
        prefix && h('code.prefix', { title: prefix }, prefix),
        h('span.chips', {}, chips(this.#model, id)),
      ),
    );
  }

  /** @returns {boolean} Whether it is a key of the list. */
  #press(/** @type {string} */ key) {
    const id = this.#selected;
    const isFolded = this.#folded.has(id);
    if (key === 'ArrowDown') this.#step(1);
    else if (key === 'ArrowUp') this.#step(-1);
    else if (key === 'Home') this.#step(Number.NEGATIVE_INFINITY);
    else if (key === 'End') this.#step(Number.POSITIVE_INFINITY);
    else if (key === 'Enter') this.#on.leave();
    else if (key === 'ArrowRight' && isFolded) this.#on.toggle(id);
    else if (key === 'ArrowRight') this.#choose(this.#model.children[id]?.[0]);
    else if (key === 'ArrowLeft' && !isFolded && hasInside(this.#model, id)) this.#on.toggle(id);
    else if (key === 'ArrowLeft') this.#choose(this.#model.context(id).parent ?? 0);
    else return false;
    return true;
  }

  /** Selects the visible context at a distance in rows. */
  #step(/** @type {number} */ distance) {
    const visible = this.#rows.filter(({ type }) => type === 'context').map(({ id }) => id);
    const index = Math.max(0, Math.min(visible.length - 1, visible.indexOf(this.#selected) + distance));
    this.#choose(visible[index]);
  }

  #choose(/** @type {number | undefined} */ id) {
    if (id === undefined) return;
    this.#on.select(id);
    this.select(id, true);
  }
}
