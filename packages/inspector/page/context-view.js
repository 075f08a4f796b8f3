// Shows one context: its definitions, those that it inherits and from where, its plugins and its routes.
import { definitionLists } from './definitions.js';
import { h, section } from './dom.js';
import { fileLabel, method, pattern, time } from './format.js';

/** @import { PluginModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

const maxRoutes = 100;

/**
 * @param {Model} model
 * @param {number} id
 */
export function contextDetails(model, id) {
  const context = model.context(id);
  const visible = model.visible(id);
  const own = visible.filter(({ isOwn }) => isOwn);
  const inherited = visible.filter(({ isOwn }) => !isOwn);
  return [
    breadcrumb(model, id),
    h('h2.details-title', {}, context.name),
    h(
      'p.details-lead',
      {},
      h('code.prefix', {}, context.prefix || '/'),
      id !== 0 && h('a', { href: `#/compare/${context.parent}/${id}` }, 'compare with parent'),
    ),
    plugins(model, id),
    section('Defines', definitionLists(model, own, 'Nothing of its own.', id)),
    id !== 0 &&
      section('Inherits', definitionLists(model, inherited, 'Nothing: its ancestors define nothing.', id)),
    routes(model, id),
  ];
}

function breadcrumb(/** @type {Model} */ model, /** @type {number} */ id) {
  const chain = model.chain(id).slice(0, -1);
  return h(
    'nav.breadcrumb',
    { 'aria-label': 'Ancestors' },
    chain.map(({ id: ancestor, name }) => [
      h('a', { href: `#/context/${ancestor}` }, name),
      h('span', { 'aria-hidden': 'true' }, '›'),
    ]),
    chain.length === 0 && h('span', {}, 'root context'),
  );
}

function plugins(/** @type {Model} */ model, /** @type {number} */ id) {
  const { opener, hoisted } = model.pluginsIn(id);
  if (opener === undefined && hoisted.length === 0) return null;
  const row = (/** @type {PluginModel} */ plugin, /** @type {string} */ role) =>
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

function routes(/** @type {Model} */ model, /** @type {number} */ id) {
  const own = model.routesOf[id] ?? [];
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
