// Lists of definitions by their kind, as the views of one context and of two have them.
import { h } from './dom.js';
import { fileLabel, kinds, kindTitle } from './format.js';

/** @import { Model, Seen } from './model.js' */

/**
 * @param {Model} model
 * @param {readonly Seen[]} seen
 * @param {string} nothing What to say if there are none.
 * @param {number} [ownId] The context whose definitions are not said to be from elsewhere.
 */
export function definitionLists(model, seen, nothing, ownId = -1) {
  const groups = kinds.flatMap((kind) => {
    const entries = seen.filter(({ definition }) => definition.kind === kind);
    if (entries.length === 0) return [];
    return [
      h('h3', {}, h(`span.dot.kind-${kind}`, { 'aria-hidden': 'true' }), kindTitle(kind)),
      h(
        'ul.definitions',
        {},
        entries.map((entry) => definitionRow(model, entry, ownId)),
      ),
    ];
  });
  return groups.length === 0 ? h('p.quiet', {}, nothing) : groups;
}

/** One definition, with its place and, if it is inherited, the context that it comes from. */
function definitionRow(
  /** @type {Model} */ model,
  /** @type {Seen} */ { definition, context, hiddenBy },
  /** @type {number} */ ownId,
) {
  const { name, value, file, plugin } = definition;
  const by = plugin === null ? undefined : model.plugins[plugin];
  return h(
    `li${hiddenBy === null ? '' : '.is-hidden'}`,
    {},
    h('span.definition-name', {}, name),
    value !== 'undefined' && value !== name && h('span.value', {}, value),
    by !== undefined && by.name !== context.name && h('span.tag', {}, `by ${by.name}`),
    context.id !== ownId &&
      h('span.from', {}, 'from ', h('a', { href: `#/context/${context.id}` }, context.name)),
    hiddenBy !== null && h('span.tag.is-warning', {}, `replaced in ${hiddenBy.name}`),
    fileLabel(file, model.folder),
  );
}
