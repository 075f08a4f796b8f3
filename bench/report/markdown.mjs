// The Markdown elements of the report.

/**
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 * @param {number} textColumns The number of text columns at the start; the others are numbers, and are aligned right.
 */
export function formatMarkdownTable(headings, rows, textColumns = 1) {
  const rule = headings.map((_, column) => (column < textColumns ? '---' : '--:'));
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @param {import('./comparisons.mjs').Ratio} ratio */
export function formatRatio({ median, min, max }, digits = 3) {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
