// The list of requests: a bar for each on one scale, and new ones at the top, without moving what the user looks at.
import { fill, h } from './dom.js';
import { count, time } from './format.js';
import { LogScale } from './log-scale.js';
import { requestRow, updateTime } from './request-row.js';
import { VirtualList } from './virtual-list.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Live } from './live.js' */

/**
 * The border between the requests of two processes, the newer of which began at a time.
 *
 * @typedef {{ restartedAt: number }} Restart
 */

const rowPx = 52;
const restartPx = 28;
/** How often the times of running requests are shown again. */
const tickMs = 100;
/** A window with one column, where bars are shorter. */
export const narrow = matchMedia('(max-width: 820px)');
/** How many rows the keys PageUp and PageDown move by. */
const pageRows = 10;

export class RequestList {
  /** @type {readonly RequestModel[]} */
  #requests = [];
  /** The requests with the borders between them. @type {readonly (RequestModel | Restart)[]} */
  #rows = [];
  #selected = 0;
  /** The request that the list has scrolled to. */
  #revealed = 0;
  /** The part of the address that keeps the filter. */
  #query = '';
  #scale = new LogScale();
  #ticks = h('span.request-scale');
  #newer = h('button.newer', { type: 'button', hidden: true });
  /** The number of the newest request that has been on the screen. */
  #seen = 0;
  /** Whether the list stays at the newest requests: until the user scrolls away from them. */
  #isFollowing = true;
  /** The scroll position that the list has set itself. */
  #ownTop = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {VirtualList<RequestModel | Restart>} */
  #list;
  #folder;
  #live;
  #onSelect;

