// Draws only the visible rows of a long list.
import { h } from './dom.js';

/** Rows above and below the visible ones, in pixels, so that scrolling never shows a gap. */
const marginPx = 400;

/** @template Row */
export class VirtualList {
  /** The drawn rows by their keys. @type {Map<unknown, { row: Row, element: HTMLElement }>} */
  #drawn = new Map();
  /** @type {readonly Row[]} */
  #rows = [];
  /** The top of each row, and the end of the last one, in pixels. */
  #tops = new Float64Array(1);
  /** @type {number | undefined} */
  #frame;
  #draw;
  #heightOf;
  #keyOf;
  #inner;

  /**
   * @param {object} options
   * @param {(row: Row, index: number) => HTMLElement} options.draw Creates the element of a row.
   * @param {(row: Row) => number} options.heightOf The height of a row in pixels.
   * @param {(row: Row) => unknown} [options.keyOf] Identifies a row that has moved, or that is another object now. With it, `show` leaves
   *   the elements of rows alone that are the same objects, and a row that has the focus keeps it.
   * @param {import('./dom.js').Properties} [options.attributes] Attributes of the element that scrolls.
   * @param {string} [options.role] The role of the element that contains the rows. In a `list`, each row gets its position.
   */
  constructor({ draw, heightOf, keyOf, attributes = {}, role }) {
    this.#draw = draw;
    this.#heightOf = heightOf;
    this.#keyOf = keyOf;
    this.#inner = h('div.virtual-inner', { role });
    this.element = h('div.virtual', { tabIndex: 0, ...attributes }, this.#inner);
    this.element.addEventListener('scroll', () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#schedule()).observe(this.element);
  }

  /**
   * Shows other rows.
   *
   * @param {readonly Row[]} rows
   * @param {boolean} [isAnchored] Whether the first visible row stays where it is on the screen, if it is among the new ones. It needs
   *   `keyOf`. Otherwise, the scroll position stays the same if possible.
   */
  show(rows, isAnchored = false) {
    const anchor = isAnchored ? this.#rowAt(this.element.scrollTop) : -1;
    const [row, top] = [this.#rows[anchor], this.#tops[anchor] ?? 0];
    this.#rows = rows;
    this.#tops = new Float64Array(rows.length + 1);
    rows.forEach((each, i) => {
      this.#tops[i + 1] = this.#top(i) + this.#heightOf(each);
    });
    this.#inner.style.setProperty('height', `${this.#top(rows.length)}px`);
    const index = row === undefined ? -1 : this.#indexOf(this.#keyOf?.(row));
    if (index !== -1) this.element.scrollTop += this.#top(index) - top;
    if (this.#keyOf === undefined) this.redraw();
    else this.#update();
  }

  /** Draws all visible rows again, because their content has changed. */
  redraw() {
    const [focused] = [...this.#drawn].find(([, { element }]) => this.#keepsFocus(element)) ?? [];
    this.#drawn.clear();
    this.#inner.replaceChildren();
    this.#update();
    if (focused !== undefined) focusIn(this.#drawn.get(focused)?.element);
  }

  /**
   * Scrolls until a row is visible, by the smallest possible distance.
   *
   * @param {number} index
   * @returns {HTMLElement | undefined} The element of the row.
   */
  reveal(index) {
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [this.#top(index), this.#top(index + 1)];
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    this.#update();
    return this.#drawn.get(this.#keyAt(index))?.element;
  }

  /** The elements of the drawn rows, by their rows. @returns {Iterable<{ row: Row, element: HTMLElement }>} */
  get drawn() {
    return this.#drawn.values();
  }

  #top(/** @type {number} */ index) {
    return /** @type {number} */ (this.#tops[index]);
  }

  #keyAt(/** @type {number} */ index) {
    return this.#keyOf === undefined ? index : this.#keyOf(/** @type {Row} */ (this.#rows[index]));
  }

  #indexOf(/** @type {unknown} */ key) {
    return this.#rows.findIndex((_row, i) => this.#keyAt(i) === key);
  }

  #schedule() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#update();
    });
  }

  /** The first row whose end is below a position. */
  #rowAt(/** @type {number} */ top) {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#top(middle + 1) <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #update() {
    const { scrollTop, clientHeight } = this.element;
    const first = this.#rowAt(scrollTop - marginPx);
    const last = Math.min(this.#rows.length - 1, this.#rowAt(scrollTop + (clientHeight || 800) + marginPx));
    const indexes = new Map();
    for (let i = first; i <= last; i++) indexes.set(this.#keyAt(i), i);
    const focused = this.#removeExcept(indexes);
    // Screen readers and the tab key follow the order of elements.
    let next = this.#inner.firstChild;
    for (const [key, index] of [...indexes].sort(([, a], [, b]) => a - b)) {
      const element = this.#elementOf(key, index);
      this.#place(element, index);
      if (element === next) next = next.nextSibling;
      else this.#inner.insertBefore(element, next);
    }
    if (focused !== undefined) focusIn(this.#drawn.get(focused)?.element);
  }

  /**
   * Removes what is not to be seen, or was drawn for another object. A row with the focus stays, also outside the visible part.
   *
   * @param {Map<unknown, number>} indexes The indexes of the rows to draw, by their keys.
   * @returns {unknown} The key of a row that has had the focus, and is drawn again.
   */
  #removeExcept(indexes) {
    let focused;
    for (const [key, { row, element }] of this.#drawn) {
      const hasFocus = this.#keepsFocus(element);
      if (hasFocus && !indexes.has(key)) {
        const index = this.#indexOf(key);
        if (index !== -1) indexes.set(key, index);
      }
      const index = indexes.get(key);
      if (index !== undefined && this.#rows[index] === row) continue;
      if (index !== undefined && hasFocus) focused = key;
      element.remove();
      this.#drawn.delete(key);
    }
    return focused;
  }

  #keepsFocus(/** @type {HTMLElement} */ element) {
    return this.#keyOf !== undefined && element.contains(document.activeElement);
  }

  #elementOf(/** @type {unknown} */ key, /** @type {number} */ index) {
    let drawn = this.#drawn.get(key);
    if (drawn === undefined) {
      const row = /** @type {Row} */ (this.#rows[index]);
      drawn = { row, element: this.#draw(row, index) };
      drawn.element.classList.add('virtual-row');
      this.#drawn.set(key, drawn);
    }
    return drawn.element;
  }

  #place(/** @type {HTMLElement} */ element, /** @type {number} */ index) {
    element.style.setProperty('transform', `translateY(${this.#top(index)}px)`);
    element.style.setProperty('height', `${this.#top(index + 1) - this.#top(index)}px`);
    if (this.#inner.role !== 'list') return;
    element.setAttribute('aria-setsize', String(this.#rows.length));
    element.setAttribute('aria-posinset', String(index + 1));
  }
}

function focusIn(/** @type {HTMLElement | undefined} */ element) {
  /** @type {HTMLElement | null | undefined} */ (element?.querySelector('a, button'))?.focus({
    preventScroll: true,
  });
}
