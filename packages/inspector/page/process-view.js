// Shows what the process has used in the last ten minutes: a chart for each quantity, on a common axis of time.
import { fill, h, svg } from './dom.js';
import { size, time } from './format.js';

/** @import { ProcessSample } from '@ambit/inspector' */
/** @import { Live } from './live.js' */

/**
 * @typedef {object} Quantity
 * @property {string} name
 * @property {string} about
 * @property {(sample: ProcessSample) => number | null} read
 * @property {(value: number) => string} show
 * @property {number} least The top of the scale, if all values are lower.
 */

/** @type {readonly Quantity[]} */
const quantities = [
  {
    name: 'Event-loop delay',
    about: 'longest wait of a timer',
    read: ({ delayMs }) => delayMs,
    show: time,
    least: 20,
  },
  {
    name: 'Processor',
    about: '100 % is one core',
    read: ({ cpuShare }) => cpuShare,
    show: (share) => `${Math.round(share * 100)} %`,
    least: 1,
  },
  {
    name: 'Memory',
    about: 'of the whole process',
    read: ({ rss }) => rss,
    show: size,
    least: 50_000_000,
  },
  {
    name: 'Heap',
    about: 'used by JavaScript',
    read: ({ heapUsed }) => heapUsed,
    show: size,
    least: 20_000_000,
  },
  {
    name: 'Running requests',
    about: 'at the end of each second',
    read: ({ running }) => running,
    show: String,
    least: 4,
  },
];

/** The axis of time has this length at first, and grows with the samples. */
const leastSpanMs = 60_000;
/** A longer time between two samples is no line: the process was suspended. */
const gapMs = 5_000;
/** The size of a chart in its own units. It is stretched to the width of the page. */
const width = 600;
const height = 90;

/**
 * @typedef {object} Point
 * @property {number} at
 * @property {number} value
 * @property {number} x
 * @property {number} y
 */

/** @param {Live} live */
export function processView(live) {
  const charts = quantities.map((quantity) => new Chart(quantity));
  const lead = h('p.lead', {});
  const element = h(
    'div.view.process',
    {},
    h('div.view-head', {}, h('h1', {}, 'Process'), lead),
    h(
      'div.process-charts',
      {},
      charts.map((chart) => chart.element),
    ),
  );

  function update() {
    const { samples } = live;
    if (!element.isConnected) return;
    const first = samples[0];
    const text =
      first === undefined
        ? 'The first second is being measured …'
        : `once a second since ${clock(first.at)}, for ten minutes`;
    if (lead.textContent !== text) fill(lead, text);
    for (const chart of charts) chart.draw(samples);
  }

  live.listen(update);
  // The element is added to the page after this call.
  return { element, show: () => queueMicrotask(update) };
}

class Chart {
  #quantity;
  /** @type {Point[]} */
  #points = [];
  /** The time of the sample that is shown; without one, the last. @type {number | undefined} */
  #chosenAt;
  #facts = h('p.process-facts', {});
  #top = h('span.process-top', { 'aria-hidden': 'true' });
  #from = h('span', {});
  #line = svg('path', { class: 'process-line' });
  #area = svg('path', { class: 'process-area' });
  #cursor = svg('line', { class: 'process-cursor', y1: 0, y2: height });
  #track;

