// All routes, filtered as one types.
import { h } from './dom.js';
import { count, method, pattern } from './format.js';
import { VirtualList } from './virtual-list.js';

const rowPx = 44;

export function routesView(model) {
  const summary = h('p.lead', { role: 'status' });
  const input = h('input', {
    type: 'search',
    placeholder: 'Filter: /users, POST, handler, context',
    'aria-label': 'Filter routes',
  });
  const automatic = h('input', { type: 'checkbox' });
  const list = new VirtualList({
    draw: (route, index) => drawRow(route, index),
    heightOf: () => rowPx,
    role: 'list',
    attributes: { 'aria-label': 'Routes', role: 'region' },
  });
  const texts = model.routes.map(({ methods, url, handler, context }) =>
    `${methods.join(' ')} ${url} ${handler} ${model.contexts[context].name}`.toLowerCase(),
  );
  let shown = [];

  function filter() {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = model.routes.filter(
      ({ id, isAutomatic }) =>
        (automatic.checked || !isAutomatic) && wanted.every((word) => texts[id].includes(word)),
    );
    summary.textContent = count(shown.length, 'route');
    list.element.scrollTop = 0;
    list.show(shown);
  }

  function drawRow(route, index) {
    const { id, methods, url, handler, context, schemas, constraints } = route;
    return h(
      'div.route-row',
      { role: 'listitem', 'aria-setsize': shown.length, 'aria-posinset': index + 1 },
      h(
        'a.row-link',
        { href: `#/route/${id}` },
        h(
          'span.methods',
          {},
          methods.slice(0, 3).map(method),
          methods.length > 3 && `+${methods.length - 3}`,
        ),
        pattern(url),
        constraints && h('span.tag', {}, constraints),
        h(
          'span.route-facts',
          {},
          h('span.handler', {}, handler),
          h('span.context', {}, model.contexts[context].name),
        ),
        h(
          'span.route-schemas',
          {},
          schemas.length > 0 && h('span.chip.kind-schema', {}, count(schemas.length, 'schema')),
        ),
      ),
    );
  }

  input.addEventListener('input', filter);
  automatic.addEventListener('change', filter);
  filter();
  const element = h(
    'div.view',
    {},
    h(
      'div.view-head',
      {},
      h('h1', {}, 'Routes'),
      summary,
      h('div.filters', {}, input, h('label.check', {}, automatic, 'automatic HEAD routes')),
    ),
    list.element,
  );
  return { element, show() {} };
}
