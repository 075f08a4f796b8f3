// Shows one request: its error, its log lines, the time of each step, and what was received and sent.
import { empty, fill, h, section } from './dom.js';
import { errorCard } from './error-card.js';
import { count, method, time } from './format.js';
import { jsonView, textView } from './json-view.js';
import { repeatedNumber } from './replayable.js';
import { formatFilter } from './request-filter.js';
import { outcomeLabel } from './request-row.js';
import { stepList } from './request-steps.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Children } from './dom.js' */
/** @import { Live } from './live.js' */
/** @import { Model } from './model.js' */

/** A longer URL is cut until the user asks for all of it. */
const shownUrl = 300;

/** Longer fields of a log line are folded. */
const shownFields = 80;

/**
 * A part of the details.
 *
 * @typedef {object} Part
 * @property {(request: RequestModel) => unknown} data What the part depends on.
 * @property {(request: RequestModel) => Children} draw
 */

/**
 * The details of a request that may still change. Only parts whose data has changed are drawn again, so that the others keep what the user
 * has opened, selected or scrolled to.
 */
export class RequestDetails {
  /** @type {{ part: Part, element: HTMLElement, text: string | undefined }[]} */
  #slots;
  /** @type {RequestModel | undefined} */
  #request;
  #live;

  #content = h('div');

  /**
   * @param {Model} model
   * @param {Live} live
   * @param {HTMLElement} close A link that closes the details.
   * @param {(request: RequestModel) => Children} actions What can be done with a request.
   */
  constructor(model, live, close, actions) {
    this.#live = live;
    const attributes = { 'aria-label': 'Request', tabIndex: -1 };
    this.element = h('aside.details.request-details', attributes, close, this.#content);
    /** @type {Part[]} */
    const parts = [
      { data: headData, draw: (request) => head(model, request) },
      { data: ({ state, body }) => [state, body], draw: actions },
      { data: ({ error }) => error, draw: ({ error }) => error && errorCard(error, model.folder) },
      { data: ({ logs, logCount }) => [logs, logCount], draw: logSection },
      {
        data: ({ steps, ms }) => [steps, ms],
        draw: (request) => section('Steps', stepList(request, model.folder)),
      },
      { data: ({ headers, body }) => [headers, body], draw: requestSection },
      { data: ({ responseHeaders, bytes }) => [responseHeaders, bytes], draw: responseSection },
    ];
    this.#slots = parts.map((part) => ({ part, element: h('div.slot'), text: undefined }));
  }

  /** @param {RequestModel | undefined} request @param {string} text What to show if there is no such request. */
  show(request, text) {
    if (request === undefined) {
      fill(this.#content, empty(text));
      this.#request = undefined;
      return;
    }
    const isOther = this.#request?.number !== request.number;
    if (this.#request === undefined)
      fill(
        this.#content,
        this.#slots.map(({ element }) => element),
      );
    for (const slot of this.#slots) {
      const data = JSON.stringify([request.number, slot.part.data(request)]);
      if (data === slot.text) continue;
      slot.text = data;
      fill(slot.element, slot.part.draw(request));
    }
    this.#request = request;
    if (isOther) this.element.scrollTop = 0;
    this.tick();
  }

  /** Shows the time of a running request. */
  tick() {
    const element = this.element.querySelector('.details-ms');
    if (element !== null && this.#request !== undefined)
      element.textContent = time(this.#live.elapsedMs(this.#request));
  }
}

function headData(/** @type {RequestModel} */ { state, status, isStream, bytes, ms }) {
  return [state, status, isStream, bytes, state !== 'running' && ms];
}

function head(/** @type {Model} */ model, /** @type {RequestModel} */ request) {
  const { url, id, at, bytes, isStream, state } = request;
  const route = request.route === null ? undefined : model.routes[request.route];
  const repeated = repeatedNumber(request);
  return [
    h(`h2.details-title${url.length > 80 ? '.is-long' : ''}`, {}, method(request.method), urlText(url)),
    h(
      'p.details-lead',
      {},
      outcomeLabel(request),
      h('span.details-ms', {}),
      h('span', {}, new Date(at).toLocaleTimeString()),
      bytes !== null && h('span', {}, bytesLabel(bytes)),
      isStream && h('span.tag', {}, state === 'left' ? 'stream, the client has left' : 'stream'),
      state === 'left' && !isStream && h('span.tag.is-warning', {}, 'the client left before the end'),
      state === 'broken' && h('span.tag.is-danger', {}, 'the response was cut off'),
      h('span.quiet', {}, id),
    ),
    h(
      'p.details-lead',
      {},
      route === undefined
        ? 'No route: the not-found handler answered.'
        : [
            h('a', { href: `#/route/${route.id}` }, `Route ${route.url}`),
            h(
              'a',
              { href: `#/requests/${request.number}${formatFilter({ route: route.url })}` },
              'only this route',
            ),
          ],
      repeated !== undefined && h('a', { href: `#/requests/${repeated}` }, `a replay of request ${repeated}`),
    ),
  ];
}

function urlText(/** @type {string} */ url) {
  const element = h('span.request-url', {}, url.slice(0, shownUrl));
  if (url.length <= shownUrl) return element;
  const showAll = () => {
    element.textContent = url;
    more.remove();
  };
  const label = `… all ${url.length.toLocaleString('en')} characters`;
  const more = h('button.reference', { type: 'button', on: { click: showAll } }, label);
  return [element, more];
}

/** `512 B`, `1.4 kB`, `3.0 MB`. */
function bytesLabel(/** @type {number} */ bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function logSection(/** @type {RequestModel} */ { logs, logCount, at }) {
  if (logCount === 0) return undefined;
  const lines = logs.map(({ at: atMs, level, message, fields }) =>
    h(
      `li.log-line.level-${/^[a-z]+$/.test(level) ? level : 'other'}`,
      {},
      h('span.log-at', {}, `+${time(Math.max(0, atMs - at))}`),
      h('span.log-level', {}, level),
      h('span.log-message', {}, message, fieldsOf(fields)),
    ),
  );
  const missing = logCount - logs.length;
  return section(
    count(logCount, 'log line'),
    h('ol.logs', { tabIndex: 0, role: 'list', 'aria-label': 'Log lines of this request' }, lines),
    missing > 0 && h('p.quiet', {}, `${count(missing, 'more line')} not kept`),
  );
}

/** Short fields are in the line; long ones, such as an error, are folded. */
function fieldsOf(/** @type {string} */ fields) {
  if (fields.length <= shownFields) return fields !== '' && h('code.log-fields', {}, ` ${fields}`);
  return h('details.fold-out', {}, h('summary', {}, fields), bodyView(fields, 'Fields of the line'));
}

function requestSection(/** @type {RequestModel} */ { headers, body }) {
  return section(
    'Request',
    headerList(headers),
    body !== null && [
      h(
        'h3',
        {},
        'Body',
        h('span.quiet', {}, body.type),
        body.isRedacted && h('span.tag', {}, 'without secrets'),
      ),
      bodyView(body.text, 'Body of the request'),
    ],
  );
}

function responseSection(/** @type {RequestModel} */ { responseHeaders }) {
  if (Object.keys(responseHeaders).length === 0) return undefined;
  return section('Response', headerList(responseHeaders));
}

function headerList(/** @type {RequestModel['headers']} */ headers) {
  const pairs = Object.entries(headers).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]);
  return h('dl.headers', {}, pairs);
}

function bodyView(/** @type {string} */ text, /** @type {string} */ label) {
  try {
    return jsonView(JSON.parse(text), label);
  } catch {
    return textView(text, label);
  }
}
