// Draws the row of a request in the list.
import { h } from './dom.js';
import { method, status, time } from './format.js';
import { repeatedNumber } from './replayable.js';
import { kindOf, shareLabel, slowestStep, stepLabel, stepSpan } from './request-steps.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { LogScale } from './log-scale.js' */

/** Longer URLs are cut by the style; this limits the elements that the browser has to lay out. */
const shownUrl = 400;

/**
 * @param {RequestModel} request
 * @param {object} options
 * @param {LogScale} options.scale
 * @param {string} options.href
 * @param {number} options.ms The time of the request until now.
 * @param {string} options.folder The folder of the application.
 */
export function requestRow(request, { scale, href, ms, folder }) {
  const { number, method: name, url } = request;
  return h(
    'div.request-row',
    { role: 'listitem' },
    h(
      'a.row-link',
      { href, tabIndex: -1, 'data-number': number },
      h('span.methods', {}, method(name)),
      h(
        'span.request-what',
        {},
        h('span.request-url', { title: url }, url.slice(0, shownUrl)),
        noteOf(request),
      ),
      timeBar(request, scale, ms, folder),
      h('span.request-ms', {}, time(ms)),
      outcomeLabel(request),
    ),
  );
}

/** Shows the time of a running request again, without drawing its row. */
export function updateTime(
  /** @type {HTMLElement} */ row,
  /** @type {LogScale} */ scale,
  /** @type {number} */ ms,
) {
  const [bar, text] = [row.querySelector('.bar-total'), row.querySelector('.request-ms')];
  if (bar instanceof HTMLElement) bar.style.setProperty('--size', percent(scale.at(ms)));
  if (text !== null) text.textContent = time(ms);
}

/** The length of the bar is the time of the request on the common scale; the strong part of it is the share of the slowest step. */
function timeBar(
  /** @type {RequestModel} */ request,
  /** @type {LogScale} */ scale,
  /** @type {number} */ ms,
  /** @type {string} */ folder,
) {
  const slowest = request.state === 'running' ? undefined : slowestStep(request);
  const part =
    slowest && h(`span.bar-part.step-${kindOf(slowest)}`, { style: stepSpan(slowest, request.ms) });
  const total = h(`span.bar-total.is-${request.state}${request.isStream ? '.is-stream' : ''}`, {
    style: { '--size': percent(scale.at(ms)) },
  });
  if (part !== undefined) total.append(part);
  const last = request.steps.at(-1);
  const name =
    slowest !== undefined
      ? stepLabel(slowest, folder)
      : request.isStream
        ? 'stream'
        : request.state === 'running' && last !== undefined && stepLabel(last, folder);
  return h(
    'span.request-time',
    {},
    h('span.request-bar', { 'aria-hidden': 'true' }, total),
    h(
      'span.request-slowest',
      {},
      h('span', {}, name),
      slowest !== undefined && h('span.request-share', {}, shareLabel(slowest, request)),
    ),
  );
}

/** What is special about a request: its error, who left, or what it repeats. */
function noteOf(/** @type {RequestModel} */ request) {
  const { error, state, isStream } = request;
  const repeated = repeatedNumber(request);
  if (error !== null)
    return h(
      'span.request-note.is-error',
      {},
      `${error.code ?? error.name}: ${error.title.split('\n', 1)[0]}`,
    );
  if (state === 'broken') return h('span.request-note.is-error', {}, 'the response was cut off');
  if (state === 'left' && !isStream)
    return h('span.request-note.is-left', {}, 'the client left before the end');
  if (state === 'left') return h('span.request-note', {}, 'the client has left the stream');
  if (repeated !== undefined) return h('span.request-note', {}, `replay of request ${repeated}`);
  return undefined;
}

/** The status of the response, or why there is none. */
export function outcomeLabel(/** @type {RequestModel} */ { state, isStream, status: code }) {
  if (state === 'running')
    return h('span.status.status-running', { title: 'running' }, code === 0 ? '···' : code);
  if (state === 'broken') return h('span.status.status-0', {}, 'broken');
  if (state === 'left' && (!isStream || code === 0)) return h('span.status.status-left', {}, 'left');
  return status(code);
}

function percent(/** @type {number} */ share) {
  return `${(share * 100).toFixed(2)}%`;
}
