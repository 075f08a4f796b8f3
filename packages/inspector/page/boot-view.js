// Shows how the application booted, as a waterfall: a row for each plugin and each listener of `after`, on one scale of time.
import { bootRows, ownMs, slowest, tickMs } from './boot-rows.js';
import { empty, fill, h } from './dom.js';
import { count, fileLabel, time } from './format.js';
import { VirtualList } from './virtual-list.js';

/** @import { BootRow } from './boot-rows.js' */
/** @import { Model } from './model.js' */

const rowPx = 38;
/** Deeper rows have the indent of this level. */
const maxDepth = 10;
const maxTicks = 6;
/** How many of the slowest are named above the rows. */
const namedCount = 3;

/** The numbers of a row, as the tooltip shows them and as screen readers say them. */
function numbersOf(/** @type {BootRow} */ row) {
  const { kind, queuedMs, startMs, endMs, idleMs, loadedMs, waitedFor } = row;
  const queued = startMs - queuedMs;
  /** @type {[name: string, value: string][]} */
  const numbers = [['began at', time(startMs)]];
  if (queued > 0)
    numbers.push([
      'waited for its turn',
      time(queued) + (waitedFor === null ? '' : `, last for ${waitedFor}`),
    ]);
  numbers.push([kind === 'after' ? 'the listener' : 'its own code', time(endMs - startMs)]);
  if (idleMs > 0) {
    numbers.push(['of that, worked', time(endMs - startMs - idleMs)]);
    numbers.push(['of that, waited', time(idleMs)]);
  }
  if (loadedMs > endMs) {
    numbers.push(['what it registered', time(loadedMs - endMs)]);
    numbers.push(['together', time(loadedMs - startMs)]);
  }
  return numbers;
}

class Waterfall {
  #rows;
  #slowest;
  #model;
  #totalMs;
  #list;
  #tip = h('div.boot-tip', { role: 'tooltip', id: 'boot-tip', hidden: true });