  /**
   * @param {string} folder The folder of the application.
   * @param {Live} live
   * @param {(number: number, isEntered: boolean) => void} onSelect Called when the keyboard selects a request, or enters its details.
   */
  constructor(folder, live, onSelect) {
    this.#folder = folder;
    this.#live = live;
    this.#onSelect = onSelect;
    this.#list = new VirtualList({
      draw: (row) => ('number' in row ? this.#draw(row) : restartRow(row)),
      heightOf: (row) => ('number' in row ? rowPx : restartPx),
      keyOf: (row) => ('number' in row ? row.number : `restart ${row.restartedAt}`),
      role: 'list',
      attributes: { role: 'region', 'aria-label': 'Requests' },
    });
    const { element } = this.#list;
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#newer.addEventListener('click', () => {
      this.#isFollowing = true;
      this.#follow();
    });
    const columns = h(
      'div.request-columns',
      {},
      h('span', {}, 'Method'),
      h('span', {}, 'URL'),
      this.#ticks,
      h('span.request-ms', {}, 'Time'),
      h('span.request-status', {}, 'Status'),
    );
    const head = h('div.request-head', { 'aria-hidden': 'true' }, columns);
    this.element = h('div.request-list', {}, head, element, this.#newer);
    this.element.addEventListener('pointerleave', () => this.#follow());
    narrow.addEventListener('change', () => this.#drawScale());
    this.#drawScale();
  }

  /**
   * @param {readonly RequestModel[]} requests The newest first.
   * @param {string} query The part of the address that keeps the filter.
   */
  show(requests, query) {
    this.#requests = requests;
    this.#rows = withRestarts(requests);
    let isChanged = query !== this.#query;
    this.#query = query;
    for (const request of requests) if (this.#scale.include(this.#live.elapsedMs(request))) isChanged = true;
    const isFollowing = this.#isFollowing && !this.#isUsed();
    this.#list.show(this.#rows, !isFollowing);
    if (isFollowing) this.#list.element.scrollTop = 0;
    this.#ownTop = this.#list.element.scrollTop;
    if (isChanged) this.#redraw();
    this.#reveal();
    this.#showNewer();
    clearInterval(this.#timer);
    if (requests.some(({ state }) => state === 'running'))
      this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  select(/** @type {number} */ number) {
    this.#selected = number;
    this.#reveal();
    for (const { row, element } of this.#list.drawn)
      if ('number' in row) mark(element, row.number === number);
  }

  /** Scrolls to the selected request, once: when it is selected, or when it arrives. */
  #reveal() {
    if (this.#selected === this.#revealed) return;
    const index = this.#rows.findIndex((row) => 'number' in row && row.number === this.#selected);
    if (index === -1 && this.#selected !== 0) return;
    this.#revealed = this.#selected;
    if (index === -1) return;
    this.#list.reveal(index);
    this.#ownTop = this.#list.element.scrollTop;
    this.#isFollowing &&= this.#ownTop < rowPx / 2;
  }

  #draw(/** @type {RequestModel} */ request) {
    const { number } = request;
    const href = `#/requests/${number}${this.#query}`;
    const ms = this.#live.elapsedMs(request);
    const row = requestRow(request, { scale: this.#scale, href, ms, folder: this.#folder });
    mark(row, number === this.#selected);
    return row;
  }

  #redraw() {
    this.#drawScale();
    this.#list.redraw();
  }

  #drawScale() {
    const { from, to } = this.#scale;
    this.element.style.setProperty('--decades', String(to - from));
    const ticks = this.#scale.ticks(narrow.matches ? 3 : 4);
    fill(
      this.#ticks,
      ticks.map(({ ms, at }) => h('span.request-tick', { style: { '--at': `${at * 100}%` } }, roundTime(ms))),
    );
  }

  #tick() {
    if (!this.element.isConnected || this.#live.state !== 'open') return;
    for (const { row, element } of this.#list.drawn) {
      if (!('number' in row) || row.state !== 'running') continue;
      const ms = this.#live.elapsedMs(row);
      if (this.#scale.include(ms)) return this.#redraw();
      updateTime(element, this.#scale, ms);
    }
  }

  /** Whether the user is about to choose a row, which must not move then. */
  #isUsed() {
    const { element } = this.#list;
    return this.element.matches(':hover') || element.contains(document.activeElement);
  }

  #onScroll() {
    const { scrollTop } = this.#list.element;
    if (Math.abs(scrollTop - this.#ownTop) < 1) return;
    this.#isFollowing = scrollTop < rowPx / 2;
    this.#showNewer();
  }

  #follow() {
    if (this.#isFollowing) this.#list.element.scrollTop = 0;
    this.#ownTop = this.#list.element.scrollTop;
    this.#showNewer();
  }

  /** Says how many requests arrived above the visible ones. */
  #showNewer() {
    const isAtTop = this.#list.element.scrollTop < rowPx / 2;
    if (isAtTop) this.#seen = this.#requests[0]?.number ?? 0;
    const newCount = this.#requests.findIndex(({ number }) => number <= this.#seen);
    this.#newer.hidden = isAtTop || newCount <= 0;
    this.#newer.textContent = `↑ ${count(newCount, 'new request')}`;
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#requests.length - 1;
    if (event.key === 'Enter' && this.#selected !== 0) {
      event.preventDefault();
      this.#onSelect(this.#selected, true);
    }
    const at = this.#requests.findIndex(({ number }) => number === this.#selected);
    const next = new Map([
      ['ArrowDown', at + 1],
      ['ArrowUp', at - 1],
      ['PageDown', at + pageRows],
      ['PageUp', at - pageRows],
      ['Home', 0],
      ['End', last],
    ]).get(event.key);
    if (next === undefined || last < 0) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, next));
    const request = /** @type {RequestModel} */ (this.#requests[index]);
    const row = this.#list.reveal(this.#rows.indexOf(request));
    this.#isFollowing = index === 0;
    this.#onSelect(request.number, false);
    row?.querySelector('a')?.focus({ preventScroll: true });
  }
}

/** @returns {readonly (RequestModel | Restart)[]} */
function withRestarts(/** @type {readonly RequestModel[]} */ requests) {
  return requests.flatMap((request, i) => {
    const newer = requests[i - 1];
    const isBorder = newer !== undefined && newer.startedAt !== request.startedAt;
    return isBorder ? [{ restartedAt: newer.startedAt }, request] : [request];
  });
}

function restartRow(/** @type {Restart} */ { restartedAt }) {
  const text = `The application restarted at ${new Date(restartedAt).toLocaleTimeString()}`;
  return h('div.restart-row', { role: 'listitem' }, h('span', {}, text));
}

function mark(/** @type {HTMLElement} */ row, /** @type {boolean} */ isSelected) {
  const link = row.querySelector('a');
  link?.classList.toggle('is-selected', isSelected);
  if (isSelected) link?.setAttribute('aria-current', 'true');
  else link?.removeAttribute('aria-current');
}

/** The label of a mark: `1 ms`, `100 µs`, `10 s`. */
function roundTime(/** @type {number} */ ms) {
  return time(ms).replace(/\.0+ /, ' ');
}
