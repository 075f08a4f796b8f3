// What of a recorded request can be sent again, and what the inspector has not kept of it.

/** @import { RequestModel } from '@ambit/inspector' */

/**
 * @typedef {object} Replayable
 * @property {string} method
 * @property {string} path The target as the client sent it: path and query.
 * @property {readonly (readonly [name: string, value: string])[]} headers Those whose values are known.
 * @property {string | null} body
 * @property {readonly string[]} lostHeaders The names of those whose values are not known.
 * @property {readonly string[]} lostParts What else is not known, in words.
 */

/** What stands in the place of a secret. */
export const redacted = '[redacted]';
/** The inspector cuts what is longer. */
const longestValue = 500;
const longestUrl = 2_000;

/** Header fields about the connection and the encoding of the body, which whoever sends a request writes anew. */
const ofConnection = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @returns {Replayable} */
export function replayable(/** @type {RequestModel} */ { method, url, headers, body }) {
  const fields = Object.entries(headers).filter(([name]) => !ofConnection.has(name) && name !== markName);
  const isKnown = (/** @type {string} */ value) => !value.includes(redacted) && value.length < longestValue;
  const hadBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  const lostParts = /** @type {const} */ ([
    ['secrets in the URL', url.includes(redacted)],
    ['the end of the URL', url.length >= longestUrl],
    ['the body', body === null && hadBody],
    ['secrets in the body', body?.isRedacted === true],
  ]);
  return {
    method,
    path: url,
    headers: fields.filter(([, value]) => isKnown(value)),
    body: body?.text ?? null,
    lostHeaders: fields.filter(([, value]) => !isKnown(value)).map(([name]) => name),
    lostParts: lostParts.filter(([, isLost]) => isLost).map(([words]) => words),
  };
}

/** The header that marks a request as sent again, so that the page recognizes it: `<number>-<random>`. */
export const markName = 'x-ambit-replay';

/** The number of the request that a request repeats; `undefined` if it repeats none, or if numbers have changed by a restart since. */
export function repeatedNumber(/** @type {RequestModel} */ { number: own, headers }) {
  const [, number] = /^(-?\d+)-/.exec(headers[markName] ?? '') ?? [];
  return number === undefined || own < 0 ? undefined : Number(number);
}

/**
 * Whether a script may set a header. All others are the browser's (Fetch standard, forbidden request-header).
 *
 * @param {string} name In lower case.
 */
export function isSettable(name) {
  return !forbidden.has(name) && !/^(?:proxy|sec)-/.test(name);
}

const forbidden = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
