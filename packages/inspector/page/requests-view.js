// Shows the last requests as they arrive, and one of them in detail.
import { toClientCall, toCurl, toFetch } from './copy-as.js';
import { copyText, empty, fill, h } from './dom.js';
import { filterBar } from './filter-bar.js';
import { count, digits } from './format.js';
import { reasonNotReplayable, replay, sendAgain } from './replay.js';
import { replayable } from './replayable.js';
import { RequestDetails } from './request-details.js';
import { formatFilter, matcherOf, noFilter, parseFilter } from './request-filter.js';
import { narrow, RequestList } from './request-list.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Live } from './live.js' */
/** @import { Model } from './model.js' */

const states = {
  connecting: 'connecting …',
  open: 'live',
  lost: 'The application does not answer. Trying again …',
};

/** Where the browser keeps which request was chosen. */
const chosenKey = 'ambit.inspector.request';

/** How long a message stays. */
const messageMs = 8_000;

/**
 * @param {Model} model
 * @param {Live} live
 * @param {(hash: string, isQuiet?: boolean) => void} go
 */
export function requestsView(model, live, go) {
  /** The requests that the list is made from. During a pause, these are the requests at its beginning. @type {readonly RequestModel[]} */
  let requests = [];
  let filter = noFilter;
  let selected = 0;
  /** The request that was chosen when the page was left, until it has arrived: its number is another one if a restart was the reason. */
  let chosen = readChosen();
  /** Whether the next frame draws. */
  let isScheduled = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let messageTimer;
  const summary = h('p.lead', { 'aria-live': 'off' });
  const message = h('p.toast', { role: 'status' });
  const pause = h('input', { type: 'checkbox', on: { change: update } });
  const bar = filterBar(model, (next) => {
    filter = next;
    go(addressOf(selected), true);
    update();
  });
  const list = new RequestList(model.folder, live, (number, isEntered) => {
    if (number !== selected) select(number);
    if (isEntered) details.element.focus();
  });
  const close = h(
    'a.request-close',
    {},
    h('span.back', {}, '‹ All requests'),
    h('span.cross', {}, '✕ Close'),
  );
  const details = new RequestDetails(model, live, close, actions);
  const body = h('div.main-body');
  const noRequests = empty('No requests yet.', 'A request appears here as soon as it arrives.');
  // It stays the same element while requests arrive, so that its button can be pressed.
  const noMatch = empty('No request matches.', 'The filter hides all requests.');
  noMatch.append(h('button.primary', { type: 'button', on: { click: bar.reset } }, 'Reset the filter'));
  const element = h(
    'div.view.split.requests',
    {},
    h(
      'div.main-column',
      {},
      h('div.view-head', {}, h('h1', {}, 'Requests'), summary, h('label.check', {}, pause, 'pause')),
      bar.element,
      body,
    ),
    details.element,
    message,
  );

  /** Requests to pages of tools are left out, but those to HEAD routes that the framework has added are the application's. */
  function isListed(/** @type {RequestModel} */ { route }) {
    const { isOwn = false, isAutomatic = false } = model.routes[route ?? -1] ?? {};
    return model.showsOwn || !isOwn || isAutomatic;
  }

  function addressOf(/** @type {number} */ number) {
    return `#/requests${number === 0 ? '' : `/${number}`}${formatFilter(filter)}`;
  }

  /** Selects without an entry in the history, so that the arrow keys do not fill it. */
  function select(/** @type {number} */ number) {
    go(addressOf(number), true);
    showSelected(number);
  }

  function showSelected(/** @type {number} */ number) {
    selected = number;
    if (chosen?.number !== number) chosen = undefined;
    list.select(number);
    element.classList.toggle('has-selected', number !== 0);
    close.href = addressOf(0);
    drawDetails();
  }

  function update() {
    isScheduled = false;
    if (!pause.checked) requests = live.requests.filter(isListed);
    const matching = requests.filter(matcherOf(filter, model));
    const shown = matching.length > 0 ? list.element : requests.length > 0 ? noMatch : noRequests;
    if (shown.parentNode !== body) fill(body, shown);
    if (shown === list.element) list.show(matching, formatFilter(filter));
    bar.showCounts(requests);
    drawSummary(matching.length);
    const found =
      chosen &&
      live.requests.find(({ startedAt, id }) => startedAt === chosen?.startedAt && id === chosen.id);
    if (found !== undefined && found.number !== selected) select(found.number);
    else if (found !== undefined) chosen = undefined;
    drawDetails();
  }

  function drawSummary(/** @type {number} */ shown) {
    const total = requests.length;
    const newCount = pause.checked ? countNewer(live.requests.filter(isListed), requests[0]?.number ?? 0) : 0;
    const facts = [
      shown === total ? count(total, 'request') : `${digits(shown)} of ${count(total, 'request')}`,
      live.bytes > 0 && `${Math.ceil(live.bytes / 1024)} kB remembered`,
      newCount > 0 && `${digits(newCount)} more since the pause`,
    ];
    fill(summary, h(`span.live.is-${live.state}`, {}, states[live.state]), facts.filter(Boolean).join(' · '));
  }

  function drawDetails() {
    const text =
      selected === 0
        ? 'Choose a request to see its steps, headers and log lines.'
        : 'This request is not remembered any more.';
    details.show(chosen === undefined ? live.find(selected) : undefined, text);
  }

  function say(/** @type {string} */ text) {
    message.textContent = text;
    clearTimeout(messageTimer);
    messageTimer = setTimeout(() => message.replaceChildren(), messageMs);
  }

  function actions(/** @type {RequestModel} */ request) {
    const reason = reasonNotReplayable(request);
    const route = request.route === null ? undefined : model.routes[request.route];
    const known = replayable(request);
    const call = toClientCall(known, location.origin, route);
    const again = () =>
      replay(request, async (outgoing) => {
        say('Sending …');
        say(await sendAgain(outgoing, request, live, select));
      });
    const lost = [...known.lostHeaders.map((name) => `the header ${name}`), ...known.lostParts];
    const copies = /** @type {const} */ ([
      ['curl', toCurl(known, location.origin)],
      ['fetch', toFetch(known, location.origin)],
      ['typed client', call],
    ]);
    return h(
      'div.request-actions',
      {},
      h(
        'button.primary',
        { type: 'button', disabled: reason !== undefined, title: reason, on: { click: again } },
        'Replay',
      ),
      h('span.quiet', {}, 'Copy as'),
      copies.map(([name, text]) => {
        const copy = async () => say(await copyAs(text ?? '', name, lost));
        const title = text === undefined ? 'The typed client knows routes only.' : undefined;
        return h(
          'button.quiet',
          { type: 'button', disabled: text === undefined, title, on: { click: copy } },
          name,
        );
      }),
    );
  }

  // Many events may come in the time of one frame.
  live.listen(() => {
    if (!element.isConnected || isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(update);
  });
  addEventListener('pagehide', () => {
    const { number, startedAt, id } = live.find(selected) ?? {};
    sessionStorage.setItem(chosenKey, JSON.stringify({ number, startedAt, id }));
  });
  element.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape' && selected !== 0 && !isTyping) select(0);
  });
  return {
    element,
    /** @param {string[]} parts The number of a request, and a filter that begins with a question mark. */
    show(...parts) {
      filter = parseFilter(parts.find((part) => part.startsWith('?')) ?? '');
      bar.set(filter);
      showSelected(Number(parts.find((part) => /^-?\d+$/.test(part)) ?? 0));
      update();
      // The row that had the focus is hidden then.
      if (selected !== 0 && narrow.matches) details.element.focus();
    },
  };
}

/** The page reloads after a restart. @returns {{ number: number, startedAt: number, id: string } | undefined} */
function readChosen() {
  const [navigation] = performance.getEntriesByType('navigation');
  if (/** @type {PerformanceNavigationTiming | undefined} */ (navigation)?.type !== 'reload')
    return undefined;
  const chosen = JSON.parse(sessionStorage.getItem(chosenKey) ?? '{}');
  return chosen.number === undefined ? undefined : chosen;
}

/** How many requests arrived after the one with this number. */
function countNewer(/** @type {readonly RequestModel[]} */ requests, /** @type {number} */ newest) {
  return requests.filter(({ number }) => number > newest).length;
}

/** Copies a text. @returns {Promise<string>} What came of it, in words. */
async function copyAs(
  /** @type {string} */ text,
  /** @type {string} */ name,
  /** @type {readonly string[]} */ lost,
) {
  if (!(await copyText(text))) return 'The browser does not allow this page to copy.';
  return lost.length === 0
    ? `Copied as ${name}.`
    : `Copied as ${name}, without what is not kept: ${lost.join(', ')}.`;
}
