// Draws only the rows of a long list that can be seen.
import { h } from './dom.js';

/** Rows above and below the visible ones, in pixels, so that scrolling never shows a gap. */
const marginPx = 400;

export class VirtualList {
  /**
   * @param {object} options
   * @param {(row: any, index: number) => HTMLElement} options.draw Creates the element of a row.
   * @param {(row: any) => number} options.heightOf The height of a row in pixels.
   * @param {object} [options.attributes] Attributes of the element that scrolls.
   * @param {string} [options.role] The role of the element that has the rows.
   */
  constructor({ draw, heightOf, attributes = {}, role }) {
    this.draw = draw;
    this.heightOf = heightOf;
    this.drawn = new Map();
    this.inner = h('div.virtual-inner', { role });
    this.element = h('div.virtual', { tabIndex: 0, ...attributes }, this.inner);
    this.element.addEventListener('scroll', () => this.#schedule(), { passive: true });
    this.resized = new ResizeObserver(() => this.#schedule());
    this.resized.observe(this.element);
    this.rows = [];
    this.tops = [0];
  }

  /** Shows other rows. The position stays where it is, if it can. */
  show(rows) {
    this.rows = rows;
    this.tops = new Float64Array(rows.length + 1);
    for (let i = 0; i < rows.length; i++) this.tops[i + 1] = this.tops[i] + this.heightOf(rows[i]);
    this.inner.style.setProperty('height', `${this.tops[rows.length]}px`);
    this.redraw();
  }

  /** Draws all visible rows anew: what they show has changed. */
  redraw() {
    this.drawn.clear();
    this.inner.replaceChildren();
    this.#update();
  }

  /** Scrolls as little as it takes to show a row. */
  reveal(index) {
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [this.tops[index], this.tops[index + 1]];
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    this.#update();
  }

  #schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#update();
    });
  }

  /** The first row whose end is below a position. */
  #rowAt(top) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #update() {
    const { scrollTop, clientHeight } = this.element;
    const first = this.#rowAt(scrollTop - marginPx);
    const last = Math.min(this.rows.length - 1, this.#rowAt(scrollTop + (clientHeight || 800) + marginPx));
    for (const [index, element] of this.drawn) {
      if (index < first || index > last) {
        element.remove();
        this.drawn.delete(index);
      }
    }
    // In their order: screen readers and the tab key follow the order of elements.
    let next = this.inner.firstChild;
    for (let i = first; i <= last; i++) {
      let element = this.drawn.get(i);
      if (element === undefined) {
        element = this.draw(this.rows[i], i);
        element.classList.add('virtual-row');
        element.style.setProperty('transform', `translateY(${this.tops[i]}px)`);
        element.style.setProperty('height', `${this.tops[i + 1] - this.tops[i]}px`);
        this.inner.insertBefore(element, next);
        this.drawn.set(i, element);
      } else next = element.nextSibling;
    }
  }
}
