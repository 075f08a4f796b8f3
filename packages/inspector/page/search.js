// Finds contexts, plugins, definitions, hooks, routes and requests by their names.
import { fill, h } from './dom.js';
import { functionLabel } from './format.js';
import { containsAll, formatFilter, wordsOf } from './request-filter.js';

/** @import { DefinitionModel } from '@ambit/inspector' */
/** @import { Live } from './live.js' */
/** @import { Model } from './model.js' */

/**
 * @typedef {object} Entry
 * @property {string} kind
 * @property {string} name
 * @property {string} where
 * @property {string} href
 * @property {string} text The text that is searched.
 */

const maxResults = 40;
/** How many matches are sorted. */
const maxMatches = 400;
/** How many requests are among the results. */
const maxRequests = 6;

/**
 * @param {Model} model
 * @param {Live} live
 * @param {(hash: string) => void} go
 */
export function searchBox(model, live, go) {
  /** Collected when they are first searched. @type {Entry[] | undefined} */
  let entries;
  /** @type {Entry[]} */
  let found = [];
  let active = 0;
  const input = h('input', {
    type: 'search',
    placeholder: 'Search everything',
    autocomplete: 'off',
    spellcheck: false,
    role: 'combobox',
    'aria-label': 'Search everything',
    'aria-expanded': 'false',
    'aria-controls': 'results',
    'aria-keyshortcuts': '/',
  });
  const results = h('div.results', { id: 'results', role: 'listbox', 'aria-label': 'Results', hidden: true });

  function update() {
    const words = wordsOf(input.value);
    entries ??= collect(model);
    found = words.length === 0 ? [] : [...find(entries, words), ...findRequests(live, words)];
    active = 0;
    draw();
  }

  function draw() {
    results.hidden = input.value === '';
    input.setAttribute('aria-expanded', String(!results.hidden));
    if (found[active]) input.setAttribute('aria-activedescendant', `result-${active}`);
    else input.removeAttribute('aria-activedescendant');
    const nothing = { role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true' };
    fill(
      results,
      found.map((entry, i) => drawResult(entry, i, i === active)),
      found.length === 0 && h('div.result', nothing, 'Nothing found'),
    );
    results.children[active]?.scrollIntoView({ block: 'nearest' });
  }

  function drawResult(
    /** @type {Entry} */ { kind, name, where },
    /** @type {number} */ i,
    /** @type {boolean} */ isActive,
  ) {
    const properties = {
      id: `result-${i}`,
      role: 'option',
      'aria-selected': String(isActive),
      on: { mousedown: (/** @type {Event} */ event) => choose(event, i) },
    };
    return h(
      `div.result${isActive ? '.is-active' : ''}`,
      properties,
      h('span.tag', {}, kind),
      h('span.name', {}, name),
      h('span.quiet', {}, where),
    );
  }

  function choose(/** @type {Event} */ event, /** @type {number} */ index) {
    event.preventDefault();
    const chosen = found[index];
    if (chosen === undefined) return;
    go(chosen.href);
    input.value = '';
    update();
    input.blur();
  }

  function move(/** @type {KeyboardEvent} */ event) {
    event.preventDefault();
    active = Math.max(0, Math.min(found.length - 1, active + (event.key === 'ArrowDown' ? 1 : -1)));
    draw();
  }

  input.addEventListener('input', update);
  input.addEventListener('blur', () => {
    results.hidden = true;
    input.setAttribute('aria-expanded', 'false');
  });
  input.addEventListener('focus', () => {
    if (input.value !== '') draw();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') choose(event, active);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event);
    else if (event.key === 'Escape') {
      input.value = '';
      update();
    }
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  return h('div.search', { role: 'search' }, input, h('kbd', { 'aria-hidden': 'true' }, '/'), results);
}

function collect(/** @type {Model} */ model) {
  /** @returns {Entry} */
  const entry = (
    /** @type {string} */ kind,
    /** @type {string} */ name,
    /** @type {string} */ where,
    /** @type {string} */ href,
  ) => ({ kind, name, where, href, text: `${kind} ${name}`.toLowerCase() });
  return [
    ...model
      .listed(model.contexts)
      .map(({ id, name, path }) => entry('context', name, path, `#/context/${id}`)),
    ...model
      .listed(model.plugins)
      .filter(({ isHoisted }) => isHoisted)
      .map(({ name, context }) =>
        entry('plugin', name, `in ${model.context(context).name}`, `#/context/${context}`),
      ),
    ...model
      .listed(model.contexts)
      .flatMap(({ id, name: context }) =>
        model
          .definitionsOf(id)
          .map((definition) =>
            entry(definition.kind, definitionName(definition, model), `in ${context}`, `#/context/${id}`),
          ),
      ),
    ...routeHooks(model).map(({ step, route }) => {
      const called = functionLabel(step.function, step.file, model.folder);
      return entry('hook', `${called} ${step.name}`, `of ${route.url}`, `#/route/${route.id}`);
    }),
    ...model.listed(model.routes).map(({ id, methods, url, context, handler, file }) => ({
      ...entry('route', `${methods.join(', ')} ${url}`, model.context(context).name, `#/route/${id}`),
      text: `route ${methods.join(' ')} ${url} ${functionLabel(handler, file, model.folder)}`.toLowerCase(),
    })),
  ];
}

/** A hook is known by its function: `checkToken onRequest`. */
function definitionName(
  /** @type {DefinitionModel} */ { kind, name, value, file },
  /** @type {Model} */ model,
) {
  const [, called = null] = /^function (.+)/.exec(value) ?? [];
  return kind === 'hook' ? `${functionLabel(called, file, model.folder)} ${name}` : name;
}

/** The hooks that no context has, because they are declared with a route, or added to one: each once, with one of its routes. */
function routeHooks(/** @type {Model} */ model) {
  const found = new Map();
  const lists = new Set();
  for (const route of model.listed(model.routes)) {
    if (lists.has(route.steps)) continue;
    lists.add(route.steps);
    for (const step of model.listed(model.stepsOf(route))) {
      const isHook = step.from === 'route' || step.from === 'onRoute';
      if (isHook && step.name !== 'handler' && !found.has(step)) found.set(step, { step, route });
    }
  }
  return [...found.values()];
}

/** The last requests that match, and a link to all of them. */
function findRequests(/** @type {Live} */ live, /** @type {readonly string[]} */ words) {
  /** @type {Entry[]} */
  const entries = [];
  for (const request of live.requests) {
    if (!containsAll(request, words)) continue;
    if (entries.length === maxRequests) {
      const href = `#/requests${formatFilter({ text: words.join(' ') })}`;
      entries.push({ kind: 'requests', name: 'all that match', where: '', href, text: '' });
      break;
    }
    const { number, method, url, status, at } = request;
    const where = `${status || request.state} at ${new Date(at).toLocaleTimeString()}`;
    entries.push({
      kind: 'request',
      name: `${method} ${url}`,
      where,
      href: `#/requests/${number}`,
      text: '',
    });
  }
  return entries;
}

/** Names that begin with the typed text come first. */
function find(/** @type {Entry[]} */ entries, /** @type {string[]} */ words) {
  const matches = [];
  for (const entry of entries) {
    if (words.every((word) => entry.text.includes(word))) matches.push(entry);
    if (matches.length === maxMatches) break;
  }
  const rank = (/** @type {Entry} */ { name }) => (name.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return matches.sort((a, b) => rank(a) - rank(b)).slice(0, maxResults);
}
