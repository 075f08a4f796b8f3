// How much of the picture can be read at a scale: which boxes are drawn, and where their names are.

/** @import { Box } from './picture-layout.js' */

/** The scale at which a box can show all that it says. */
export const readableScale = 0.7;
/** Sizes on the screen, in pixels: of the smallest box that is drawn, also below a name; of a box with a name; and of its letters. */
const smallestPx = 3;
const smallestCoveredPx = 6;
const namedPx = { width: 44, height: 17 };
export const letterPx = { least: 8.5, most: 12 };
/** The part of the height of a line that its letters take. */
export const letterShare = 0.72;
/** A box that takes a larger part of the window has no name in its middle: one looks at what is inside. */
const maxCoveredShare = 0.55;

/** The height of the line with the name, at the top of a box. */
const nameHeight = 42;

/**
 * - `full`: with all that it says.
 * - `named`: its name is at the top, above the boxes inside.
 * - `labelled`: its name is in its middle, over the shapes of the boxes inside.
 * - `around`: a shape around boxes with names; there is no space for its own.
 * - `plain`: a shape that is too small to be chosen.
 *
 * @typedef {'full' | 'named' | 'labelled' | 'around' | 'plain'} Detail
 */

/** A point of the picture is at `point * scale + offset` on the screen. @typedef {{ scale: number, x: number, y: number }} View */
/** @typedef {{ readonly width: number, readonly height: number }} Size */

/**
 * The boxes that are on the screen and not too small, parents first.
 *
 * @param {Box} root
 * @param {View} view
 * @param {Size} screen In pixels.
 */
export function visibleBoxes(root, view, screen) {
  const { scale, x, y } = view;
  const isVisible = (/** @type {Box} */ box, /** @type {number} */ smallest) =>
    Math.min(box.width, box.height) * scale >= smallest &&
    box.x * scale + x < screen.width &&
    box.y * scale + y < screen.height &&
    (box.x + box.width) * scale + x > 0 &&
    (box.y + box.height) * scale + y > 0;
  /** @type {{ box: Box, detail: Detail }[]} */
  const visible = [];
  const open = [{ box: root, isCovered: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { box, isCovered } = next;
    if (!isVisible(box, isCovered ? smallestCoveredPx : smallestPx)) continue;
    const detail = isCovered ? 'plain' : detailOf(box, scale, screen);
    visible.push({ box, detail });
    const coversChildren = detail === 'labelled' || detail === 'plain';
    for (const child of box.children.toReversed()) open.push({ box: child, isCovered: coversChildren });
  }
  return visible;
}

/** @returns {Detail} */
function detailOf(/** @type {Box} */ box, /** @type {number} */ scale, /** @type {Size} */ screen) {
  const canHaveName = (/** @type {Size} */ { width, height }) =>
    width * scale >= namedPx.width && height * scale >= namedPx.height;
  if (scale >= readableScale) return 'full';
  if (!canHaveName(box)) return 'plain';
  if (!box.children.some(canHaveName)) return 'labelled';
  if (nameSpace(box) * scale * letterShare >= letterPx.least) return 'named';
  const share = Math.max((box.width * scale) / screen.width, (box.height * scale) / screen.height);
  return share > maxCoveredShare ? 'around' : 'labelled';
}

/** The height of the line with the name, at the top of a box, in units of the picture. */
export function nameSpace(/** @type {Box} */ { head }) {
  return Math.min(head, nameHeight);
}
