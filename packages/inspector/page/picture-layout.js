// Lays contexts out as nested boxes: sizes from the innermost boxes outwards, then places from the outermost one inwards. It knows nothing
// of what is in a box but its size, and nothing of the screen.

/**
 * A box of the picture, in its units: pixels of a picture that is not zoomed.
 *
 * @typedef {object} Box
 * @property {number} id The context.
 * @property {Box | null} parent
 * @property {number} depth
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} head The height of what stands above the boxes inside, with the space around it.
 * @property {readonly Box[]} children The boxes inside.
 */

/** @typedef {{ readonly width: number, readonly height: number }} Size */

/** @typedef {(id: number, insideWidth: number) => Size} SizeOf The size of what a box says, above boxes that are so wide. */

/** The space between a box and what is inside, and between two boxes. */
export const padding = 12;
const gap = 10;

/** How wide a group of boxes is in relation to its height, if it can be: like a window. */
const ratio = 1.6;
/** Widths that are tried for a group of boxes, in relation to the side of a square with the same area. */
const trials = [0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2];
const maxFirstRow = 12;
/** How much higher a box may become, so that it ends with its row. */
const maxStretch = 2.5;

/**
 * @param {number} root
 * @param {(id: number) => readonly number[]} childrenOf The contexts inside a context that are drawn, in their order.
 * @param {SizeOf} sizeOf
 * @returns {Box[]} Parents first, siblings in their order. Boxes of one parent never overlap, and lie inside it.
 */
export function layOut(root, childrenOf, sizeOf) {
  const boxes = createBoxes(root, childrenOf);
  for (const box of boxes.toReversed()) sizeBox(box, sizeOf);
  for (const { x, y, children } of boxes) {
    for (const child of children) {
      child.x += x;
      child.y += y;
    }
  }
  return boxes;
}

/** It does not use recursion, because a tree may have any depth. */
function createBoxes(
  /** @type {number} */ root,
  /** @type {(id: number) => readonly number[]} */ childrenOf,
) {
  const create = (/** @type {number} */ id, /** @type {Box | null} */ parent) => {
    const depth = parent === null ? 0 : parent.depth + 1;
    return /** @type {Box} */ ({ id, parent, depth, x: 0, y: 0, width: 0, height: 0, head: 0, children: [] });
  };
  const boxes = [];
  const open = [create(root, null)];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const parent = box;
    boxes.push(parent);
    parent.children = childrenOf(parent.id).map((id) => create(id, parent));
    for (const child of parent.children.toReversed()) open.push(child);
  }
  return boxes;
}

/** Gives a box its size, and the boxes inside their places relative to it. Their sizes are known. */
function sizeBox(/** @type {Box} */ box, /** @type {SizeOf} */ sizeOf) {
  alignLeaves(box.children);
  const rows = bestRows(box.children);
  const inside = sizeOfRows(rows);
  const { width, height } = sizeOf(box.id, inside.width);
  box.head = height + 2 * padding;
  box.width = Math.max(width, inside.width) + 2 * padding;
  box.height = box.head + (rows.length === 0 ? 0 : gap + inside.height);
  placeRows(rows, box.head - padding + gap);
}

/** Boxes without others inside get one width, so that they stand in columns. */
function alignLeaves(/** @type {readonly Box[]} */ boxes) {
  const leaves = boxes.filter(({ children }) => children.length === 0);
  const width = widestOf(leaves);
  for (const leaf of leaves) leaf.width = width;
}

function widestOf(/** @type {readonly { readonly width: number }[]} */ things) {
  return things.reduce((widest, { width }) => Math.max(widest, width), 0);
}

/** Boxes below each other, in a row of such columns. The first box of a row is the highest. */
/** @typedef {{ readonly boxes: Box[], width: number, height: number }} Column */
/** @typedef {{ readonly columns: Column[], width: number, height: number }} Row */

/** The rows that need little space and look like a window. */
function bestRows(/** @type {readonly Box[]} */ boxes) {
  // A stable order: boxes of one height stay in the order of the tree.
  const highestFirst = boxes.toSorted((a, b) => b.height - a.height);
  let best = { rows: /** @type {Row[]} */ ([]), cost: Number.POSITIVE_INFINITY };
  for (const maxWidth of widthsToTry(highestFirst)) {
    const rows = rowsOf(highestFirst, maxWidth);
    const { width, height } = sizeOfRows(rows);
    const cost = width * height * (1 + Math.abs(Math.log(width / height / ratio)));
    if (cost < best.cost) best = { rows, cost };
  }
  return best.rows;
}

/** The widths of a first row with one box, two, and so on; and some that make the rows together like a window. */
function widthsToTry(/** @type {readonly Box[]} */ boxes) {
  const widest = widestOf(boxes);
  const area = boxes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widths = trials.map((trial) => Math.max(widest, trial * Math.sqrt(area)));
  let width = -gap;
  for (const box of boxes.slice(0, maxFirstRow)) {
    width += gap + box.width;
    widths.push(Math.max(widest, width));
  }
  return widths;
}

/** Fills rows with boxes, which come the highest first. `maxWidth` is at least that of the widest. */
function rowsOf(/** @type {readonly Box[]} */ boxes, /** @type {number} */ maxWidth) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row | undefined} */
  let row;
  /** @type {Column | undefined} */
  let column;
  for (const box of boxes) {
    const { width, height } = box;
    const fitsBelow =
      column !== undefined && width <= column.width && column.height + gap + height <= (row?.height ?? 0);
    if (!fitsBelow) {
      column = { boxes: [], width, height: -gap };
      if (row === undefined || row.width + gap + width > maxWidth) {
        row = { columns: [], width: -gap, height };
        rows.push(row);
      }
      row.columns.push(column);
      row.width += gap + width;
    }
    column?.boxes.push(box);
    if (column !== undefined) column.height += gap + height;
  }
  return rows;
}

/** @returns {Size} */
function sizeOfRows(/** @type {readonly Row[]} */ rows) {
  const height = rows.reduce((sum, row) => sum + gap + row.height, -gap);
  return { width: widestOf(rows), height: Math.max(0, height) };
}

/** The last box of a column ends with the row, unless it would become much higher than what it says. */
function placeRows(/** @type {readonly Row[]} */ rows, /** @type {number} */ top) {
  let rowY = top;
  for (const { columns, height: rowHeight } of rows) {
    let x = padding;
    for (const { boxes, width, height } of columns) {
      let y = rowY;
      for (const box of boxes) {
        [box.x, box.y] = [x, y];
        y += box.height + gap;
      }
      const last = boxes.at(-1);
      const stretched = (last?.height ?? 0) + rowHeight - height;
      if (last !== undefined && stretched <= maxStretch * last.height) last.height = stretched;
      x += width + gap;
    }
    rowY += rowHeight + gap;
  }
}
