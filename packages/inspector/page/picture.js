// The picture of the tree: contexts as nested boxes that can be zoomed like a map. What is too small to be read gets a name that is not
// zoomed, or is only a shape; what is outside the window is not drawn.
import { fill, h, svg } from './dom.js';
import { count } from './format.js';
import { Camera } from './picture-camera.js';
import { contentOf, shorten } from './picture-content.js';
import { letterPx, letterShare, nameSpace, visibleBoxes } from './picture-detail.js';
import { layOut, padding } from './picture-layout.js';
import { createMeasure, drawFold, drawMark, Layer, legend } from './picture-parts.js';

/** @import { Model } from './model.js' */
/** @import { BoxContent } from './picture-content.js' */
/** @import { Detail } from './picture-detail.js' */
/** @import { Box } from './picture-layout.js' */

/** Pixels of the screen by which an arrow key with Shift moves the picture. */
const panPx = 80;

export class Picture {
  /** @type {Map<number, Box>} */
  #boxes = new Map();
  /** @type {Box[]} */
  #order = [];
  /** @type {Map<number, BoxContent>} */
  #contents = new Map();
  /** @type {ReadonlySet<number>} */
  #folded = new Set();
  #selected = 0;
  /** The contexts around the selected one. @type {Set<number>} */
  #around = new Set();
  /** @type {number | undefined} */
  #frame;
  #measure = createMeasure();
  #shapes = new Layer((box, detail) => this.#createBox(box, detail));
  /** Names that are not zoomed. They are above all boxes, because a name covers the boxes inside. */
  #names = new Layer((box, detail) => this.#createName(box, detail));
  #picture = svg('g', {}, this.#shapes.element, this.#names.element);
  #stage;
  #said = h('span.for-readers', { role: 'status' });
  #camera;
  #model;
  #on;

