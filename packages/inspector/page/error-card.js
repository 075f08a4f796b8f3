// Shows an error: what happened, the lines of the program with the place marked, what to do, who called what, and what caused it.
import { h } from './dom.js';
import { count, fileLabel } from './format.js';

/** @import { CodeFrame, ErrorReport } from '@ambit/readable' */

/** How many frames are shown before the others are folded. */
const shownFrames = 6;

/**
 * @param {ErrorReport} report
 * @param {string} folder The folder of the application.
 */
export function errorCard(report, folder) {
  const causes = causesOf(report);
  return h(
    'section.error-card',
    { 'aria-label': 'Error' },
    kindOf(report),
    h('h3.error-title', {}, report.title),
    mistake(report, folder),
    causes.map((cause, i) => foldOut(`Caused by ${headline(cause)}`, cause, folder, i === 0)),
    (report.others ?? []).map((other) => foldOut(`Also: ${headline(other)}`, other, folder, true)),
  );
}

/** @returns {ErrorReport[]} */
function causesOf(/** @type {ErrorReport} */ { cause }) {
  return cause === undefined ? [] : [cause, ...causesOf(cause)];
}

/** The first line of an error that is folded. */
function headline(/** @type {ErrorReport} */ { title, name, code }) {
  return `${code ?? name}: ${title.split('\n', 1)[0]}`;
}

function foldOut(
  /** @type {string} */ title,
  /** @type {ErrorReport} */ report,
  /** @type {string} */ folder,
  /** @type {boolean} */ isOpen,
) {
  const rest = report.title.includes('\n') && h('p.error-title', {}, report.title);
  return h(
    'details.fold-out.error-cause',
    { open: isOpen },
    h('summary', {}, title),
    rest,
    mistake(report, folder),
  );
}

/** Everything about an error besides its title and its causes. */
function mistake(/** @type {ErrorReport} */ { advice, frame, stack }, /** @type {string} */ folder) {
  return [
    advice !== undefined && h('p.error-advice', {}, advice),
    frame && codeFrame(frame, folder),
    stackList(stack, folder),
  ];
}

function kindOf(/** @type {ErrorReport} */ { name, code, where, docs }) {
  const isLink = /^https?:/.test(docs ?? '');
  return h(
    'p.error-kind',
    {},
    h('span', {}, name),
    code !== undefined && h('code', {}, code),
    where?.plugin !== undefined && h('span', {}, `in plugin ${where.plugin}`),
    isLink && h('a', { href: docs, target: '_blank', rel: 'noreferrer' }, 'documentation'),
  );
}

function codeFrame(/** @type {CodeFrame} */ frame, /** @type {string} */ folder) {
  const code = h(
    'pre.frame-code',
    { tabIndex: 0, role: 'group', 'aria-label': 'Lines of the program' },
    h(
      'code',
      {},
      frame.lines.map(({ number, text }) => {
        const isMarked = number === frame.line;
        const [from, to] = isMarked ? [frame.column - 1, frame.column - 1 + frame.length] : [0, 0];
        return h(
          `span.frame-line${isMarked ? '.is-marked' : ''}`,
          {},
          h('span.frame-number', {}, number),
          text.slice(0, from),
          from < to && h('mark', {}, text.slice(from, to)),
          text.slice(to),
          '\n',
        );
      }),
    ),
  );
  const mark = code.querySelector('mark');
  // A mark far to the right would not be seen.
  if (mark instanceof HTMLElement)
    requestAnimationFrame(() => {
      if (mark.offsetLeft + mark.offsetWidth > code.clientWidth)
        code.scrollLeft = mark.offsetLeft - code.clientWidth / 3;
    });
  return h('figure.frame', {}, h('figcaption', {}, placeLink(frame, folder)), code);
}

function stackList(
  /** @type {ErrorReport['stack']} */ { frames, foldedCount, libraries },
  /** @type {string} */ folder,
) {
  const items = frames.map((frame) =>
    h('li', {}, frame.function !== undefined && h('code', {}, frame.function), placeLink(frame, folder)),
  );
  const hidden = items.slice(shownFrames);
  const inside = libraries.length === 0 ? 'the runtime' : libraries.join(', ');
  if (frames.length === 0 && foldedCount === 0) return undefined;
  return [
    h('ol.stack', {}, items.slice(0, shownFrames)),
    hidden.length > 0 &&
      h(
        'details.fold-out',
        {},
        h('summary', {}, count(hidden.length, 'more frame')),
        h('ol.stack', {}, hidden),
      ),
    foldedCount > 0 &&
      h('p.quiet', {}, `${frames.length > 0 ? 'and ' : ''}${count(foldedCount, 'frame')} inside ${inside}`),
  ];
}

/** @param {Pick<CodeFrame, 'file' | 'line' | 'column'>} place @param {string} folder */
function placeLink({ file, line, column }, folder) {
  return fileLabel(`${file}:${line}:${column}`, folder);
}
