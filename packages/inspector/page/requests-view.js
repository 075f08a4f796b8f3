// The last requests as they come, and the time of each step of one.
import { empty, fill, h } from './dom.js';
import { count, method, status, time } from './format.js';
import { VirtualList } from './virtual-list.js';

const rowPx = 48;
const pollMs = 1000;
/** The most that the page itself keeps. */
const maxKept = 5_000;

export function requestsView(model, load, go) {
  let requests = [];
  let last = 0;
  let selected = 0;
  let timer;
  const summary = h('p.lead');
  const details = h('aside.details', { 'aria-label': 'Request' });
  const pause = h('input', { type: 'checkbox' });
  const list = new VirtualList({
    draw: drawRow,
    heightOf: () => rowPx,
    role: 'list',
    attributes: { role: 'region', 'aria-label': 'Requests' },
  });
  const nothing = empty('No requests yet.', 'Requests appear here as the application answers them.');
  const body = h('div.main-body', {}, nothing);

  async function poll() {
    clearTimeout(timer);
    if (!element.isConnected) return;
    if (!pause.checked && !document.hidden) await update();
    timer = setTimeout(poll, pollMs);
  }

  async function update() {
    let answer;
    try {
      answer = await load(`requests.json?after=${last}`);
    } catch {
      summary.textContent = 'The application does not answer. Trying again …';
      return;
    }
    for (const request of answer.requests) last = Math.max(last, request.number);
    if (answer.requests.length > 0) {
      requests = [...answer.requests.toReversed(), ...requests].slice(0, maxKept);
      list.show(requests);
      if (!list.element.isConnected) fill(body, list.element);
      list.show(requests);
    }
    summary.textContent = `${count(requests.length, 'request')} · ${Math.round(answer.bytes / 1024)} kB remembered`;
    if (selected !== 0) drawDetails();
  }

  function drawRow(request, index) {
    const { number, method: name, url, status: code, ms } = request;
    return h(
      'div.request-row',
      { role: 'listitem', 'aria-setsize': requests.length, 'aria-posinset': index + 1 },
      h(
        `a.row-link${number === selected ? '.is-selected' : ''}`,
        { href: `#/requests/${number}`, 'aria-current': number === selected && 'true' },
        h('span.methods', {}, method(name)),
        h('span.request-url', {}, url),
        h('span.request-bar', { 'aria-hidden': 'true' }, bar(request)),
        h('span.request-ms', {}, time(ms)),
        status(code),
      ),
    );
  }

  /** Each step as a part of the time of the whole request. */
  function bar({ steps, ms }) {
    return steps
      .filter((step) => step.startMs <= ms)
      .map((step) =>
        h(`span.bar-part.step-${kindOf(step)}`, {
          style: { '--from': share(step.startMs, ms), '--size': share(step.ms, ms) },
        }),
      );
  }

  function drawDetails() {
    const request = requests.find(({ number }) => number === selected);
    if (request === undefined) {
      fill(details, selected === 0 ? hint() : empty('This request is not remembered any more.'));
      return;
    }
    const route = request.route === null ? null : model.routes[request.route];
    fill(
      details,
      h('h2.details-title', {}, method(request.method), h('span.request-url', {}, request.url)),
      h(
        'p.details-lead',
        {},
        status(request.status),
        h('span', {}, time(request.ms)),
        h('span.quiet', {}, request.id),
      ),
      h(
        'p',
        {},
        route === null
          ? 'No route: the not-found handler answered.'
          : h('a', { href: `#/route/${route.id}` }, `Route ${route.url}`),
        !request.isFinished && h('span.tag.is-warning', {}, 'the client left'),
      ),
      h('h3', {}, 'Steps'),
      h(
        'ol.timing',
        {},
        request.steps.map((step) => timing(request, step)),
      ),
      h('h3', {}, 'Headers'),
      h(
        'dl.headers',
        {},
        Object.entries(request.headers).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
      ),
    );
  }

  function timing({ steps, ms }, step) {
    const end = Math.max(ms, ...steps.map(({ startMs, ms: own }) => startMs + own));
    return h(
      'li',
      {},
      h('span.step-name', {}, step.name),
      h('span.step-function', {}, step.function ?? ''),
      h('span.timing-ms', {}, time(step.ms)),
      h(
        'span.timing-track',
        { 'aria-hidden': 'true' },
        h(`span.bar-part.step-${kindOf(step)}`, {
          style: { '--from': share(step.startMs, end), '--size': share(step.ms, end) },
        }),
      ),
    );
  }

  const hint = () => empty('Choose a request', 'to see the time of each of its steps.');

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
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || requests.length === 0) return;
    event.preventDefault();
    const at = requests.findIndex(({ number }) => number === selected);
    const next = Math.min(requests.length - 1, Math.max(0, at + step));
    go(`#/requests/${requests[next].number}`);
    list.reveal(next);
  });
  return {
    element,
    show(number = 0) {
      selected = Number(number);
      list.redraw();
      drawDetails();
      clearTimeout(timer);
      timer = setTimeout(poll);
    },
  };
}

const kindOf = ({ path, name }) =>
  path === 'failure' ? 'failure' : name === 'handler' ? 'handler' : path === 'request' ? 'request' : 'reply';

const share = (part, whole) => (whole === 0 ? '0%' : `${Math.min(100, (part / whole) * 100)}%`);
