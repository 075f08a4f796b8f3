// Tests the content of charts: scales, names, spreads, and missing values.
import { expect, test } from 'vitest';
import { drawChart, findTicks, formatFigure } from './chart.mjs';

for (const [greatest, ticks] of [
  [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [71.6, [0, 20, 40, 60, 80]],
  [4150, [0, 1000, 2000, 3000, 4000, 5000]],
]) {
  test(`an axis up to ${greatest} has the ticks ${ticks}`, () => {
    expect(findTicks(greatest)).toEqual(ticks);
  });
}

for (const [value, formatted] of [
  [0.93449, '0.934'],
  [13.67, '13.7'],
  [4150.4, '4,150'],
  [24.04, '24.0'],
  [1, '1.00'],
]) {
  test(`${value} is shown as ${formatted}`, () => {
    expect(formatFigure(value)).toBe(formatted);
  });
}

const chart = {
  title: 'GET & more',
  axis: 'CPU time per request, µs',
  series: { ours: 'Ambit', node: 'on Node' },
  groups: [
    {
      bars: [
        { label: 'Ambit', series: 'ours', value: 10, min: 9, max: 12 },
        { label: 'Fastify', series: 'node', value: 20 },
        { label: '<none>', series: 'node', note: 'overflows' },
      ],
    },
  ],
};

test('a chart contains its title, its axis with the unit, its series, and the name and value of each bar', () => {
  const svg = drawChart(chart);
  for (const formatted of [
    'GET &amp; more',
    'CPU time per request, µs',
    'on Node',
    'Fastify',
    '>20.0<',
    '&lt;none&gt;',
  ]) {
    expect(svg).toContain(formatted);
  }
});

test('the lengths of bars are proportional to their values', () => {
  const [first, second] = [
    ...drawChart(chart).matchAll(/<rect class="[ab]" .*? width="([\d.]+)" height="16"/g),
  ];
  expect(Number(second[1]) / Number(first[1])).toBeCloseTo(2, 1);
});

test('a bar with rounds shows their spread, and a bar without a value shows its note', () => {
  const svg = drawChart(chart);
  expect(svg.match(/class="spread" x1/g)).toHaveLength(1);
  expect(svg).toContain('>overflows<');
});

test('colours follow the theme of the reader, and the chart has its own background', () => {
  const svg = drawChart(chart);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).toContain('<rect class="page"');
});
