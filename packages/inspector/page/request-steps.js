// The steps of a request: how long each took, and which was the slowest.
import { h } from './dom.js';
import { functionLabel, time } from './format.js';

/** @import { RanStep, RequestModel } from '@ambit/inspector' */

/** How many steps are shown before the others are folded. */
const shownSteps = 40;

/** @param {RequestModel} request @returns {readonly RanStep[]} The steps that began before the response had ended. */
function stepsUntilEnd({ steps, ms }) {
  return steps.filter(({ startMs }) => startMs <= ms);
}

/**
 * The step that took longest. A stream has none: how long it stays open is not the work of a step.
 *
 * @param {RequestModel} request
 * @returns {RanStep | undefined}
 */
export function slowestStep(request) {
  if (request.isStream) return undefined;
  /** @type {RanStep | undefined} */
  let slowest;
  for (const step of stepsUntilEnd(request)) if (step.ms > (slowest?.ms ?? 0)) slowest = step;
  return slowest;
}

/** The function that a step called; empty for the framework's own work. */
function functionOf(/** @type {RanStep} */ { function: name, file }, /** @type {string} */ folder) {
  return name === null && file === null ? '' : functionLabel(name, file, folder);
}

/** `handler readNote`: the name of a step, with its function. */
export function stepLabel(/** @type {RanStep} */ step, /** @type {string} */ folder) {
  return `${step.name} ${functionOf(step, folder)}`.trimEnd();
}

/** The part of the time of the request that a step took: `87 %`. */
export function shareLabel(/** @type {RanStep} */ step, /** @type {RequestModel} */ { ms }) {
  const percent = Math.round((step.ms / ms) * 100);
  return percent === 0 ? '< 1 %' : `${Math.min(100, percent)} %`;
}

/** The place of a step inside the time of its request, for the style of its bar. */
export function stepSpan(/** @type {RanStep} */ { startMs, ms }, /** @type {number} */ totalMs) {
  const share = (/** @type {number} */ part) => `${totalMs > 0 ? Math.min(100, (part / totalMs) * 100) : 0}%`;
  return { '--from': share(startMs), '--size': share(ms) };
}

/** The kind of a step, which gives its bar a colour. */
export function kindOf(/** @type {RanStep} */ { path, name }) {
  if (path === 'failure') return 'failure';
  if (name === 'handler') return 'handler';
  return path === 'request' ? 'request' : 'reply';
}

/** All steps of a request, each with its time and its place inside the time of the request. */
export function stepList(/** @type {RequestModel} */ request, /** @type {string} */ folder) {
  const { steps, ms } = request;
  const endMs = Math.max(ms, ...steps.map((step) => step.startMs + step.ms));
  const slowest = slowestStep(request);
  const draw = (/** @type {RanStep} */ step) =>
    h(
      `li${step === slowest ? '.is-slowest' : ''}`,
      {},
      h('span.step-name', {}, step.name),
      h('span.step-function', {}, functionOf(step, folder)),
      h('span.timing-ms', {}, step === slowest && h('span.tag.is-slow', {}, 'slowest'), time(step.ms)),
      h(
        'span.timing-track',
        { 'aria-hidden': 'true' },
        h(`span.bar-part.step-${kindOf(step)}`, { style: stepSpan(step, endMs) }),
      ),
    );
  const list = h('ol.timing', {}, steps.slice(0, shownSteps).map(draw));
  const rest = steps.slice(shownSteps);
  const showAll = () => {
    list.append(...rest.map(draw));
    more.remove();
  };
  const more = h(
    'button.quiet',
    { type: 'button', on: { click: showAll } },
    `Show all ${steps.length} steps`,
  );
  return [list, rest.length > 0 && more];
}
