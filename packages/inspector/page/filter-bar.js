// The fields that choose which requests the list shows.
import { h } from './dom.js';
import { formatFilter, noFilter, outcomeOf, outcomes } from './request-filter.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */
/** @import { RequestFilter } from './request-filter.js' */

/** How many routes are suggested. */
const suggestedRoutes = 500;

/**
 * @param {Model} model
 * @param {(filter: RequestFilter) => void} onChange Called when the user has changed the filter.
 */
export function filterBar(model, onChange) {
  let filter = noFilter;
  const routes = model.listed(model.routes);
  const methods = new Set(['GET', 'HEAD', 'POST', ...routes.flatMap((route) => route.methods)]);
  const text = h('input', {
    type: 'search',
    placeholder: 'Filter: /users, error, log line',
    'aria-label': 'Filter requests',
  });
  const method = h('select', { 'aria-label': 'Method' }, h('option', { value: '' }, 'any method'));
  for (const name of methods) method.append(h('option', {}, name));
  const route = h('input', {
    type: 'search',
    placeholder: 'any route',
    'aria-label': 'Route',
    autocomplete: 'off',
    spellcheck: false,
  });
  // The property `list` cannot be set.
  route.setAttribute('list', 'request-routes');
  const suggestions = h(
    'datalist',
    { id: 'request-routes' },
    [...new Set(routes.map(({ url }) => url))]
      .slice(0, suggestedRoutes)
      .map((value) => h('option', { value })),
  );
  const slow = h('input', {
    type: 'number',
    min: '0',
    step: 'any',
    placeholder: 'slower, ms',
    'aria-label': 'Slower than, in milliseconds',
  });
  const chips = outcomes.map(([key, label, title]) => {
    const number = h('span.chip-count', {}, '0');
    const click = () => toggle(key);
    const button = h('button.filter-chip', { type: 'button', title, on: { click } }, label, number);
    return { key, button, number };
  });
  const reset = h('button.quiet', { type: 'button', on: { click: () => change(noFilter) } }, 'Reset');

  function read() {
    change({
      ...filter,
      text: text.value.trim(),
      method: method.value,
      route: route.value.trim(),
      slowerThanMs: Math.max(0, Number(slow.value) || 0),
    });
  }
  for (const field of [text, method, route, slow]) field.addEventListener('input', read);

  function toggle(/** @type {string} */ key) {
    const others = filter.outcomes.filter((other) => other !== key);
    change({ ...filter, outcomes: others.length < filter.outcomes.length ? others : [...others, key] });
  }

  function change(/** @type {RequestFilter} */ next) {
    set(next);
    onChange(next);
  }

  /** Shows a filter in the fields. A value that means the same stays as the user has typed it. */
  function set(/** @type {RequestFilter} */ next) {
    filter = next;
    if (text.value.trim() !== filter.text) text.value = filter.text;
    if (route.value.trim() !== filter.route) route.value = filter.route;
    if ((Number(slow.value) || 0) !== filter.slowerThanMs)
      slow.value = filter.slowerThanMs ? String(filter.slowerThanMs) : '';
    if (filter.method !== '' && !methods.has(filter.method)) {
      methods.add(filter.method);
      method.append(h('option', {}, filter.method));
    }
    method.value = filter.method;
    for (const { key, button } of chips)
      button.setAttribute('aria-pressed', String(filter.outcomes.includes(key)));
    // It keeps its place, so that nothing moves.
    reset.classList.toggle('is-idle', formatFilter(filter) === '');
    reset.disabled = formatFilter(filter) === '';
  }

  /** Shows how many requests each outcome has. */
  function showCounts(/** @type {readonly RequestModel[]} */ requests) {
    const counts = new Map();
    for (const request of requests) {
      const key = outcomeOf(request);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const { key, number } of chips) number.textContent = String(counts.get(key) ?? 0);
  }

  const more = h('div.filter-more', {}, method, route, suggestions, slow);
  const toggleMore = () => open.setAttribute('aria-expanded', String(more.classList.toggle('is-open')));
  const open = h(
    'button.quiet.filter-open',
    { type: 'button', 'aria-expanded': 'false', on: { click: toggleMore } },
    'More',
  );
  const element = h(
    'div.request-filters',
    { role: 'search', 'aria-label': 'Filter requests' },
    h('div.filter-line', {}, text, open, more),
    h(
      'div.filter-line',
      {},
      h(
        'div.filter-chips',
        { role: 'group', 'aria-label': 'Outcome' },
        chips.map(({ button }) => button),
      ),
      reset,
      h('span.request-legend', {}, 'time of the request, and of its slowest step'),
    ),
  );
  return { element, set, showCounts, reset: () => change(noFilter) };
}
