// The tree: contexts as nested boxes. Each row draws its part of the boxes around it, so that only visible rows need elements.

import { contextDetails } from './context-view.js';
import { fill, h } from './dom.js';
import { countKind, kinds } from './format.js';
import { VirtualList } from './virtual-list.js';

const heights = { context: 46, hoisted: 30, more: 30, end: 10 };

export function treeView(model, go) {
  const closed = new Set();
  let selected = 0;
  let rows = [];
  const details = h('aside.details', { 'aria-label': 'Context' });
  const list = new VirtualList({
    draw: drawRow,
    heightOf: ({ type }) => heights[type],
    role: 'none',
    attributes: { role: 'tree', 'aria-label': 'Contexts' },
  });
  const toggleAll = h('button.quiet', { type: 'button', on: { click: () => foldAll() } });

  function build() {
    rows = [];
    const visit = (id, depth) => {
      const isOpen = !closed.has(id);
      rows.push({ type: 'context', id, depth });
      if (isOpen) {
        const { hoisted } = model.pluginsIn(id);
        for (const plugin of hoisted) rows.push({ type: 'hoisted', id, plugin, depth });
        for (const child of model.children[id]) visit(child, depth + 1);
      }
      rows.push({ type: 'end', id, depth });
    };
    visit(0, 0);
    list.show(rows);
    toggleAll.textContent = closed.size === 0 ? 'Fold all' : 'Unfold all';
  }

  function foldAll() {
    const isOpen = closed.size === 0;
    closed.clear();
    if (isOpen)
      for (const { id, parent } of model.contexts) if (parent !== null && hasInside(id)) closed.add(id);
    build();
  }

  const hasInside = (id) => model.children[id].length > 0 || model.pluginsIn(id).hoisted.length > 0;

  function drawRow(row) {
    const element = h(`div.tree-row.tree-${row.type}`, {
      role: row.type === 'context' ? 'treeitem' : 'none',
      style: { '--depth': row.depth },
    });
    for (let level = 0; level <= row.depth; level++) {
      const isOwn = level === row.depth;
      const edge =
        isOwn && row.type === 'context' ? '.is-top' : isOwn && row.type === 'end' ? '.is-bottom' : '';
      const tone = `.tone-${level % 4}`;
      element.append(h(`span.edge${edge}${tone}`, { style: { '--level': level } }));
    }
    if (row.type === 'context') drawContext(element, row);
    if (row.type === 'hoisted') drawHoisted(element, row);
    return element;
  }

  function drawContext(element, { id, depth }) {
    const context = model.contexts[id];
    const isOpen = !closed.has(id);
    element.id = `context-${id}`;
    element.setAttribute('aria-level', depth + 1);
    element.setAttribute('aria-selected', id === selected);
    if (hasInside(id)) element.setAttribute('aria-expanded', isOpen);
    element.addEventListener('click', () => select(id, true));
    const fold = h('span.fold', {
      'aria-hidden': 'true',
      on: {
        click: (event) => {
          event.stopPropagation();
          toggle(id);
        },
      },
    });
    fold.textContent = hasInside(id) ? (isOpen ? '▾' : '▸') : '';
    element.append(
      h(
        'span.tree-label',
        {},
        fold,
        h('span.name', {}, context.name),
        context.prefix && h('code.prefix', {}, context.prefix),
        h('span.chips', {}, chips(id)),
      ),
    );
  }

  function chips(id) {
    const { definitions } = model.contexts[id];
    const texts = kinds.flatMap((kind) => {
      const found = definitions.filter((definition) => definition.kind === kind).length;
      return found === 0 ? [] : [h(`span.chip.kind-${kind}`, {}, countKind(found, kind))];
    });
    const routes = model.routesOf[id].filter(({ isAutomatic }) => !isAutomatic).length;
    if (routes > 0)
      texts.push(h('span.chip.kind-route', {}, `${routes} ${routes === 1 ? 'route' : 'routes'}`));
    return texts;
  }

  function drawHoisted(element, { plugin, id }) {
    const defined = model.contexts[id].definitions.filter((definition) => definition.plugin === plugin.id);
    const names = defined.slice(0, 4).map(({ name }) => name);
    element.append(
      h(
        'span.tree-label',
        { title: `${plugin.name} is hoisted: what it defines lands in this context` },
        h('span.hoist-mark', { 'aria-hidden': 'true' }, '↥'),
        h('span.hoisted-name', {}, plugin.name),
        h(
          'span.hoisted-adds',
          {},
          names.length > 0 && `adds ${names.join(', ')}${defined.length > 4 ? ', …' : ''}`,
        ),
      ),
    );
  }

  function toggle(id) {
    if (closed.has(id)) closed.delete(id);
    else closed.add(id);
    build();
  }

  function select(id, isByUser) {
    selected = id;
    for (const { parent } of model.chain(id)) closed.delete(parent);
    build();
    list.element.setAttribute('aria-activedescendant', `context-${id}`);
    list.reveal(rows.findIndex((row) => row.type === 'context' && row.id === id));
    fill(details, contextDetails(model, id));
    details.scrollTop = 0;
    if (isByUser) go(`#/context/${id}`, true);
  }

  list.element.addEventListener('keydown', (event) => {
    const visible = rows.filter(({ type }) => type === 'context').map(({ id }) => id);
    const at = visible.indexOf(selected);
    const moves = {
      ArrowDown: () => select(visible[Math.min(at + 1, visible.length - 1)], true),
      ArrowUp: () => select(visible[Math.max(at - 1, 0)], true),
      Home: () => select(visible[0], true),
      End: () => select(visible.at(-1), true),
      Enter: () => details.querySelector('a, button, summary')?.focus(),
      ArrowRight: () => {
        if (closed.has(selected)) toggle(selected);
        else if (model.children[selected].length > 0) select(model.children[selected][0], true);
      },
      ArrowLeft: () => {
        if (!closed.has(selected) && hasInside(selected)) toggle(selected);
        else if (selected !== 0) select(model.contexts[selected].parent, true);
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  });

  const hoistedCount = model.plugins.filter(({ isHoisted }) => isHoisted).length;
  const element = h(
    'div.view.split',
    {},
    h(
      'div.main-column',
      {},
      h(
        'div.view-head',
        {},
        h('h1', {}, 'Tree'),
        h(
          'p.lead',
          {},
          `${model.contexts.length} contexts · ${hoistedCount} hoisted plugins · ${model.routes.filter(({ isAutomatic }) => !isAutomatic).length} routes`,
        ),
        model.contexts.length > 1 && toggleAll,
      ),
      list.element,
    ),
    details,
  );
  build();
  return { element, show: (id = 0) => select(Number(id), false) };
}
