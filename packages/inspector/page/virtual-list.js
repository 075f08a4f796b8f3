// Draws only the visible rows of a long list.
import { h } from './dom.js';

/** Rows above and below the visible ones, in pixels, so that scrolling never shows a gap. */
const marginPx = 400;

/** @template Row */
export class VirtualList {
  /** @type {Map<number, HTMLElement>} */
  #drawn = new Map();
  /** @type {readonly Row[]} */
  #rows = [];
  /** The top of each row, and the end of the last one, in pixels. */
  #tops = new Float64Array(1);
  /** @type {number | undefined} */
  #frame;
  #draw;
  #heightOf;
  #inner;

  /**
   * @param {object} options
   * @param {(row: Row, index: number) => HTMLElement} options.draw Creates the element of a row.
   * @param {(row: Row) => number} options.heightOf The height of a row in pixels.
   * @param {import('./dom.js').Properties} [options.attributes] Attributes of the element that scrolls.
   * @param {string} [options.role] The role of the element that contains the rows.
   */
  constructor({ draw, heightOf, attributes = {}, role }) {
    this.#draw = draw;
    this.#heightOf = heightOf;
    this.#inner = h('div.virtual-inner', { role });
    this.element = h('div.virtual', { tabIndex: 0, ...attributes }, this.#inner);
    this.element.addEventListener('scroll', () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#schedule()).observe(this.element);
  }

  /**
   * Shows other rows. The scroll position stays the same if possible.
   *
   * @param {readonly Row[]} rows
   */
  show(rows) {
    this.#rows = rows;
    this.#tops = new Float64Array(rows.length + 1);
    rows.forEach((row, i) => {
      this.#tops[i + 1] = this.#top(i) + this.#heightOf(row);
    });
    this.#inner.style.setProperty('height', `${this.#top(rows.length)}px`);
    this.redraw();
  }

  /** Draws all visible rows again, because their content has changed. */
  redraw() {
    this.#drawn.clear();
    this.#inner.replaceChildren();
    this.#update();
  }

  /**
   * Scrolls until a row is visible, by the smallest possible distance.
   *
   * @param {number} index
   */
  reveal(index) {
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [this.#top(index), this.#top(index + 1)];
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    this.#update();
  }

  #top(/** @type {number} */ index) {
    return /** @type {number} */ (this.#tops[index]);
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
    for (const [index, element] of this.#drawn) {
      if (index < first || index > last) {
        element.remove();
        this.#drawn.delete(index);
      }
    }
    // The elements must be in order, because screen readers and the tab key follow the order of elements.
    let next = this.#inner.firstChild;
    for (let i = first; i <= last; i++) {
      const drawn = this.#drawn.get(i);
      if (drawn === undefined) this.#inner.insertBefore(this.#drawRow(i), next);
      else next = drawn.nextSibling;
    }
  }

  #drawRow(/** @type {number} */ index) {
    const element = this.#draw(/** @type {Row} */ (this.#rows[index]), index);
    element.classList.add('virtual-row');
    element.style.setProperty('transform', `translateY(${this.#top(index)}px)`);
    element.style.setProperty('height', `${this.#top(index + 1) - this.#top(index)}px`);
    this.#drawn.set(index, element);
    return element;
  }
}
