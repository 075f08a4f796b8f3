// How the application booted: each plugin as a bar, and what it waited for.
import { empty, h } from './dom.js';
import { count, fileLabel, time } from './format.js';
import { VirtualList } from './virtual-list.js';

const rowPx = 52;

export function bootView(model) {
  const total = model.bootMs || 1;
  const share = (ms) => `${(ms / total) * 100}%`;
  const depths = model.plugins.map(() => 0);
  for (const { id, registeredBy } of model.plugins)
    if (registeredBy !== null) depths[id] = depths[registeredBy] + 1;

  function drawRow(plugin, index) {
    const { id, name, startMs, endMs, loadedMs, waitedFor, isHoisted, file, context } = plugin;
    const waited = waitedFor === null ? null : model.plugins[waitedFor];
    const text = [
      `${name}: began at ${time(startMs)}, took ${time(endMs - startMs)}`,
      loadedMs > endMs && `, with everything inside ${time(loadedMs - startMs)}`,
      waited && `, waited for ${waited.name}`,
    ];
    return h(
      'div.boot-row',
      { role: 'listitem', 'aria-setsize': model.plugins.length, 'aria-posinset': index + 1 },
      h(
        'div.boot-name',
        { style: { '--depth': Math.min(depths[id], 8) } },
        h('a', { href: `#/context/${context}`, title: text.filter(Boolean).join('') }, name),
        isHoisted && h('span.hoist-mark', { title: 'hoisted' }, '↥'),
        h('span.boot-facts', {}, waited ? `after ${waited.name}` : '', fileLabel(file, model.folder)),
      ),
      h(
        'div.boot-track',
        { 'aria-hidden': 'true' },
        h('span.boot-inside', {
          style: { '--from': share(startMs), '--size': share(Math.max(loadedMs - startMs, 0)) },
        }),
        h('span.boot-own', {
          style: { '--from': share(startMs), '--size': share(Math.max(endMs - startMs, 0)) },
        }),
      ),
      h('div.boot-ms', {}, time(Math.max(endMs, loadedMs) - startMs)),
    );
  }

  const list = new VirtualList({
    draw: drawRow,
    heightOf: () => rowPx,
    role: 'list',
    attributes: { role: 'region', 'aria-label': 'Plugins in the order in which they ran' },
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1];
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
        `${count(model.plugins.length, 'plugin')} loaded one after the other in ${time(model.bootMs)}`,
      ),
      h(
        'p.legend',
        {},
        h('span.swatch.boot-own'),
        'the plugin itself',
        h('span.swatch.boot-inside'),
        'what it registered',
      ),
    ),
    model.plugins.length === 0
      ? empty('No plugins.', 'The application registers none.')
      : [
          h(
            'div.boot-scale',
            { 'aria-hidden': 'true' },
            h('span'),
            h(
              'div.boot-track',
              {},
              ticks.map((tick) =>
                h('span.tick', { style: { '--from': `${tick * 100}%` } }, time(tick * total)),
              ),
            ),
            h('span'),
          ),
          list.element,
        ],
  );
  list.show(model.plugins);
  return { element, show() {} };
}
