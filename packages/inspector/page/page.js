// Starts the page: reads the model, and shows the view that the address names.
import { bootView } from './boot-view.js';
import { codeView } from './code-view.js';
import { compareView } from './compare-view.js';
import { empty, fill, h } from './dom.js';
import { time } from './format.js';
import { Live } from './live.js';
import { Model } from './model.js';
import { processView } from './process-view.js';
import { requestsView } from './requests-view.js';
import { routeView } from './route-view.js';
import { routesView } from './routes-view.js';
import { searchBox } from './search.js';
import { treeView } from './tree-view.js';

/** @import { Inspection } from '@ambit/inspector' */

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(...parts: string[]) => void} show Gets the rest of the address. A query is the last part, with its question mark.
 */

const folder = new URL('./', import.meta.url);

/** Where the browser keeps whether the framework's own parts are shown. */
const ownKey = 'ambit.inspector.shows-own';

/**
 * Reads one of the data files next to this script.
 *
 * @param {string} name
 */
async function load(name) {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.json();
}

/**
 * @param {string} hash
 * @param {boolean} [isQuiet] Changes only the address, because the view has already changed.
 */
function go(hash, isQuiet = false) {
  if (location.hash === hash) return;
  if (isQuiet) history.replaceState(null, '', hash);
  else location.hash = hash;
}

/** @type {readonly (readonly [name: string, title: string])[]} */
const tabs = [
  ['tree', 'Tree'],
  ['routes', 'Routes'],
  ['requests', 'Requests'],
  ['boot', 'Boot'],
  ['process', 'Process'],
  ['compare', 'Compare'],
];

/** Addresses that belong to the tab of another address. */
const tabOf = new Map([
  ['context', 'tree'],
  ['route', 'routes'],
  ['code', 'routes'],
]);

/**
 * The views by the first part of the address. Each is created when it is first shown.
 *
 * @param {Model} model
 * @param {Live} live
 * @returns {Map<string, () => View>}
 */
function createViews(model, live) {
  const once = (/** @type {() => View} */ create) => {
    /** @type {View | undefined} */
    let view;
    return () => {
      view ??= create();
      return view;
    };
  };
  const tree = once(() => treeView(model, go));
  return new Map([
    ['tree', tree],
    ['context', tree],
    ['routes', once(() => routesView(model))],
    ['route', once(() => routeView(model, load))],
    ['code', once(() => codeView(model, load))],
    ['requests', once(() => requestsView(model, live, go))],
    ['boot', once(() => bootView(model))],
    ['process', once(() => processView(live))],
    ['compare', once(() => compareView(model, go))],
  ]);
}

function header(/** @type {Model} */ model, /** @type {Live} */ live, /** @type {HTMLElement[]} */ links) {
  const { framework, node, bootMs } = model;
  const facts = `${framework.name} ${framework.version} · node ${node.slice(1)} · boot ${time(bootMs)}`;
  return h(
    'header.top',
    {},
    h(
      'a.brand',
      { href: '#/tree' },
      h('span.mark', { 'aria-hidden': 'true' }),
      h('span.brand-name', {}, 'Ambit inspector'),
      h('span.brand-facts', {}, facts),
    ),
    searchBox(model, live, go),
    model.hasOwn && ownSwitch(model),
    h('nav.tabs', { 'aria-label': 'Views' }, links),
  );
}

/** The switch for what belongs to the framework and its tools. All lists change, so the page is loaded again. */
function ownSwitch(/** @type {Model} */ model) {
  const change = () => {
    localStorage.setItem(ownKey, String(input.checked));
    location.reload();
  };
  const input = h('input', { type: 'checkbox', checked: model.showsOwn, on: { change } });
  const title = 'Also lists automatic HEAD routes, probes, the documentation, and what tools of Ambit add';
  return h('label.check.own-switch', { title }, input, 'show Ambit’s own');
}

function start(/** @type {Inspection} */ data) {
  const model = new Model(data, localStorage.getItem(ownKey) === 'true');
  const main = h('main', { id: 'main' });
  const links = tabs.map(([name, title]) => h('a.tab', { href: `#/${name}`, id: `tab-${name}` }, title));
  const notice = h('div.notice', { role: 'status' });
  const problem = h('div.notice.is-problem', { role: 'alert' });
  const live = new Live(new URL('events', folder), () => onRestart(main, notice));
  live.listen(() => showProblem(live, problem));
  const views = createViews(model, live);

  function show() {
    const [name = 'tree', ...rest] = location.hash
      .replace(/^#\/?/, '')
      .split(/\/|(?=\?)/)
      .filter(Boolean);
    const viewName = views.has(name) ? name : 'tree';
    const { element, show: showView } = /** @type {() => View} */ (views.get(viewName))();
    if (element.parentNode !== main) fill(main, element);
    const tab = tabOf.get(viewName) ?? viewName;
    for (const link of links) {
      const isCurrent = link.id === `tab-${tab}`;
      link.classList.toggle('is-current', isCurrent);
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const title = tabs.find(([id]) => id === tab)?.[1];
    document.title = `${title} · ${model.context(0).name} · Ambit inspector`;
    showView(...rest);
  }

  document.body.replaceChildren(
    h('a.skip', { href: '#main', on: { click: (event) => skip(event, main) } }, 'Skip to content'),
    header(model, live, links),
    problem,
    notice,
    main,
  );
  addEventListener('hashchange', show);
  show();
}

/** Shows why the last save does not start. The version before it still serves, so the page goes on. */
function showProblem(/** @type {Live} */ { problem }, /** @type {HTMLElement} */ element) {
  const text = problem?.text ?? '';
  if ((element.dataset.text ?? '') === text) return;
  element.dataset.text = text;
  if (problem === null) element.replaceChildren();
  else
    fill(
      element,
      h('strong', {}, 'The last save does not start. '),
      'You see the version before it.',
      h('details', { open: true }, h('summary', {}, problem.title), h('pre', { tabIndex: 0 }, text)),
    );
}

/**
 * Reloads the page, because the application has a new model. If the user has filled in or sent a form, it only shows a
 * button, so that the text and the answer are not lost.
 */
function onRestart(/** @type {HTMLElement} */ main, /** @type {HTMLElement} */ notice) {
  if (main.querySelector('.try.is-used') === null) {
    location.reload();
    return;
  }
  fill(
    notice,
    'The application has restarted. ',
    h('button.quiet', { type: 'button', on: { click: () => location.reload() } }, 'Reload'),
  );
}

function skip(/** @type {Event} */ event, /** @type {HTMLElement} */ main) {
  event.preventDefault();
  const first = main.querySelector('a, button, input, select, [tabindex]');
  if (first instanceof HTMLElement) first.focus();
}

try {
  start(await load('model.json'));
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(h('main', {}, empty('The model could not be read.', text)));
  throw error;
}
