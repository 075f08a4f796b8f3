// One context: what it defines, what it inherits and from where, its plugins and its routes.
import { h, section } from './dom.js';
import { fileLabel, kinds, kindTitle, method, pattern, time } from './format.js';

const maxRoutes = 100;

export function contextDetails(model, id) {
  const context = model.contexts[id];
  const seen = model.visible(id);
  const own = seen.filter(({ isOwn }) => isOwn);
  const inherited = seen.filter(({ isOwn }) => !isOwn);
  return [
    breadcrumb(model, id),
    h('h2.details-title', {}, context.name),
    h(
      'p.details-lead',
      {},
      h('code.prefix', {}, context.prefix || '/'),
      id !== 0 && h('a.quiet', { href: `#/compare/${context.parent}/${id}` }, 'compare with parent'),
    ),
    plugins(model, id),
    definitions(model, 'Defines', own, 'Nothing of its own.'),
    id !== 0 && definitions(model, 'Inherits', inherited, 'Nothing: its ancestors define nothing.'),
    routes(model, id),
  ];
}

function breadcrumb(model, id) {
  const chain = model.chain(id).slice(0, -1);
  return h(
    'nav.breadcrumb',
    { 'aria-label': 'Ancestors' },
    chain.map(({ id: ancestor, name }) => [
      h('a', { href: `#/context/${ancestor}` }, name),
      h('span', {}, '›'),
    ]),
    chain.length === 0 && h('span', {}, 'root context'),
  );
}

function plugins(model, id) {
  const { opener, hoisted } = model.pluginsIn(id);
  if (opener === undefined && hoisted.length === 0) return null;
  const row = (plugin, role) =>
    h(
      'li',
      {},
      h('span.definition-name', {}, plugin.name),
      h('span.tag', {}, role),
      h('span.quiet', {}, time(plugin.loadedMs - plugin.startMs)),
      fileLabel(plugin.file, model.folder),
    );
  return section(
    'Plugins',
    h(
      'ul.definitions',
      {},
      opener && row(opener, 'opened this context'),
      hoisted.map((plugin) => row(plugin, 'hoisted')),
    ),
  );
}

function definitions(model, title, seen, nothing) {
  const groups = kinds.flatMap((kind) => {
    const entries = seen.filter(({ definition }) => definition.kind === kind);
    if (entries.length === 0) return [];
    return [
      h('h3', {}, h(`span.dot.kind-${kind}`, { 'aria-hidden': 'true' }), kindTitle(kind)),
      h(
        'ul.definitions',
        {},
        entries.map((entry) => definitionRow(model, entry)),
      ),
    ];
  });
  return section(title, groups.length === 0 ? h('p.quiet', {}, nothing) : groups);
}

/** One definition, with its place and, if it is inherited, the context that it comes from. */
export function definitionRow(model, { definition, context, isOwn, hiddenBy }) {
  const { name, value, file, plugin } = definition;
  const by = plugin === null ? null : model.plugins[plugin];
  return h(
    `li${hiddenBy === null ? '' : '.is-hidden'}`,
    {},
    h('span.definition-name', {}, name),
    value !== 'undefined' && value !== name && h('span.value', {}, value),
    by !== null && by.name !== context.name && h('span.tag', {}, `by ${by.name}`),
    !isOwn && h('span.from', {}, 'from ', h('a', { href: `#/context/${context.id}` }, context.name)),
    hiddenBy !== null && h('span.tag.is-warning', {}, `replaced in ${hiddenBy.name}`),
    fileLabel(file, model.folder),
  );
}

function routes(model, id) {
  const own = model.routesOf[id].filter(({ isAutomatic }) => !isAutomatic);
  if (own.length === 0) return null;
  return section(
    'Routes',
    h(
      'ul.route-links',
      {},
      own
        .slice(0, maxRoutes)
        .map((route) =>
          h('li', {}, h('a', { href: `#/route/${route.id}` }, route.methods.map(method), pattern(route.url))),
        ),
    ),
    own.length > maxRoutes && h('p', {}, h('a', { href: '#/routes' }, `and ${own.length - maxRoutes} more`)),
  );
}
