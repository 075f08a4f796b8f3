// The elements that the picture is made of, and the layer that keeps those of its boxes.
import { h, svg } from './dom.js';
import { markHeight } from './picture-content.js';
import { padding } from './picture-layout.js';

/** @import { Mark, TextKind } from './picture-content.js' */
/** @import { Detail } from './picture-detail.js' */
/** @import { Box } from './picture-layout.js' */

/** Elements for boxes, which are kept as long as the boxes are drawn in the same way. */
export class Layer {
  element = svg('g');
  /** @type {Map<number, { element: SVGGElement, key: string }>} */
  drawn = new Map();
  #create;

  constructor(/** @type {(box: Box, detail: Detail) => SVGGElement} */ create) {
    this.#create = create;
  }

  clear() {
    this.drawn.clear();
    this.element.replaceChildren();
  }

  /**
   * @param {readonly { readonly box: Box, readonly detail: Detail }[]} boxes In the order in which they are drawn.
   * @param {string} state What all elements depend on.
   */
  show(boxes, state) {
    const ids = new Set(boxes.map(({ box }) => box.id));
    for (const [id, { element }] of this.drawn) {
      if (ids.has(id)) continue;
      element.remove();
      this.drawn.delete(id);
    }
    let next = this.element.firstChild;
    for (const { box, detail } of boxes) {
      const key = `${detail} ${state}`;
      const drawn = this.drawn.get(box.id);
      if (drawn?.key === key) {
        next = drawn.element.nextSibling;
        continue;
      }
      const element = this.#create(box, detail);
      if (drawn === undefined) this.element.insertBefore(element, next);
      else drawn.element.replaceWith(element);
      next = element.nextSibling;
      this.drawn.set(box.id, { element, key });
    }
  }
}

export function legend() {
  return h(
    'div.picture-legend',
    { id: 'picture-keys' },
    h('span', {}, h('span.hoist-mark', { 'aria-hidden': 'true' }, '↥'), 'hoisted plugin, and what it adds'),
    h(
      'span',
      {},
      svg('svg', { class: 'shield', viewBox: '0 0 10 12', 'aria-hidden': 'true' }, shield()),
      'hook before the handler',
    ),
    h('span.picture-help', {}, 'Keys: arrows, Enter in, Esc out, Space fold, + − 0 zoom, Shift arrows move'),
  );
}

function shield() {
  return svg('path', { d: 'M5 0 9.5 1.6V6c0 3-2 5-4.5 6C2.500 11 .5 9 .5 6V1.600z', class: 'shield-shape' });
}

export function drawMark(/** @type {Mark} */ { kind, text, x, y, width }) {
  const isGuard = kind === 'guard';
  const element = svg(
    'g',
    { class: `mark kind-${kind}`, transform: `translate(${padding + x} ${padding + y - markHeight / 2})` },
    svg('rect', { width, height: markHeight, rx: markHeight / 2 }),
    svg('text', { x: isGuard ? 20 : 7, y: markHeight / 2 }, text),
  );
  if (isGuard) element.append(svg('g', { transform: 'translate(7 3.5) scale(.92)' }, shield()));
  return element;
}

/** The button that folds a box, in its upper right corner. */
export function drawFold(/** @type {number} */ width, /** @type {boolean} */ isFolded) {
  return svg(
    'g',
    { class: 'box-fold', transform: `translate(${width - 24} 6)` },
    svg('rect', { width: 18, height: 18, rx: 5 }),
    svg('path', { d: isFolded ? 'M5 9h8M9 5v8' : 'M5 9h8' }),
    svg('title', {}, isFolded ? 'Unfold' : 'Fold'),
  );
}

/** Measures texts in the fonts of `picture.css`. The same text is measured once. */
export function createMeasure() {
  const context = document.createElement('canvas').getContext('2d');
  const styles = getComputedStyle(document.documentElement);
  const [sans, mono] = [styles.getPropertyValue('--sans'), styles.getPropertyValue('--mono')];
  /** @type {Record<TextKind, string>} */
  const fonts = {
    name: `600 14px ${sans}`,
    prefix: `12px ${mono}`,
    plugin: `12.5px ${sans}`,
    adds: `12px ${sans}`,
    more: `12px ${sans}`,
    mark: `11.5px ${sans}`,
    label: `500 14px ${sans}`,
  };
  /** @type {Map<string, number>} */
  const widths = new Map();
  return (/** @type {string} */ text, /** @type {TextKind} */ kind) => {
    const key = `${kind} ${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      if (context === null) return text.length * 8;
      context.font = fonts[kind];
      width = context.measureText(text).width;
      widths.set(key, width);
    }
    return width;
  };
}