  constructor(/** @type {Quantity} */ quantity) {
    this.#quantity = quantity;
    const picture = svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      this.#area,
      this.#line,
      this.#cursor,
    );
    // A slider over the samples: by keyboard and for screen readers, too.
    this.#track = h(
      'div.process-track',
      {
        tabIndex: 0,
        role: 'slider',
        'aria-label': quantity.name,
        on: {
          pointermove: ({ clientX }) => this.#chooseAt(clientX),
          pointerleave: () => this.#choose(undefined),
          blur: () => this.#choose(undefined),
          keydown: (event) => this.#step(event),
        },
      },
      this.#top,
      picture,
    );
    this.element = h(
      'section.process-chart',
      {},
      h('h2', {}, quantity.name, h('span.quiet', {}, quantity.about)),
      this.#facts,
      this.#track,
      h('div.process-axis', { 'aria-hidden': 'true' }, this.#from, h('span', {}, 'now')),
    );
  }

  draw(/** @type {readonly ProcessSample[]} */ samples) {
    const { read, least } = this.#quantity;
    const known = samples.flatMap((sample) => {
      const value = read(sample);
      return value === null ? [] : [{ at: sample.at, value }];
    });
    const end = samples.at(-1)?.at ?? 0;
    const span = Math.max(leastSpanMs, end - (samples[0]?.at ?? end));
    const top = Math.max(least, ...known.map(({ value }) => value));
    this.#points = known.map(({ at, value }) => ({
      at,
      value,
      x: width - ((end - at) / span) * width,
      y: height - 2 - (value / top) * (height - 6),
    }));
    fill(this.#top, this.#quantity.show(top));
    fill(this.#from, clock(end - span));
    const parts = partsOf(this.#points);
    this.#line.setAttribute('d', parts.map(lineOf).join(''));
    this.#area.setAttribute('d', parts.map(areaOf).join(''));
    this.#show();
  }

  #step(/** @type {KeyboardEvent} */ event) {
    const last = this.#points.length - 1;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -60, PageDown: 60, Home: -last, End: last };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step === undefined) return;
    event.preventDefault();
    this.#choose(this.#points[Math.min(last, Math.max(0, this.#indexOfShown() + step))]);
  }

  #chooseAt(/** @type {number} */ clientX) {
    const { left, width: shownWidth } = this.#track.getBoundingClientRect();
    const x = ((clientX - left) / shownWidth) * width;
    const distance = (/** @type {Point} */ point) => Math.abs(point.x - x);
    this.#choose(this.#points.toSorted((a, b) => distance(a) - distance(b))[0]);
  }

  #choose(/** @type {Point | undefined} */ point) {
    this.#chosenAt = point?.at;
    this.#show();
  }

  #indexOfShown() {
    const index = this.#points.findIndex(({ at }) => at === this.#chosenAt);
    return index === -1 ? this.#points.length - 1 : index;
  }

  #show() {
    const { show } = this.#quantity;
    const index = this.#indexOfShown();
    const point = this.#points[index];
    const most = Math.max(...this.#points.map(({ value }) => value));
    const text =
      point === undefined
        ? 'not measured by this runtime'
        : `${show(point.value)} ${this.#chosenAt === undefined ? 'now' : `at ${clock(point.at)}`}, at most ${show(most)}`;
    fill(this.#facts, text);
    this.#track.setAttribute('aria-valuemin', '0');
    this.#track.setAttribute('aria-valuemax', String(Math.max(0, this.#points.length - 1)));
    this.#track.setAttribute('aria-valuenow', String(Math.max(0, index)));
    this.#track.setAttribute('aria-valuetext', text);
    this.#cursor.setAttribute('visibility', this.#chosenAt === undefined ? 'hidden' : 'visible');
    for (const name of ['x1', 'x2']) this.#cursor.setAttribute(name, String(point?.x ?? 0));
  }
}

/** The points between gaps. */
function partsOf(/** @type {readonly Point[]} */ points) {
  /** @type {Point[][]} */
  const parts = [];
  points.forEach((point, i) => {
    const isAfterGap = i === 0 || point.at - /** @type {Point} */ (points[i - 1]).at > gapMs;
    if (isAfterGap) parts.push([point]);
    else parts.at(-1)?.push(point);
  });
  return parts;
}

function lineOf(/** @type {readonly Point[]} */ points) {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

function areaOf(/** @type {readonly Point[]} */ points) {
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
  return `${lineOf(points)}L${last.toFixed(1)} ${height}L${first.toFixed(1)} ${height}Z`;
}

function clock(/** @type {number} */ at) {
  return new Date(at).toLocaleTimeString();
}
