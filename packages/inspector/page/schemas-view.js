// Shows the schemas of a route: as declared, as resolved, the code that validates or serializes them, and the changes by the serializer so
// far.
import { h, section } from './dom.js';
import { codeView, jsonView } from './json-view.js';

/** @import { ChangeModel, RouteInspection, SchemaModel } from '@ambit/inspector' */

/** @param {RouteInspection} inspection */
export function schemaSections({ schemas, changes, shared }) {
  const names = Object.keys(shared);
  return section(
    'Schemas',
    schemas.length === 0
      ? h('p.quiet', {}, 'It declares none: nothing is validated, and payloads are written as JSON.')
      : schemas.map((schema) => schemaSection(schema, changes)),
    names.length > 0 &&
      collapsible(`Shared schemas that it sees: ${names.length}`, () => jsonView(shared, 'Shared schemas')),
  );
}

function schemaSection(/** @type {SchemaModel} */ schema, /** @type {readonly ChangeModel[]} */ changes) {
  const { part, status, contentType, declared, resolved, code } = schema;
  const name = [part, status, contentType].filter(Boolean).join(' ');
  const isResponse = part === 'response';
  const own = isResponse ? changes.filter((change) => isSameStatus(change.status, status)) : [];
  const isSame = JSON.stringify(declared) === JSON.stringify(resolved);
  return h(
    'article.schema',
    {},
    h('h3', {}, h('span.dot.kind-schema', { 'aria-hidden': 'true' }), name),
    own.length > 0 && changeList(own),
    collapsible(
      isSame ? 'declared, and compiled as it is' : 'declared',
      () => jsonView(declared, `${name}, declared`),
      true,
    ),
    !isSame && collapsible('resolved', () => jsonView(resolved, `${name}, resolved`)),
    code === null
      ? h('p.quiet', {}, isResponse ? 'Another library writes it.' : 'Another library validates it.')
      : collapsible(isResponse ? 'code that writes it' : 'code that validates it', () =>
          codeView(code, `${name}, code`),
        ),
  );
}

/**
 * A collapsible section. Its content is created when it is first opened, because code may be long.
 *
 * @param {string} title
 * @param {() => HTMLElement} create
 * @param {boolean} [open]
 */
function collapsible(title, create, open = false) {
  const details = h('details.fold-out', { open }, h('summary', {}, title), open && create());
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