  /**
   * @param {Model} model
   * @param {object} on
   * @param {(id: number) => void} on.select
   * @param {(id: number) => void} on.toggle Folds or unfolds a context.
   */
  constructor(model, on) {
    this.#model = model;
    this.#on = on;
    this.#stage = h(
      'div.picture-stage',
      {
        tabIndex: 0,
        role: 'application',
        'aria-label': 'Picture of the contexts. The list has the same as text.',
        'aria-describedby': 'picture-keys',
        on: {
          keydown: (event) => this.#press(event),
          pointerover: ({ target }) => this.#addTitle(target),
        },
      },
      svg('svg', { class: 'picture-svg', 'aria-hidden': 'true' }, this.#picture),
    );
    this.#camera = new Camera(this.#stage, {
      change: () => this.#schedule(),
      click: (target) => this.#click(target),
      doubleClick: (target) => this.#zoomTo(target),
    });
    const tool = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ click) =>
      h('button.quiet', { type: 'button', 'aria-label': label, title: label, on: { click } }, text);
    this.element = h(
      'div.picture',
      {},
      this.#stage,
      h(
        'div.picture-bar',
        {},
        legend(),
        h(
          'div.picture-tools',
          { role: 'group', 'aria-label': 'Zoom' },
          tool('+', 'Zoom in', () => this.#camera.zoom(1.5)),
          tool('−', 'Zoom out', () => this.#camera.zoom(1 / 1.5)),
          tool('Fit', 'Fit the whole tree', () => this.#camera.fitAll()),
        ),
      ),
      this.#said,
    );
  }

  /**
   * Lays out the tree, and draws it.
   *
   * @param {ReadonlySet<number>} folded The contexts whose content is folded.
   */
  show(folded) {
    this.#folded = folded;
    const model = this.#model;
    this.#contents.clear();
    this.#order = layOut(
      0,
      (id) => (folded.has(id) ? [] : (model.children[id] ?? [])),
      (id, insideWidth) => {
        const inside = folded.has(id) ? model.countInside(id) : 0;
        const content = contentOf(model, id, inside, insideWidth, this.#measure);
        this.#contents.set(id, content);
        return content;
      },
    );
    this.#boxes = new Map(this.#order.map((box) => [box.id, box]));
    this.#shapes.clear();
    this.#names.clear();
    const [root] = this.#order;
    if (root !== undefined) this.#camera.setPicture(root);
    this.#schedule();
  }

  /**
   * Marks a context as the selected one.
   *
   * @param {number} id
   * @param {boolean} isRevealed Whether the picture moves until it is visible.
   */
  select(id, isRevealed) {
    this.#selected = id;
    this.#around = new Set(this.#model.chain(id).map((context) => context.id));
    this.#around.delete(id);
    const box = this.#boxes.get(id);
    // The root is around everything: it is never out of sight.
    if (isRevealed && box !== undefined && box.parent !== null)
      this.#camera.reveal({ ...box, height: box.head });
    for (const [drawn, { element }] of this.#shapes.drawn) this.#mark(element, drawn);
  }

  #mark(/** @type {SVGGElement} */ element, /** @type {number} */ id) {
    element.classList.toggle('is-selected', id === this.#selected);
    element.classList.toggle('is-around', this.#around.has(id));
  }

  #schedule() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  #draw() {
    const [root] = this.#order;
    if (root === undefined) return;
    const { scale, x, y } = this.#camera;
    this.#picture.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const visible = visibleBoxes(root, this.#camera, { width, height });
    this.#shapes.show(visible, '');
    const hasName = (/** @type {Detail} */ detail) => detail === 'named' || detail === 'labelled';
    this.#names.show(
      visible.filter(({ detail }) => hasName(detail)),
      String(scale),
    );
  }

  #createBox(/** @type {Box} */ box, /** @type {Detail} */ detail) {
    const { id, depth, x, y, width, height, children } = box;
    const element = svg(
      'g',
      {
        class: `box is-${detail} tone-${depth % 4}${children.length > 0 ? ' is-outer' : ''}`,
        'data-id': id,
        transform: `translate(${x} ${y})`,
      },
      svg('rect', { width, height, rx: 8, class: 'box-shape' }),
    );
    if (detail === 'full') element.append(...this.#drawContent(box));
    this.#mark(element, id);
    return element;
  }

  #drawContent(/** @type {Box} */ { id, width }) {
    const { texts, marks } = /** @type {BoxContent} */ (this.#contents.get(id));
    const parts = texts.map(({ text, kind, x, y }) =>
      svg('text', { x: padding + x, y: padding + y, class: `box-${kind}` }, text),
    );
    const hasChildren = (this.#model.children[id] ?? []).length > 0;
    return [
      ...parts,
      ...marks.map((mark) => drawMark(mark)),
      ...(hasChildren ? [drawFold(width, this.#folded.has(id))] : []),
    ];
  }

  /** The name in a size that is not zoomed, and below a name in the middle how many contexts are inside. */
  #createName(/** @type {Box} */ box, /** @type {Detail} */ detail) {
    const { id, x, y, width, height } = box;
    const { scale } = this.#camera;
    const { name } = this.#model.context(id);
    const isAbove = detail === 'named';
    const space = isAbove ? nameSpace(box) : height;
    const widthPx = width * scale - 6;
    // A long name becomes smaller before it is shortened.
    const fittingPx = (widthPx / this.#measure(name.slice(0, 40), 'label')) * measuredPx;
    const largestPx = Math.min(letterPx.most, space * scale * letterShare);
    const size = Math.max(Math.min(largestPx, fittingPx), letterPx.least);
    const text = shorten(name, (widthPx * measuredPx) / size, (part) => this.#measure(part, 'label'));
    const inside = this.#model.countInside(id);
    const hasCount = !isAbove && inside > 0 && height * scale > 3.2 * size;
    const middle = y + space / 2 - (hasCount ? (0.65 * size) / scale : 0);
    const at = isAbove
      ? { x: x + Math.min(padding, 6 / scale), 'text-anchor': 'start' }
      : { x: x + width / 2, 'text-anchor': 'middle' };
    const label = svg('text', { ...at, y: middle, class: 'box-label' }, text);
    const below = svg(
      'text',
      { ...at, y: middle + (1.3 * size) / scale, class: 'box-count' },
      `${inside} inside`,
    );
    return svg('g', { 'font-size': size / scale }, label, hasCount && below);
  }

  /** Adds the tooltip of a box when the pointer comes to it: most boxes never need one. */
  #addTitle(/** @type {EventTarget | null} */ target) {
    const element = target instanceof Element ? target.closest('[data-id]') : null;
    if (element === null || element.querySelector(':scope > title') !== null) return;
    const id = Number(element.getAttribute('data-id'));
    const { path, prefix } = this.#model.context(id);
    const inside = this.#model.countInside(id);
    const lines = [path, prefix, inside > 0 && `${count(inside, 'context')} inside`];
    element.append(svg('title', {}, lines.filter(Boolean).join('\n')));
  }

  #idAt(/** @type {EventTarget | null} */ target) {
    const id = target instanceof Element ? target.closest('[data-id]')?.getAttribute('data-id') : undefined;
    return id === undefined || id === null ? undefined : Number(id);
  }

  #click(/** @type {EventTarget | null} */ target) {
    const id = this.#idAt(target);
    if (id === undefined) return;
    if (target instanceof Element && target.closest('.box-fold') !== null) this.#toggle(id);
    else this.#on.select(id);
  }

  /** Folds or unfolds a box, which stays where it is on the screen: all boxes get other places. */
  #toggle(/** @type {number} */ id) {
    const before = this.#boxes.get(id);
    this.#on.toggle(id);
    const after = this.#boxes.get(id);
    if (before !== undefined && after !== undefined) this.#camera.follow(before, after);
  }

  #zoomTo(/** @type {EventTarget | null} */ target) {
    const box = this.#boxes.get(this.#idAt(target) ?? -1);
    if (box !== undefined) this.#camera.fit(box);
  }

  #press(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const direction = directions.get(key);
    if (direction !== undefined && shiftKey) this.#camera.pan(-panPx * direction.x, -panPx * direction.y);
    else if (direction !== undefined) this.#choose(this.#nearest(direction));
    else if (keys.has(key)) this.#run(/** @type {string} */ (keys.get(key)));
    else return;
    event.preventDefault();
  }

  #run(/** @type {string} */ command) {
    const box = this.#boxes.get(this.#selected);
    if (box === undefined) return;
    if (command === 'zoom in') this.#camera.zoom(1.5);
    else if (command === 'zoom out') this.#camera.zoom(1 / 1.5);
    else if (command === 'fit') this.#camera.fitAll();
    else if (command === 'zoom to') this.#camera.fit(box);
    else if (command === 'out') this.#choose(box.parent);
    else if (command === 'fold' || this.#folded.has(box.id)) this.#toggle(box.id);
    else this.#choose(box.children[0]);
  }

  #choose(/** @type {Box | null | undefined} */ box) {
    if (box === null || box === undefined) return;
    this.#on.select(box.id);
    this.select(box.id, true);
    fill(this.#said, `${this.#model.context(box.id).name}, level ${box.depth + 1}`);
  }

  /** The nearest box beside the selected one, in a direction. */
  #nearest(/** @type {{ x: number, y: number }} */ direction) {
    const from = this.#boxes.get(this.#selected);
    if (from === undefined || from.parent === null) return undefined;
    const middle = (/** @type {Box} */ { x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
    const start = middle(from);
    let nearest = { box: /** @type {Box | undefined} */ (undefined), distance: Number.POSITIVE_INFINITY };
    for (const box of from.parent.children) {
      const { x, y } = middle(box);
      const along = (x - start.x) * direction.x + (y - start.y) * direction.y;
      const across = Math.abs((x - start.x) * direction.y) + Math.abs((y - start.y) * direction.x);
      // A box in the same row or column comes first.
      const distance = along + 3 * across;
      if (along > 1 && distance < nearest.distance) nearest = { box, distance };
    }
    return nearest.box;
  }
}

/** The size in which names are measured. */
const measuredPx = 14;

const directions = new Map([
  ['ArrowLeft', { x: -1, y: 0 }],
  ['ArrowRight', { x: 1, y: 0 }],
  ['ArrowUp', { x: 0, y: -1 }],
  ['ArrowDown', { x: 0, y: 1 }],
]);

const keys = new Map([
  ['+', 'zoom in'],
  ['=', 'zoom in'],
  ['-', 'zoom out'],
  ['0', 'fit'],
  ['z', 'zoom to'],
  ['Enter', 'in'],
  ['Escape', 'out'],
  ['Backspace', 'out'],
  [' ', 'fold'],
]);
