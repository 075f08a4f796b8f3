// Shows how the application booted: a bar for each plugin and each listener of `after`, and what it waited for.
import { empty, h } from './dom.js';
import { count, fileLabel, time } from './format.js';
import { VirtualList } from './virtual-list.js';

/** @import { AfterListenerModel, PluginModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/**
 * @typedef {object} Bar
 * @property {string} name
 * @property {'plugin' | 'hoisted' | 'after'} kind
 * @property {number} context
 * @property {string | null} file
 * @property {string} facts
 * @property {number} depth
 * @property {number} startMs
 * @property {number} endMs
 * @property {number} loadedMs
 */

const rowPx = 52;
const maxDepth = 8;

/** Plugins and listeners, in the order in which they began. */
function barsOf(/** @type {Model} */ model) {
  const depths = model.plugins.map(() => 0);
  const depthIn = (/** @type {number | null} */ owner) => (owner === null ? 0 : (depths[owner] ?? 0) + 1);
  const ofPlugin = (/** @type {PluginModel} */ plugin) => {
    const { id, name, isHoisted, registeredBy, waitedFor } = plugin;
    depths[id] = depthIn(registeredBy);
    const facts = waitedFor === null ? '' : `after ${model.plugins[waitedFor]?.name}`;
    return { ...plugin, name, kind: isHoisted ? 'hoisted' : 'plugin', facts, depth: depths[id] };
  };
  const ofListener = (/** @type {AfterListenerModel} */ listener) => {
    const facts = 'a listener of after()';
    return { ...listener, kind: 'after', facts, depth: depthIn(listener.plugin), loadedMs: listener.endMs };
  };
  const plugins = model.plugins.map(ofPlugin);
  const bars = [...model.listed(plugins), ...model.afterListeners.map(ofListener)];
  return /** @type {Bar[]} */ (bars).sort((a, b) => a.startMs - b.startMs);
}

function drawBar(/** @type {Model} */ model, /** @type {Bar} */ bar) {
  const { name, kind, context, file, facts, depth, startMs, endMs, loadedMs } = bar;
  const share = (/** @type {number} */ ms) => `${(Math.max(ms, 0) / (model.bootMs || 1)) * 100}%`;
  const title = [
    `${name}: began at ${time(startMs)}, took ${time(endMs - startMs)}`,
    loadedMs > endMs && `with everything inside ${time(loadedMs - startMs)}`,
    facts,
  ];
  const part = (/** @type {string} */ className, /** @type {number} */ ms) =>
    h(`span.${className}`, { style: { '--from': share(startMs), '--size': share(ms - startMs) } });
  return [
    h(
      'div.boot-name',
      { style: { '--depth': Math.min(depth, maxDepth) } },
      h('a', { href: `#/context/${context}`, title: title.filter(Boolean).join(', ') }, name),
      kind === 'hoisted' && h('span.hoist-mark', { title: 'hoisted' }, '↥'),
      h('span.boot-facts', {}, facts, fileLabel(file, model.folder)),
    ),
    h(
      'div.boot-track',
      { 'aria-hidden': 'true' },
      part('boot-inside', loadedMs),
      part(kind === 'after' ? 'boot-after' : 'boot-own', endMs),
    ),
    h('div.boot-ms', {}, time(Math.max(endMs, loadedMs) - startMs)),
  ];
}

function scale(/** @type {number} */ total) {
  return h(
    'div.boot-scale',
    { 'aria-hidden': 'true' },
    h('span'),
    h(
      'div.boot-track',
      {},
      [0, 0.25, 0.5, 0.75, 1].map((tick) =>
        h('span.tick', { style: { '--from': `${tick * 100}%` } }, time(tick * total)),
      ),
    ),
    h('span'),
  );
}

function legend(/** @type {boolean} */ hasListeners) {
  return h(
    'p.legend',
    {},
    h('span.swatch.boot-own'),
    'the plugin itself',
    h('span.swatch.boot-inside'),
    'what it registered',
    hasListeners && [h('span.swatch.boot-after'), 'listeners of after()'],
  );
}

export function bootView(/** @type {Model} */ model) {
  const bars = barsOf(model);
  const list = new VirtualList({
    draw: (/** @type {Bar} */ bar, index) =>
      h(
        'div.boot-row',
        { role: 'listitem', 'aria-setsize': bars.length, 'aria-posinset': index + 1 },
        drawBar(model, bar),
      ),
    heightOf: () => rowPx,
    role: 'list',
    attributes: { role: 'region', 'aria-label': 'Plugins in the order in which they ran' },
  });
  const lead = `${count(model.listed(model.plugins).length, 'plugin')} loaded one after the other in ${time(model.bootMs)}`;
  const element = h(
    'div.view',
    {},
    h(
      'div.view-head',
      {},
      h('h1', {}, 'Boot'),
      bars.length > 0 && [h('p.lead', {}, lead), legend(model.afterListeners.length > 0)],
    ),
    bars.length === 0
      ? empty('No plugins.', 'What the application registers appears here, with its time.')
      : [scale(model.bootMs), list.element],
  );
  list.show(bars);
  return { element, show() {} };
}