  constructor(/** @type {Model} */ model, /** @type {BootRow[]} */ rows) {
    this.#model = model;
    this.#rows = rows;
    this.#slowest = slowest(rows, 1, model.bootMs)[0];
    this.#totalMs = model.bootMs || 1;
    this.#list = new VirtualList({
      draw: (/** @type {BootRow} */ row, index) => this.#drawRow(row, index),
      heightOf: () => rowPx,
      role: 'list',
      attributes: { role: 'region', 'aria-label': 'Plugins in the order in which they ran' },
    });
    const stepMs = tickMs(model.bootMs, maxTicks);
    this.element = h(
      'div.boot',
      { style: { '--tick': this.#share(stepMs) } },
      this.#scale(stepMs),
      this.#list.element,
      this.#tip,
    );
    const hide = () => {
      this.#tip.hidden = true;
    };
    for (const type of /** @type {const} */ (['pointerleave', 'focusout', 'scroll']))
      this.#list.element.addEventListener(type, hide);
    this.element.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
    this.#list.show(rows);
  }

  /** Scrolls to a row, and puts the focus there. */
  focus(/** @type {BootRow} */ row) {
    const index = this.#rows.indexOf(row);
    this.#list.reveal(index);
    /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-row="${index}"]`))?.focus();
  }

  #share(/** @type {number} */ ms) {
    return `${(Math.max(ms, 0) / this.#totalMs) * 100}%`;
  }

  #scale(/** @type {number} */ stepMs) {
    const ticks = Array.from({ length: Math.floor(this.#model.bootMs / stepMs) + 1 }, (_, i) => i * stepMs);
    return h(
      'div.boot-scale',
      { 'aria-hidden': 'true' },
      h('span'),
      h(
        'div.boot-track',
        {},
        ticks.map((ms) => h('span.tick', { style: { '--from': this.#share(ms) } }, tickText(ms))),
      ),
      h('span.boot-ms', {}, 'own code'),
      h('span.boot-ms', {}, 'with all inside'),
    );
  }

  #drawRow(/** @type {BootRow} */ row, /** @type {number} */ index) {
    const { name, kind, context, depth, startMs, endMs, loadedMs } = row;
    const texts = numbersOf(row).map(([label, value]) => `${label} ${value}`);
    const element = h(
      'div.boot-row',
      { role: 'listitem', 'aria-setsize': this.#rows.length, 'aria-posinset': index + 1 },
      h(
        'a.boot-link',
        {
          href: `#/context/${context}`,
          'data-row': index,
          on: { focus: () => this.#showTip(row, element) },
        },
        h(
          'span.boot-name',
          { style: { '--depth': Math.min(depth, maxDepth) } },
          kind === 'hoisted' && h('span.hoist-mark', { title: 'hoisted' }, '↥'),
          h('span.name', {}, name),
          kind === 'after' && h('span.tag', {}, 'after()'),
          row === this.#slowest && h('span.tag.is-warning', {}, 'slowest'),
        ),
        h('span.for-readers', {}, texts.join(', ')),
        h('span.boot-track', { 'aria-hidden': 'true' }, this.#bars(row)),
        h('span.boot-ms.boot-own-ms', { 'aria-hidden': 'true' }, time(endMs - startMs)),
        h('span.boot-ms', { 'aria-hidden': 'true' }, time(Math.max(endMs, loadedMs) - startMs)),
      ),
    );
    element.addEventListener('pointerenter', () => this.#showTip(row, element));
    return element;
  }

  #bars(/** @type {BootRow} */ row) {
    const { kind, queuedMs, startMs, endMs, idleMs, loadedMs } = row;
    const workedMs = endMs - idleMs;
    /** @type {[className: string, from: number, to: number][]} */
    const bars = [
      ['boot-queued', queuedMs, startMs],
      ['boot-inside', endMs, loadedMs],
      ['boot-idle', workedMs, endMs],
      [kind === 'after' ? 'boot-after' : 'boot-own', startMs, workedMs],
    ];
    // Also code that took no time has a bar: the last one.
    return bars
      .filter(([, from, to], i) => to > from || i === bars.length - 1)
      .map(([className, from, to]) =>
        h(`span.bar.${className}`, {
          style: { '--from': this.#share(from), '--size': this.#share(to - from) },
        }),
      );
  }

  #showTip(/** @type {BootRow} */ row, /** @type {HTMLElement} */ rowElement) {
    fill(
      this.#tip,
      h('p.boot-tip-name', {}, row.name),
      h(
        'dl',
        {},
        numbersOf(row).map(([label, value]) => [h('dt', {}, label), h('dd', {}, value)]),
      ),
      fileLabel(row.file, this.#model.folder),
    );
    this.#tip.hidden = false;
    const outer = this.element.getBoundingClientRect();
    const { top, bottom } = rowElement.getBoundingClientRect();
    const below = bottom - outer.top + 4;
    const fits = below + this.#tip.offsetHeight <= outer.height;
    this.#tip.style.setProperty(
      'top',
      `${fits ? below : Math.max(0, top - outer.top - this.#tip.offsetHeight - 4)}px`,
    );
  }
}

/** `20 ms`, without the digits that `time` keeps so that numbers below each other can be compared. */
function tickText(/** @type {number} */ ms) {
  const [value, unit] = ms >= 1000 ? [ms / 1000, 's'] : ms >= 1 || ms === 0 ? [ms, 'ms'] : [ms * 1000, 'µs'];
  return `${Number(value.toPrecision(4))} ${unit}`;
}

function legend(/** @type {BootRow[]} */ rows) {
  /** @type {[className: string, text: string, isUsed: boolean][]} */
  const entries = [
    ['boot-queued', 'waits for its turn', rows.some(({ queuedMs, startMs }) => startMs > queuedMs)],
    ['boot-own', 'works', true],
    ['boot-idle', 'waits for something outside', rows.some(({ idleMs }) => idleMs > 0)],
    ['boot-after', 'listener of after()', rows.some(({ kind }) => kind === 'after')],
    ['boot-inside', 'what it registered', rows.some(({ endMs, loadedMs }) => loadedMs > endMs)],
  ];
  return h(
    'p.legend',
    {},
    entries
      .filter(([, , isUsed]) => isUsed)
      .map(([className, text]) => h('span.legend-entry', {}, h(`span.swatch.${className}`), text)),
  );
}

export function bootView(/** @type {Model} */ model) {
  const rows = bootRows(model);
  if (rows.length === 0) {
    const nothing = empty('No plugins.', 'What the application registers appears here, with its time.');
    return { element: h('div.view', {}, h('div.view-head', {}, h('h1', {}, 'Boot')), nothing), show() {} };
  }
  const waterfall = new Waterfall(model, rows);
  const named = slowest(rows, namedCount, model.bootMs).map((row) =>
    h(
      'button.quiet',
      { type: 'button', on: { click: () => waterfall.focus(row) } },
      h('span.name', {}, row.name),
      h('span.quiet', {}, time(ownMs(row))),
    ),
  );
  const element = h(
    'div.view',
    {},
    h(
      'div.view-head',
      {},
      h('h1', {}, 'Boot'),
      h(
        'p.lead',
        {},
        `${count(model.listed(model.plugins).length, 'plugin')} in ${time(model.bootMs)}, one after the other`,
      ),
      named.length > 0 && h('p.boot-slowest', {}, 'slowest', named),
      legend(rows),
    ),
    waterfall.element,
  );
  return { element, show() {} };
}
