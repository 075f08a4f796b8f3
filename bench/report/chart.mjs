/**
 * Draws a bar chart as SVG. The chart has its own background, so that it is legible on light and dark pages.
 *
 * @typedef {{ label: string, series: string, value?: number, min?: number, max?: number, note?: string }} Bar
 * `min` and `max` draw the spread of the rounds; `note` is shown if there is no value.
 * @typedef {{ label?: string, bars: Bar[] }} Group
 * @typedef {{ title: string, axis: string, series: Record<string, string>, groups: Group[], reference?: number }} Chart
 * `axis` names the measured quantity and its unit; `series` gives names to the colours; `reference` draws a line at a
 * value.
 */

const width = 760;
const labelWidth = 250;
const valueWidth = 70;
const plotLeft = labelWidth + 12;
const plotWidth = width - plotLeft - valueWidth;
const barHeight = 16;
const barStep = 22;
const groupGap = 12;
const headHeight = 78;
const footHeight = 46;

const colours = ['a', 'b', 'c', 'd'];

const style = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; stroke: #ffffff; stroke-width: 3px; paint-order: stroke; }
.title { font-size: 16px; font-weight: 600; }
.group { font-weight: 600; }
.muted { fill: #59636e; }
.page { fill: #ffffff; stroke: #d1d9e0; }
.grid { stroke: #d1d9e0; }
.spread, .reference { stroke: #1f2328; }
.reference { stroke-dasharray: 4 3; }
.a { fill: #0969da; } .b { fill: #818b98; } .c { fill: #bf8700; } .d { fill: #1a7f37; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; stroke: #0d1117; }
.muted { fill: #9198a1; }
.page { fill: #0d1117; stroke: #3d444d; }
.grid { stroke: #3d444d; }
.spread, .reference { stroke: #f0f6fc; }
.a { fill: #4493f8; } .b { fill: #6e7681; } .c { fill: #d29922; } .d { fill: #3fb950; }
}
`.trim();

/** @param {Chart} chart */
export function drawChart(chart) {
  const ticks = findTicks(findGreatest(chart));
  const toX = (/** @type {number} */ value) => plotLeft + (value / ticks.at(-1)) * plotWidth;
  const { rows, bottom } = placeBars(chart.groups);
  const height = bottom + footHeight;
  const parts = [
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    text(16, 28, chart.title, 'title'),
    ...drawLegend(chart.series),
    ...ticks.flatMap((tick) => drawTick(toX(tick), bottom, tick)),
    text(plotLeft + plotWidth / 2, bottom + 36, chart.axis, 'muted', 'middle'),
    ...(chart.reference === undefined ? [] : [vertical(toX(chart.reference), bottom, 'reference')]),
    ...rows.flatMap((row) =>
      row.bar === undefined
        ? text(labelWidth, row.y + 13, row.label, 'group', 'end')
        : drawBar(row.bar, row.y, toX, chart.series),
    ),
  ];
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`;
  return [
    open,
    `<title>${escapeMarkup(chart.title)}</title>`,
    `<style>${style}</style>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function findGreatest({ groups, reference = 0 }) {
  const values = groups.flatMap(({ bars }) => bars.flatMap(({ value = 0, max = 0 }) => [value, max]));
  return Math.max(reference, ...values);
}

/**
 * Round numbers from 0 to at least `greatest`.
 *
 * @param {number} greatest At least 0.
 */
export function findTicks(greatest) {
  const rough = (greatest || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const count = Math.ceil((greatest || 1) / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** One row for each bar, and one above them for the name of the group. */
function placeBars(groups) {
  const rows = [];
  let y = headHeight;
  for (const [i, { label, bars }] of groups.entries()) {
    if (i > 0) y += groupGap;
    for (const row of [...(label === undefined ? [] : [{ label }]), ...bars.map((bar) => ({ bar }))]) {
      rows.push({ ...row, y });
      y += barStep;
    }
  }
  return { rows, bottom: y + 2 };
}

function drawLegend(series) {
  const parts = [];
  let x = 16;
  for (const [i, name] of Object.values(series).entries()) {
    parts.push(`<rect class="${colours[i]}" x="${x}" y="44" width="12" height="12" rx="2"/>`);
    parts.push(text(x + 18, 55, name, 'muted'));
    x += 44 + name.length * 7;
  }
  return parts;
}

function drawTick(x, bottom, value) {
  return [vertical(x, bottom, 'grid'), text(x, bottom + 16, formatTick(value), 'muted', 'middle')];
}

function vertical(x, bottom, kind) {
  return `<line class="${kind}" x1="${round(x)}" y1="${headHeight - 6}" x2="${round(x)}" y2="${bottom}"/>`;
}

function drawBar({ label, series, value, min, max, note = '' }, y, toX, names) {
  const name = text(labelWidth, y + 13, label, undefined, 'end');
  if (value === undefined) return [name, text(plotLeft + 6, y + 13, note, 'muted')];
  const colour = colours[Object.keys(names).indexOf(series)];
  const end = toX(value);
  const middle = y + barHeight / 2;
  const hasSpread = min !== undefined && max !== undefined;
  return [
    name,
    `<rect class="${colour}" x="${plotLeft}" y="${y}" width="${round(end - plotLeft)}" height="${barHeight}" rx="2"/>`,
    ...(hasSpread
      ? [
          `<line class="spread" x1="${round(toX(min))}" y1="${middle}" x2="${round(toX(max))}" y2="${middle}"/>`,
        ]
      : []),
    text((hasSpread ? toX(Math.max(value, max)) : end) + 6, y + 13, formatFigure(value)),
  ];
}

function text(x, y, content, kind, anchor) {
  const attributes = [
    kind === undefined ? '' : ` class="${kind}"`,
    anchor === undefined ? '' : ` text-anchor="${anchor}"`,
  ];
  return `<text x="${round(x)}" y="${y}"${attributes.join('')}>${escapeMarkup(content)}</text>`;
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

function formatTick(/** @type {number} */ value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** Three digits, because measurements are not more precise. Trailing zeros are kept, because they were measured. */
export function formatFigure(/** @type {number} */ value) {
  const digits =
    value >= 100
      ? { maximumFractionDigits: 0 }
      : { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  return value.toLocaleString('en-US', digits);
}

function escapeMarkup(/** @type {string} */ content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
