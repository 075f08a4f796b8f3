// Shows the last requests as they arrive, and the time of each step of one request.
import { empty, fill, h } from './dom.js';
import { count, functionLabel, method, status, time } from './format.js';
import { VirtualList } from './virtual-list.js';

/** @import { RanStep, RequestModel } from '@ambit/inspector' */
/** @import { Live } from './live.js' */
/** @import { Model } from './model.js' */

const rowPx = 48;

const states = {
  connecting: 'connecting …',
  open: 'live',
  lost: 'The application does not answer. Trying again …',
};

/**
 * @param {Model} model
 * @param {Live} live
 * @param {(hash: string) => void} go
 */
export function requestsView(model, live, go) {
  /** The requests that are shown. During a pause, these are the requests at its beginning. @type {readonly RequestModel[]} */
  let requests = [];
  let selected = 0;
  const summary = h('p.lead', { 'aria-live': 'off' });
  const details = h('aside.details', { 'aria-label': 'Request' });
  const pause = h('input', { type: 'checkbox' });
  const list = new VirtualList({
    draw: drawRow,
    heightOf: () => rowPx,
    role: 'list',
    attributes: { role: 'region', 'aria-label': 'Requests' },
  });
  const placeholder = empty('No requests yet.', 'Requests appear here as the application answers them.');
  const body = h('div.main-body', {}, placeholder);

  function update() {
    if (!pause.checked && requests !== live.requests) {
      requests = live.requests;
      if (requests.length > 0 && !list.element.isConnected) fill(body, list.element);
      list.show(requests);
      if (selected !== 0) drawDetails();
    }
    drawSummary();
  }

  function drawSummary() {
    const newCount = requests === live.requests ? 0 : countNewer(live.requests, requests[0]);
    const facts = [
      count(requests.length, 'request'),
      live.bytes > 0 && `${Math.ceil(live.bytes / 1024)} kB remembered`,
      newCount > 0 && `${newCount.toLocaleString('en')} more since the pause`,
    ];
    fill(summary, h(`span.live.is-${live.state}`, {}, states[live.state]), facts.filter(Boolean).join(' · '));
  }

  live.listen(update);
  pause.addEventListener('change', update);

  function drawRow(/** @type {RequestModel} */ request, /** @type {number} */ index) {
    const { number, method: name, url, status: code, ms } = request;
    return h(
      'div.request-row',
      { role: 'listitem', 'aria-setsize': requests.length, 'aria-posinset': index + 1 },
      h(
        `a.row-link${number === selected ? '.is-selected' : ''}`,
        { href: `#/requests/${number}`, 'aria-current': number === selected && 'true' },
        h('span.methods', {}, method(name)),
        h('span.request-url', { title: url }, url),
        h('span.request-bar', { 'aria-hidden': 'true' }, bar(request)),
        h('span.request-ms', {}, time(ms)),
        status(code),
      ),
    );
  }

  function drawDetails() {
    const request = requests.find(({ number }) => number === selected);
    if (request !== undefined) fill(details, requestDetails(model, request));
    else if (selected === 0)
      fill(details, empty('Choose a request', 'to see the time of each of its steps.'));
    else fill(details, empty('This request is not remembered any more.'));
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
        h('h1', {}, 'Requests'),
        summary,
        h('div.filters', {}, h('label.check', {}, pause, 'pause')),
      ),
      body,
    ),
    details,
  );
  list.element.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || requests.length === 0) return;
    event.preventDefault();
    const index = requests.findIndex(({ number }) => number === selected);
    const next = Math.min(requests.length - 1, Math.max(0, index + step));
    go(`#/requests/${requests[next]?.number}`);
    list.reveal(next);
  });
  update();
  return {
    element,
    /** @param {string} [number] */
    show(number = '0') {
      selected = Number(number);
      list.redraw();
      drawDetails();
    },
  };
}

/** How many requests arrived after the newest one that is shown. */
function countNewer(
  /** @type {readonly RequestModel[]} */ requests,
  /** @type {RequestModel | undefined} */ newest,
) {
  const index = newest === undefined ? -1 : requests.indexOf(newest);
  return index === -1 ? requests.length : index;
}

/** A bar with each step as a part of the time of the request. */
function bar(/** @type {RequestModel} */ { steps, ms }) {
  return steps.filter((step) => step.startMs <= ms).map((step) => barPart(step, ms));
}

function barPart(/** @type {RanStep} */ step, /** @type {number} */ totalMs) {
  return h(`span.bar-part.step-${kindOf(step)}`, {
    style: { '--from': share(step.startMs, totalMs), '--size': share(step.ms, totalMs) },
  });
}

function requestDetails(/** @type {Model} */ model, /** @type {RequestModel} */ request) {
  const route = request.route === null ? undefined : model.routes[request.route];
  return [
    h('h2.details-title', {}, method(request.method), h('span.request-url', {}, request.url)),
    h(
      'p.details-lead',
      {},
      status(request.status),
      h('span', {}, time(request.ms)),
      h('span', {}, new Date(request.at).toLocaleTimeString()),
      h('span.quiet', {}, request.id),
      !request.isFinished && h('span.tag.is-warning', {}, 'the client left'),
    ),
    h(
      'p',
      {},
      route === undefined
        ? 'No route: the not-found handler answered.'
        : h('a', { href: `#/route/${route.id}` }, `Route ${route.url}`),
    ),
    h('h3', {}, 'Steps'),
    h(
      'ol.timing',
      {},
      request.steps.map((step) => timing(model, request, step)),
    ),
    h('h3', {}, 'Headers'),
    h(
      'dl.headers',
      {},
      Object.entries(request.headers).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
  ];
}

function timing(
  /** @type {Model} */ model,
  /** @type {RequestModel} */ { steps, ms },
  /** @type {RanStep} */ step,
) {
  const end = Math.max(ms, ...steps.map(({ startMs, ms: own }) => startMs + own));
  return h(
    'li',
    {},
    h('span.step-name', {}, step.name),
    h(
      'span.step-function',
      {},
      (step.function ?? step.file) === null ? '' : functionLabel(step.function, step.file, model.folder),
    ),
    h('span.timing-ms', {}, time(step.ms)),
    h('span.timing-track', { 'aria-hidden': 'true' }, barPart(step, end)),
  );
}

function kindOf(/** @type {RanStep} */ { path, name }) {
  if (path === 'failure' || name === 'handler') return path === 'failure' ? 'failure' : 'handler';
  return path === 'request' ? 'request' : 'reply';
}

function share(/** @type {number} */ part, /** @type {number} */ totalMs) {
  return totalMs === 0 ? '0%' : `${Math.min(100, (part / totalMs) * 100)}%`;
}
