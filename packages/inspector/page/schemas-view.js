// Shows the schemas of a route as people read them, as JSON, the changes by the serializer so far, and links to their code.
import { codeAddress, schemaName } from './code-view.js';
import { h, section } from './dom.js';
import { jsonView } from './json-view.js';
import { schemaTree } from './schema-tree.js';

/** @import { ChangeModel, RouteInspection, SchemaModel } from '@ambit/inspector' */

/** @param {RouteInspection} inspection */
export function schemaSections({ id, schemas, changes, shared }) {
  const names = Object.keys(shared);
  return section(
    'Schemas',
    schemas.length === 0
      ? h('p.quiet', {}, 'It declares none: nothing is validated, and payloads are written as JSON.')
      : schemas.map((schema, i) => schemaSection(schema, changes, codeAddress(id, i))),
    names.length > 0 &&
      collapsible(`Shared schemas that it sees: ${names.length}`, () => jsonView(shared, 'Shared schemas')),
  );
}

function schemaSection(
  /** @type {SchemaModel} */ schema,
  /** @type {readonly ChangeModel[]} */ changes,
  /** @type {string} */ address,
) {
  const { part, status, declared, resolved, code } = schema;
  const name = schemaName(schema);
  const isResponse = part === 'response';
  const own = isResponse ? changes.filter((change) => isSameStatus(change.status, status)) : [];
  const isSame = JSON.stringify(declared) === JSON.stringify(resolved);
  return h(
    'article.schema',
    {},
    h('h3', {}, h('span.dot.kind-schema', { 'aria-hidden': 'true' }), name),
    own.length > 0 && changeList(own),
    schemaTree(resolved, `${name}, its parts`),
    collapsible(isSame ? 'as JSON' : 'as declared, in JSON', () => jsonView(declared, `${name}, declared`)),
    !isSame && collapsible('as compiled, in JSON', () => jsonView(resolved, `${name}, resolved`)),
    code === null
      ? h('p.quiet', {}, isResponse ? 'Another library writes it.' : 'Another library validates it.')
      : h(
          'p.schema-code',
          {},
          h('a', { href: address }, isResponse ? 'The code that writes it' : 'The code that validates it'),
        ),
  );
}

/**
 * A collapsible section. Its content is created when it is first opened, because it may be long.
 *
 * @param {string} title
 * @param {() => HTMLElement} create
 */
function collapsible(title, create) {
  const details = h('details.fold-out', {}, h('summary', {}, title));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(create());
  });
  return details;
}

function isSameStatus(/** @type {string | null} */ a, /** @type {string | null} */ b) {
  return a?.toLowerCase() === b?.toLowerCase();
}

function changeList(/** @type {readonly ChangeModel[]} */ changes) {
  return h(
    'ul.changes',
    { 'aria-label': 'What the serializer changed so far' },
    changes.map(({ kind, path, message }) =>
      h(
        'li',
        {},
        h(`span.tag.change-${kind}`, {}, kind),
        h('code', {}, path || 'the whole value'),
        h('span', {}, message),
      ),
    ),
  );
}
