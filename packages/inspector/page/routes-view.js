// Shows all routes, and filters them while the user types.
import { empty, fill, h } from './dom.js';
import { constraintText, count, functionLabel, method, pattern } from './format.js';
import { readDocuments } from './try-auth.js';
import { VirtualList } from './virtual-list.js';

/** @import { RouteModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

const rowPx = 44;

export function routesView(/** @type {Model} */ model) {
  const summary = h('p.lead', { role: 'status' });
  const input = h('input', {
    type: 'search',
    placeholder: 'Filter: /users, POST, handler, context',
    'aria-label': 'Filter routes',
  });
  const list = new VirtualList({
    draw: (/** @type {RouteModel} */ route, index) => drawRow(model, route, index, matching.length),
    heightOf: () => rowPx,
    role: 'list',
    attributes: { 'aria-label': 'Routes', role: 'region' },
  });
  const body = h('div.main-body', {}, list.element);
  const routes = model.listed(model.routes).map((route) => ({ route, text: textOf(model, route) }));
  /** @type {RouteModel[]} */
  let matching = [];

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    matching = routes
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .map(({ route }) => route);
    summary.textContent = count(matching.length, 'route');
    list.element.scrollTop = 0;
    if (matching.length > 0) fill(body, list.element);
    else if (words.length > 0) fill(body, empty('No route matches.', 'Every word must be in a route.'));
    else fill(body, empty('No routes.', 'What the application declares appears here.'));
    list.show(matching);
  }

  input.addEventListener('input', filter);
  filter();
  const element = h(
    'div.view',
    {},
    h('div.view-head', {}, h('h1', {}, 'Routes'), summary, h('div.filters', {}, input)),
    body,
  );
  return {
    element,
    show() {
      // While the user reads the list: the form of a route needs them.
      readDocuments(model);
    },
  };
}

/** The text that the filter searches. */
function textOf(
  /** @type {Model} */ model,
  /** @type {RouteModel} */ { methods, url, handler, file, context },
) {
  const label = functionLabel(handler, file, model.folder);
  return `${methods.join(' ')} ${url} ${label} ${model.context(context).name}`.toLowerCase();
}

function drawRow(
  /** @type {Model} */ model,
  /** @type {RouteModel} */ route,
  /** @type {number} */ index,
  /** @type {number} */ total,
) {
  const { id, methods, url, handler, file, context, schemas, constraints } = route;
  const others = methods.slice(1);
  return h(
    'div.route-row',
    { role: 'listitem', 'aria-setsize': total, 'aria-posinset': index + 1 },
    h(
      'a.row-link',
      { href: `#/route/${id}`, title: `${methods.join(', ')} ${url}` },
      h(
        'span.methods',
        {},
        methods.slice(0, 1).map(method),
        others.length > 0 && h('span.quiet', {}, `+${others.length}`),
      ),
      h('span.route-url', {}, pattern(url), constraints && h('span.tag', {}, constraintText(constraints))),
      h(
        'span.route-facts',
        {},
        h('span.handler', {}, functionLabel(handler, file, model.folder)),
        h('span.context', {}, model.context(context).name),
      ),
      h(
        'span.route-schemas',
        {},
        schemas.length > 0 && h('span.chip.kind-schema', {}, count(schemas.length, 'schema')),
      ),
    ),
  );
}
