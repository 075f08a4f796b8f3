// Shows lists of definitions by their kind, for the views of one and of two contexts.
import { h } from './dom.js';
import { fileLabel, kinds, kindTitle } from './format.js';

/** @import { Model, VisibleDefinition } from './model.js' */

/**
 * @param {Model} model
 * @param {readonly VisibleDefinition[]} definitions
 * @param {string} emptyText The text if there are none.
 * @param {number} [ownId] The context whose own definitions get no link to their context.
 */
export function definitionLists(model, definitions, emptyText, ownId = -1) {
  const groups = kinds.flatMap((kind) => {
    const entries = definitions.filter(({ definition }) => definition.kind === kind);
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
  return groups.length === 0 ? h('p.quiet', {}, emptyText) : groups;
}

/** One definition, with its source line and, if it is inherited, the context that it comes from. */
function definitionRow(
  /** @type {Model} */ model,
  /** @type {VisibleDefinition} */ { definition, context, replacedBy },
  /** @type {number} */ ownId,
) {
  const { name, value, file, plugin } = definition;
  const by = plugin === null ? undefined : model.plugins[plugin];
  return h(
    `li${replacedBy === null ? '' : '.is-hidden'}`,
    {},
    h('span.definition-name', {}, name),
    value !== 'undefined' && value !== name && h('span.value', {}, value),
    by !== undefined && by.name !== context.name && h('span.tag', {}, `by ${by.name}`),
    context.id !== ownId &&
      h('span.from', {}, 'from ', h('a', { href: `#/context/${context.id}` }, context.name)),
    replacedBy !== null && h('span.tag.is-warning', {}, `replaced in ${replacedBy.name}`),
    fileLabel(file, model.folder),
  );
}
