// Finds contexts, plugins, definitions and routes by their names.
import { fill, h } from './dom.js';

const maxResults = 40;

export function searchBox(model, go) {
  const entries = collect(model);
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
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = words.length === 0 ? [] : find(entries, words);
    active = 0;
    draw();
  }

  function draw() {
    results.hidden = input.value === '';
    input.setAttribute('aria-expanded', String(!results.hidden));
    if (found[active]) input.setAttribute('aria-activedescendant', `result-${active}`);
    else input.removeAttribute('aria-activedescendant');
    fill(
      results,
      found.map(({ kind, name, where }, i) =>
        h(
          `div.result${i === active ? '.is-active' : ''}`,
          {
            id: `result-${i}`,
            role: 'option',
            'aria-selected': String(i === active),
            on: { mousedown: (event) => choose(event, i) },
          },
          h('span.tag', {}, kind),
          h('span.name', {}, name),
          h('span.quiet', {}, where),
        ),
      ),
      found.length === 0 &&
        h(
          'div.result',
          { role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true' },
          'Nothing found',
        ),
    );
    results.children[active]?.scrollIntoView({ block: 'nearest' });
  }

  function choose(event, index) {
    event.preventDefault();
    if (found[index] === undefined) return;
    go(found[index].href);
    input.value = '';
    update();
    input.blur();
  }

  input.addEventListener('input', update);
  input.addEventListener('blur', () => {
    results.hidden = true;
  });
  input.addEventListener('focus', () => {
    if (input.value !== '') draw();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') choose(event, active);
    else if (event.key === 'Escape') {
      input.value = '';
      update();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      active = Math.max(0, Math.min(found.length - 1, active + step));
      draw();
    }
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  return h('div.search', { role: 'search' }, input, results);
}

function collect(model) {
  const entry = (kind, name, where, href) => ({
    kind,
    name,
    where,
    href,
    text: `${kind} ${name}`.toLowerCase(),
  });
  return [
    ...model.contexts.map(({ id, name, path }) => entry('context', name, path, `#/context/${id}`)),
    ...model.plugins
      .filter(({ isHoisted }) => isHoisted)
      .map(({ name, context }) =>
        entry('plugin', name, `in ${model.contexts[context].name}`, `#/context/${context}`),
      ),
    ...model.contexts.flatMap(({ id, name: context, definitions }) =>
      definitions.map(({ kind, name }) => entry(kind, name, `in ${context}`, `#/context/${id}`)),
    ),
    ...model.routes
      .filter(({ isAutomatic }) => !isAutomatic)
      .map(({ id, methods, url, context }) =>
        entry('route', `${methods.join(', ')} ${url}`, model.contexts[context].name, `#/route/${id}`),
      ),
  ];
}

/** Names that begin with what was typed come first. */
function find(entries, words) {
  const matches = [];
  for (const entry of entries) {
    if (words.every((word) => entry.text.includes(word))) matches.push(entry);
    if (matches.length === 400) break;
  }
  const rank = ({ name }) => (name.toLowerCase().startsWith(words[0]) ? 0 : 1);
  return matches.sort((a, b) => rank(a) - rank(b)).slice(0, maxResults);
}
