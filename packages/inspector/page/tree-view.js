// Shows the tree, as a list of nested boxes or as a picture, and the details of the selected context.
import { contextDetails } from './context-view.js';
import { fill, h } from './dom.js';
import { count } from './format.js';
import { Picture } from './picture.js';
import { TreeList } from './tree-list.js';
import { hasInside } from './tree-rows.js';

/** @import { Model } from './model.js' */

/** The list says the same as the picture, as text. @type {readonly (readonly [mode: 'list' | 'picture', title: string])[]} */
const modes = [
  ['list', 'List'],
  ['picture', 'Picture'],
];

/**
 * @param {Model} model
 * @param {(hash: string, isQuiet?: boolean) => void} go
 */
export function treeView(model, go) {
  /** @type {Set<number>} */
  const folded = new Set();
  let selected = 0;
  /** @type {'list' | 'picture'} */
  let mode = 'list';
  const details = h('aside.details', { 'aria-label': 'Context' });
  const enterDetails = () =>
    /** @type {HTMLElement | null} */ (details.querySelector('a, button, summary'))?.focus();
  /** Each is created when it is first shown. @type {Partial<Record<'list' | 'picture', TreeList | Picture>>} */
  const shapes = {};
  const create = {
    list: () => new TreeList(model, { select: choose, toggle, leave: enterDetails }),
    picture: () => new Picture(model, { select: choose, toggle }),
  };
  const body = h('div.main-body');
  const toggleAll = h('button.quiet', { type: 'button', on: { click: foldAll } });
  // An address without a mode stands for the one that is shown. Now it gets it, so that one can go back to it.
  const keepMode = () => go(addressOf(mode), true);
  const links = modes.map(([, title]) => h('a', { on: { click: keepMode } }, title));

  function addressOf(/** @type {'list' | 'picture'} */ as) {
    return `#/context/${selected}/${as}`;
  }

  function shape() {
    const shown = shapes[mode] ?? create[mode]();
    shapes[mode] = shown;
    return shown;
  }

  function draw() {
    toggleAll.textContent = folded.size === 0 ? 'Fold all' : 'Unfold all';
    const { element } = shape();
    if (element.parentNode !== body) fill(body, element);
    shape().show(folded);
    shape().select(selected, false);
  }

  function foldAll() {
    const isOpen = folded.size === 0;
    folded.clear();
    if (isOpen)
      for (const { id, parent } of model.listed(model.contexts))
        if (parent !== null && hasInside(model, id)) folded.add(id);
    draw();
  }

  function toggle(/** @type {number} */ id) {
    if (folded.has(id)) folded.delete(id);
    else if (hasInside(model, id)) folded.add(id);
    draw();
  }

  /** Selects a context, and unfolds those around it. */
  function select(/** @type {number} */ id) {
    selected = id;
    const unfolded = model.chain(id).filter((context) => context.id !== id && folded.delete(context.id));
    if (unfolded.length > 0) draw();
    fill(details, contextDetails(model, id));
    details.scrollTop = 0;
    modes.forEach(([name], i) => {
      links[i]?.setAttribute('href', addressOf(name));
      if (name === mode) links[i]?.setAttribute('aria-current', 'true');
      else links[i]?.removeAttribute('aria-current');
    });
  }

  /** Selects what the user has chosen in the list or in the picture. */
  function choose(/** @type {number} */ id) {
    select(id);
    shape().select(id, false);
    go(addressOf(mode), true);
  }

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
        h('p.lead', {}, summarize(model)),
        h(
          'div.view-tools',
          {},
          model.listed(model.contexts).length > 1 && toggleAll,
          h('nav.switch', { 'aria-label': 'Show the tree as' }, links),
        ),
      ),
      body,
    ),
    details,
  );
  return {
    element,
    /** @param {string[]} parts The id of a context, and a mode; both may be missing. */
    show(...parts) {
      const [asked = mode] = modes.map(([name]) => name).filter((name) => parts.includes(name));
      const isOther = asked !== mode || shapes[asked] === undefined;
      mode = asked;
      if (isOther) draw();
      select(model.idOf(parts[0] ?? '0'));
      shape().select(selected, true);
    },
  };
}

function summarize(/** @type {Model} */ model) {
  const hoisted = model.listed(model.plugins).filter(({ isHoisted }) => isHoisted).length;
  return [
    count(model.listed(model.contexts).length, 'context'),
    count(hoisted, 'hoisted plugin'),
    count(model.listed(model.routes).length, 'route'),
  ].join(' · ');
}
