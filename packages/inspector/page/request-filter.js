// Which requests the list shows. A filter is kept in the address, so that a filtered list can be linked.

/** @import { ErrorReport } from '@ambit/readable' */
/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/**
 * @typedef {object} RequestFilter
 * @property {readonly string[]} outcomes Keys of `outcomes`; empty for all.
 * @property {string} method Empty for all.
 * @property {string} route The pattern of a route, or a part of one.
 * @property {number} slowerThanMs 0 for all.
 * @property {string} text Words that all must occur.
 */

/** @type {RequestFilter} */
export const noFilter = { outcomes: [], method: '', route: '', slowerThanMs: 0, text: '' };

/** How requests end, with the words for it. @type {readonly (readonly [key: string, label: string, title: string])[]} */
export const outcomes = [
  ['running', 'running', 'Requests that have no complete response yet'],
  ['2', '2xx', 'Successful'],
  ['3', '3xx', 'Redirected, or not modified'],
  ['4', '4xx', 'Errors of the client'],
  ['5', '5xx', 'Errors of the server'],
  [
    'left',
    'cut off',
    'The client left, or the response failed. Streams that a client leaves are not among these.',
  ],
];

/** The outcome of a request: a key of `outcomes`, or the first digit of another status. */
export function outcomeOf(/** @type {RequestModel} */ { state, isStream, status }) {
  if (state === 'running') return 'running';
  if (state === 'broken' || (state === 'left' && !isStream)) return 'left';
  return String(Math.floor(status / 100));
}

/** @param {string} query The query of an address, with or without its question mark. @returns {RequestFilter} */
export function parseFilter(query) {
  const params = new URLSearchParams(query);
  const known = new Set(outcomes.map(([key]) => key));
  return {
    outcomes: params.getAll('status').filter((key) => known.has(key)),
    method: params.get('method') ?? '',
    route: params.get('route') ?? '',
    slowerThanMs: Math.max(0, Number(params.get('slow')) || 0),
    text: params.get('text') ?? '',
  };
}

/** The query of the address: empty, or with its question mark. It contains no slash. */
export function formatFilter(/** @type {Partial<RequestFilter>} */ filter) {
  const { outcomes: keys, method, route, slowerThanMs, text } = { ...noFilter, ...filter };
  const params = new URLSearchParams(
    [
      ...keys.map((key) => ['status', key]),
      ['method', method],
      ['route', route],
      ['slow', slowerThanMs > 0 ? String(slowerThanMs) : ''],
      ['text', text],
    ].filter(([, value]) => value !== ''),
  );
  return params.size === 0 ? '' : `?${params}`;
}

/**
 * @param {RequestFilter} filter
 * @param {Model} model
 * @returns {(request: RequestModel) => boolean}
 */
export function matcherOf({ outcomes: keys, method, route, slowerThanMs, text }, model) {
  const words = wordsOf(text);
  // A pattern that a route has means this route only: `/notes` is not `/notes/:id`.
  const isExact = model.routes.some(({ url }) => url === route);
  const matchesRoute = (/** @type {RequestModel} */ request) => {
    const pattern = patternOf(request, model);
    return isExact ? pattern === route : pattern.includes(route);
  };
  return (request) =>
    (keys.length === 0 || keys.includes(outcomeOf(request))) &&
    (method === '' || request.method === method) &&
    (slowerThanMs === 0 || request.ms > slowerThanMs) &&
    (route === '' || matchesRoute(request)) &&
    (words.length === 0 || containsAll(request, words));
}

export function patternOf(/** @type {RequestModel} */ { route }, /** @type {Model} */ model) {
  return route === null ? '' : (model.routes[route]?.url ?? '');
}

/** The words of a search, in lower case. */
export function wordsOf(/** @type {string} */ text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

export function containsAll(/** @type {RequestModel} */ request, /** @type {readonly string[]} */ words) {
  const text = textOf(request);
  return words.every((word) => text.includes(word));
}

/** The searched text of each request. A request that changes is another object. @type {WeakMap<RequestModel, string>} */
const texts = new WeakMap();

function textOf(/** @type {RequestModel} */ request) {
  let text = texts.get(request);
  if (text === undefined) {
    const { method, url, status, id, error, logs } = request;
    const lines = logs.map(({ level, message, fields }) => `${level} ${message} ${fields}`);
    text = [method, url, status, id, ...titlesOf(error), ...lines].join('\n').toLowerCase();
    texts.set(request, text);
  }
  return text;
}

/** @returns {string[]} The names and titles of an error and of its causes. */
function titlesOf(/** @type {ErrorReport | null | undefined} */ error) {
  if (!error) return [];
  return [`${error.name} ${error.code ?? ''} ${error.title}`, ...titlesOf(error.cause)];
}
