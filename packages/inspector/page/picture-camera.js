// Which part of the picture is seen, and how large: moved and zoomed by mouse, wheel, and fingers.
import { readableScale } from './picture-detail.js';

/** @typedef {{ readonly x: number, readonly y: number, readonly width: number, readonly height: number }} Rectangle */

/** How much one notch of a wheel zooms. Browsers report 100 to 120 pixels for it. */
const wheelPx = 300;
const maxScale = 2.5;
/** The space around the picture, and around a box that is shown. */
const margin = 16;
/** How far a pointer may move during a click, in pixels. */
const clickPx = 4;

/** A point of the picture is at `point * scale + offset` on the screen. */
export class Camera {
  scale = 1;
  x = 0;
  y = 0;
  /** Whether it shows the whole picture, also when the window gets another size. */
  #showsAll = true;
  /** The pointers that are down, by their ids. @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  #moved = 0;
  /** Where the pointer went down: it is captured, so later events come from the element. @type {EventTarget | null} */
  #pressed = null;
  #element;
  #onChange;
  /** @type {{ width: number, height: number }} */
  #picture = { width: 1, height: 1 };

  /**
   * @param {Element} element
   * @param {object} on
   * @param {() => void} on.change
   * @param {(target: EventTarget | null) => void} on.click
   * @param {(target: EventTarget | null) => void} on.doubleClick
   */
  constructor(element, { change, click, doubleClick }) {
    this.#element = element;
    this.#onChange = change;
    const listen = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
      element.addEventListener(type, listener);
    listen('wheel', (event) => this.#wheel(event));
    listen('pointerdown', (event) => this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    for (const type of ['pointerup', 'pointercancel'])
      listen(type, ({ pointerId }) => this.#pointers.delete(pointerId));
    listen('click', () => this.#moved < clickPx && click(this.#pressed));
    listen('dblclick', () => doubleClick(this.#pressed));
    new ResizeObserver(() => (this.#showsAll ? this.fitAll() : change())).observe(element);
  }

  /** The size of the whole picture. */
  setPicture(/** @type {{ width: number, height: number }} */ size) {
    this.#picture = size;
    if (this.#showsAll) this.fitAll();
  }

  /** Shows the whole picture. A small one becomes a little larger. */
  fitAll() {
    const { width, height } = this.#picture;
    this.#fit({ x: 0, y: 0, width, height }, 1.2);
    this.#showsAll = true;
  }

  /** Shows a rectangle as large as possible, up to twice its size. */
  fit(/** @type {Rectangle} */ rectangle) {
    this.#fit(rectangle, 1.5);
  }

  /** Moves as little as possible until a rectangle is visible, and so large that it can be read. */
  reveal(/** @type {Rectangle} */ { x, y, width, height }) {
    const view = this.#view();
    const fitting = Math.min((view.width - 2 * margin) / width, (view.height - 2 * margin) / height);
    const wanted = Math.max(this.scale, Math.min(readableScale, fitting));
    if (wanted > this.scale)
      this.#zoomTo(wanted, this.x + (x + width / 2) * this.scale, this.y + (y + height / 2) * this.scale);
    const shift = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ space) => {
      if (from < margin || size > space - 2 * margin) return margin - from;
      return Math.min(0, space - margin - (from + size));
    };
    const [left, top] = [x * this.scale + this.x, y * this.scale + this.y];
    const [right, bottom] = [left + width * this.scale, top + height * this.scale];
    if (left < 0 || right > view.width) this.x += shift(left, width * this.scale, view.width);
    if (top < 0 || bottom > view.height) this.y += shift(top, height * this.scale, view.height);
    this.#change();
  }

  /** What was at a place is at another one: it stays where it is on the screen, unless the whole picture is shown. */
  follow(/** @type {{ x: number, y: number }} */ from, /** @type {{ x: number, y: number }} */ to) {
    if (!this.#showsAll) this.pan((from.x - to.x) * this.scale, (from.y - to.y) * this.scale);
  }

  /** Zooms around the middle. */
  zoom(/** @type {number} */ factor) {
    const { width, height } = this.#view();
    this.#zoomTo(this.scale * factor, width / 2, height / 2);
  }

  /** Moves the picture by pixels of the screen. */
  pan(/** @type {number} */ x, /** @type {number} */ y) {
    this.x += x;
    this.y += y;
    this.#change();
  }

  #view() {
    const { clientWidth, clientHeight } = this.#element;
    return { width: clientWidth || 800, height: clientHeight || 600 };
  }

  #fit(/** @type {Rectangle} */ { x, y, width, height }, /** @type {number} */ most) {
    const view = this.#view();
    this.scale = Math.min(most, (view.width - 2 * margin) / width, (view.height - 2 * margin) / height);
    this.x = (view.width - width * this.scale) / 2 - x * this.scale;
    this.y = (view.height - height * this.scale) / 2 - y * this.scale;
    this.#change();
  }

  /** Zooms so that a point of the screen stays where it is. */
  #zoomTo(/** @type {number} */ wanted, /** @type {number} */ atX, /** @type {number} */ atY) {
    const view = this.#view();
    const whole = Math.min(view.width / this.#picture.width, view.height / this.#picture.height);
    const scale = Math.min(maxScale, Math.max(Math.min(1, whole) / 2, wanted));
    const factor = scale / this.scale;
    this.x = atX - (atX - this.x) * factor;
    this.y = atY - (atY - this.y) * factor;
    this.scale = scale;
    this.#change();
  }

  #change() {
    this.#showsAll = false;
    this.#onChange();
  }

  #wheel(/** @type {WheelEvent} */ event) {
    event.preventDefault();
    const { left, top } = this.#element.getBoundingClientRect();
    if (event.shiftKey) this.pan(-event.deltaY - event.deltaX, 0);
    else {
      // A pinch on a touchpad comes as a wheel with the control key and small steps. Firefox counts in lines.
      const px = event.deltaY * (event.deltaMode === 1 ? 16 : 1) * (event.ctrlKey ? 3 : 1);
      this.#zoomTo(this.scale * 2 ** (-px / wheelPx), event.clientX - left, event.clientY - top);
    }
  }

  #down(/** @type {PointerEvent} */ { pointerId, clientX: x, clientY: y, button, target }) {
    if (button !== 0) return;
    this.#pointers.set(pointerId, { x, y });
    if (this.#pointers.size === 1) [this.#moved, this.#pressed] = [0, target];
    this.#element.setPointerCapture(pointerId);
  }

  #move(/** @type {PointerEvent} */ { pointerId, clientX: x, clientY: y }) {
    const before = this.#pointers.get(pointerId);
    if (before === undefined) return;
    this.#pointers.set(pointerId, { x, y });
    const [dx, dy] = [x - before.x, y - before.y];
    this.#moved += Math.hypot(dx, dy);
    const other = [...this.#pointers].find(([id]) => id !== pointerId)?.[1];
    if (other === undefined) {
      if (this.#moved >= clickPx) this.pan(dx, dy);
      return;
    }
    const { left, top } = this.#element.getBoundingClientRect();
    const factor =
      Math.hypot(x - other.x, y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    this.pan(dx / 2, dy / 2);
    this.#zoomTo(this.scale * factor, (x + other.x) / 2 - left, (y + other.y) / 2 - top);
  }
}
