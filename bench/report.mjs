/**
 * The report: one table in Markdown for each section, and the list of what Ambit is slower at.
 *
 * @typedef {{ label: string, figures: Record<string, number[]>, failure?: string, ratio?: [number, number] }} Subject
 *   `figures` has the samples of each figure, one for each round; `failure` says why there is none. `ratio` has the places of the two
 *   subjects whose ratio is shown here: the cost of the first divided by that of the second.
 * @typedef {{ what: string, subjects: Subject[] }} Result
 * @typedef {{ title: string, cost: string, note: string, results: Result[] }} Section `cost` is the figure that is compared.
 */
import { compareRounds, median } from './statistics.mjs';

const ratioHeadings = ['ratio', 'min', '25 %', '75 %', 'max'];

export function writeSection(/** @type {Section} */ { title, cost, note, results }) {
  const all = results.flatMap(({ subjects }) => subjects.flatMap(({ figures }) => Object.keys(figures)));
  const figureNames = [...new Set([cost, ...all])];
  const rows = results.flatMap(({ what, subjects }) =>
    subjects.map((subject) => [
      what,
      subject.label,
      ...figureNames.map((name) => showFigure(subject, name, name === cost)),
      ...showRatio(compareSubjects(subject, subjects, cost)),
    ]),
  );
  return `## ${title}\n\n${note}\n\n${formatTable(['', '', ...figureNames, ...ratioHeadings], rows)}`;
}

/** Without this list, a reader would have to search the tables for what speaks against Ambit. The worst comes first. */
export function writeLosses(/** @type {Section[]} */ sections) {
  const comparisons = sections.flatMap(({ title, cost, results }) =>
    results.flatMap(({ what, subjects }) =>
      subjects.flatMap((subject) => {
        const ratio = compareSubjects(subject, subjects, cost);
        const labels = ratio && subject.ratio.map((place) => subjects[place].label);
        return ratio ? [{ ratio, row: [title, what, labels.join(' / '), ...showRatio(ratio)] }] : [];
      }),
    ),
  );
  const losses = comparisons
    .filter(({ ratio }) => ratio.median > 1)
    .sort((left, right) => right.ratio.median - left.ratio.median);
  const intro = `## Ratios above 1\n\nOf ${comparisons.length} ratios, ${losses.length} are above 1.\n`;
  if (losses.length === 0) return intro;
  const rows = losses.map(({ row }) => row);
  return `${intro}\n${formatTable(['', '', '', ...ratioHeadings], rows, 3)}`;
}

/** The ratio that is shown with a subject, over the rounds; undefined if there is none, or if one of the two failed. */
function compareSubjects(/** @type {Subject} */ { ratio }, /** @type {Subject[]} */ subjects, cost) {
  if (ratio === undefined || ratio.some((place) => subjects[place].failure !== undefined)) return undefined;
  const [costs, otherCosts] = ratio.map((place) => subjects[place].figures[cost]);
  return compareRounds(costs, otherCosts);
}

const showRatio = (ratio) =>
  ['median', 'min', 'lower', 'upper', 'max'].map((name) => ratio?.[name].toFixed(3) ?? '');

/** The median with three digits, or all digits before the point. */
function showFigure({ figures, failure }, name, isCost) {
  if (failure !== undefined) return isCost ? failure : '';
  if (figures[name] === undefined) return '';
  const value = median(figures[name]);
  return value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString('en-US');
}

/** @param {number} textColumns Those at the start, aligned left; numbers are aligned right. */
function formatTable(headings, rows, textColumns = 2) {
  const rule = headings.map((_, column) => (column < textColumns ? '---' : '--:'));
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
