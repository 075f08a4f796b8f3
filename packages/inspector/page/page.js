// Wires the page: reads the model, and shows the view that the address names.
import { bootView } from './boot-view.js';
import { compareView } from './compare-view.js';
import { empty, fill, h } from './dom.js';
import { time } from './format.js';
import { Model } from './model.js';
import { requestsView } from './requests-view.js';
import { routeView } from './route-view.js';
import { routesView } from './routes-view.js';
import { searchBox } from './search.js';
import { treeView } from './tree-view.js';

const folder = new URL('./', import.meta.url);

/** Reads one of the files of data next to this script. */
async function load(name) {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.json();
}

/** @param {boolean} [isQuiet] Only the address changes: the view has done the rest. */
function go(hash, isQuiet = false) {
  if (location.hash === hash) return;
  if (isQuiet) history.replaceState(null, '', hash);
  else location.hash = hash;
}

const tabs = [
  ['tree', 'Tree'],
  ['routes', 'Routes'],
  ['requests', 'Requests'],
  ['boot', 'Boot'],
  ['compare', 'Compare'],
];

/** The views by the first part of the address, and the tab that each belongs to. */
const views = {
  tree: [treeView, 'tree'],
  context: [treeView, 'tree'],
  routes: [routesView, 'routes'],
  route: [routeView, 'routes'],
  requests: [requestsView, 'requests'],
  boot: [bootView, 'boot'],
  compare: [compareView, 'compare'],
};

function start(data) {
  const model = new Model(data);
  const made = new Map();
  const main = h('main', { id: 'main' });
  const links = tabs.map(([name, title]) => h('a.tab', { href: `#/${name}`, id: `tab-${name}` }, title));
  const make = {
    [treeView.name]: () => treeView(model, go),
    [routesView.name]: () => routesView(model),
    [routeView.name]: () => routeView(model, load),
    [requestsView.name]: () => requestsView(model, load, go),
    [bootView.name]: () => bootView(model),
    [compareView.name]: () => compareView(model, go),
  };

  function show() {
    const [name = 'tree', ...rest] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
    const [view, tab] = views[name] ?? views.tree;
    if (!made.has(view)) made.set(view, make[view.name]());
    const { element, show: showView } = made.get(view);
    if (element.parentNode !== main) fill(main, element);
    for (const link of links) {
      const isCurrent = link.id === `tab-${tab}`;
      link.classList.toggle('is-current', isCurrent);
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = `${tabs.find(([id]) => id === tab)[1]} · ${model.contexts[0].name} · Ambit inspector`;
    showView(...rest);
  }

  document.body.replaceChildren(
    h('a.skip', { href: '#main', on: { click: (event) => skip(event, main) } }, 'Skip to content'),
    h(
      'header.top',
      {},
      h(
        'a.brand',
        { href: '#/tree' },
        h('span.mark', { 'aria-hidden': 'true' }),
        h('span.brand-name', {}, 'Ambit inspector'),
        h(
          'span.brand-facts',
          {},
          `${data.framework.name} ${data.framework.version} · node ${data.node.slice(1)} · boot ${time(data.bootMs)}`,
        ),
      ),
      searchBox(model, go),
      h('nav.tabs', { 'aria-label': 'Views' }, links),
    ),
    main,
  );
  addEventListener('hashchange', show);
  show();
}

function skip(event, main) {
  event.preventDefault();
  main.querySelector('a, button, input, select, [tabindex]')?.focus();
}

try {
  start(await load('model.json'));
} catch (error) {
  document.body.replaceChildren(h('main', {}, empty('The model could not be read.', error.message)));
  throw error;
}
