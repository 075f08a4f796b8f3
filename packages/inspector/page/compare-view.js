// Shows two contexts side by side: the definitions that only one of them sees, and those that both see.
import { definitionLists } from './definitions.js';
import { fill, h } from './dom.js';
import { count } from './format.js';

/** @import { Model, VisibleDefinition } from './model.js' */

/**
 * @param {Model} model
 * @param {(hash: string) => void} go
 */
export function compareView(model, go) {
  const select = (/** @type {string} */ label) =>
    h(
      'select',
      { 'aria-label': label },
      model.listed(model.contexts).map(({ id, path }) => h('option', { value: id }, path)),
    );
  const [first, second] = [select('First context'), select('Second context')];
  const columns = h('div.compare');

  function draw() {
    const [a, b] = [Number(first.value), Number(second.value)];
    const { onlyA, both, onlyB } = model.compare(a, b);
    fill(
      columns,
      column(`Only ${model.context(a).name}`, onlyA, a, 'only-a'),
      column('Both', both, -1, 'both'),
      column(`Only ${model.context(b).name}`, onlyB, b, 'only-b'),
    );
  }

  function column(
    /** @type {string} */ title,
    /** @type {VisibleDefinition[]} */ definitions,
    /** @type {number} */ id,
    /** @type {string} */ name,
  ) {
    return h(
      `section.compare-column.is-${name}`,
      {},
      h('h2', {}, title, h('span.quiet', {}, ` ${count(definitions.length, 'definition')}`)),
      definitionLists(model, definitions, 'Nothing.', id),
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
    /** @param {string} [a] @param {string} [b] */
    show(a = '0', b = '1') {
      first.value = String(model.idOf(a));
      second.value = String(model.idOf(b));
      draw();
    },
  };
}
