// Two contexts side by side: what one sees that the other does not.
import { definitionRow } from './context-view.js';
import { fill, h } from './dom.js';
import { count, kinds, kindTitle } from './format.js';

export function compareView(model, go) {
  const select = (label) =>
    h(
      'select',
      { 'aria-label': label },
      model.contexts.map(({ id, path }) => h('option', { value: id }, path)),
    );
  const [first, second] = [select('First context'), select('Second context')];
  const columns = h('div.compare');

  function draw() {
    const [a, b] = [Number(first.value), Number(second.value)];
    const { onlyA, both, onlyB } = model.compare(a, b);
    fill(
      columns,
      column(`Only ${model.contexts[a].name}`, onlyA, a, 'only-a'),
      column('Both', both, -1, 'both'),
      column(`Only ${model.contexts[b].name}`, onlyB, b, 'only-b'),
    );
  }

  function column(title, seen, id, name) {
    const groups = kinds.flatMap((kind) => {
      const entries = seen.filter(({ definition }) => definition.kind === kind);
      if (entries.length === 0) return [];
      return [
        h('h3', {}, h(`span.dot.kind-${kind}`, { 'aria-hidden': 'true' }), kindTitle(kind)),
        h(
          'ul.definitions',
          {},
          entries.map((entry) => definitionRow(model, { ...entry, isOwn: entry.context.id === id })),
        ),
      ];
    });
    return h(
      `section.compare-column.is-${name}`,
      {},
      h('h2', {}, title, h('span.quiet', {}, ` ${count(seen.length, 'definition')}`)),
      groups.length === 0 ? h('p.quiet', {}, 'Nothing.') : groups,
    );
  }

  for (const choice of [first, second])
    choice.addEventListener('change', () => go(`#/compare/${first.value}/${second.value}`));
  const element = h(
    'div.view.scrolls',
    {},
    h(
      'div.view-head',
      {},
      h('h1', {}, 'Compare'),
      h('p.lead', {}, 'What one context sees that the other does not.'),
      h('div.filters', {}, first, h('span.quiet', {}, 'with'), second),
    ),
    columns,
  );
  return {
    element,
    show(a = 0, b = Math.min(1, model.contexts.length - 1)) {
      first.value = a;
      second.value = b;
      draw();
    },
  };
}
