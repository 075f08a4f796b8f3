// Sends a recorded request again: at once if that changes nothing and nothing is missing, otherwise after a form.
import { h } from './dom.js';
import { method as methodLabel, time } from './format.js';
import { isSettable, markName, redacted, replayable } from './replayable.js';

/** @import { RequestModel } from '@ambit/inspector' */
/** @import { Live } from './live.js' */
/** @import { Replayable } from './replayable.js' */

/** Methods that change nothing (RFC 9110, section 9.2.1), so that they may be sent without a question. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const withoutBody = new Set(['GET', 'HEAD']);
/** Methods that `fetch` refuses. */
const refused = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** How long to wait until the request appears in the list. */
const arrivalMs = 15_000;

/**
 * What is sent.
 *
 * @typedef {{ method: string, path: string, headers: readonly (readonly [string, string])[], body: string | null }} Outgoing
 */

/** Why a page cannot send a request again; `undefined` if it can. */
export function reasonNotReplayable(/** @type {RequestModel} */ { method, url }) {
  if (refused.has(method.toUpperCase())) return `A browser cannot send ${method}.`;
  if (!url.startsWith('/')) return 'Its target is not a path.';
  // The parser of URLs removes these segments (WHATWG URL, 4.4).
  return /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url)
    ? 'A browser would resolve the dots in its path.'
    : undefined;
}

/**
 * @param {RequestModel} request
 * @param {(outgoing: Outgoing) => Promise<void>} send
 */
export function replay(request, send) {
  const known = replayable(request);
  const headers = known.headers.filter(([name]) => isSettable(name));
  // The browser adds its own cookies, and what else a page cannot set.
  const lostHeaders = known.lostHeaders.filter(isSettable);
  const isComplete = lostHeaders.length === 0 && known.lostParts.length === 0;
  if (isComplete && safeMethods.has(known.method)) return send({ ...known, headers });
  openForm({ ...known, headers, lostHeaders }, send);
  return undefined;
}

/**
 * @param {Replayable} request
 * @param {(outgoing: Outgoing) => Promise<void>} send
 */
function openForm({ method, path, headers, body, lostHeaders, lostParts }, send) {
  const isSafe = safeMethods.has(method);
  const lost = [...lostHeaders.map((name) => `the header ${name}`), ...lostParts];
  const url = h('input', { value: path, required: true, spellcheck: false, autocomplete: 'off' });
  const fields = h('textarea', {
    rows: Math.min(8, Math.max(2, headers.length)),
    spellcheck: false,
    value: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
  });
  const secrets = lostHeaders.map((name) => ({
    name,
    input: h('input', { autocomplete: 'off', spellcheck: false, placeholder: 'empty: not sent' }),
  }));
  const content = h('textarea', { rows: 8, spellcheck: false, value: body ?? '' });
  const hasBody = !withoutBody.has(method);

  function check() {
    // What stands in the place of a secret is never sent as if it were the secret.
    for (const [field, isRedacted] of /** @type {const} */ ([
      [url, path.includes(redacted)],
      [content, lostParts.includes('secrets in the body')],
    ]))
      field.setCustomValidity(
        isRedacted && field.value.includes(redacted) ? `Put the real value in the place of ${redacted}.` : '',
      );
    if (!url.value.startsWith('/')) url.setCustomValidity('The URL is a path: it begins with a slash.');
  }

  function submit(/** @type {Event} */ event) {
    event.preventDefault();
    const filled = secrets.filter(({ input }) => input.value !== '');
    dialog.close();
    send({
      method,
      path: url.value,
      headers: [
        ...readHeaders(fields.value),
        ...filled.map(({ name, input }) => /** @type {const} */ ([name, input.value])),
      ],
      body: hasBody && content.value !== '' ? content.value : null,
    });
  }

  const form = h(
    'form.replay-form',
    { method: 'dialog', on: { submit, input: check } },
    h('h2', { id: 'replay-title' }, 'Send again: ', methodLabel(method)),
    !isSafe && h('p', {}, `${method} may change data. It is sent when you press Send.`),
    lost.length > 0 &&
      h('p.replay-lost', {}, `The inspector does not keep secrets. Fill in: ${lost.join(', ')}.`),
    labelled('URL', url),
    secrets.map(({ name, input }) => labelled(name, input)),
    labelled('Headers, one on each line', fields),
    hasBody && labelled('Body', content),
    h(
      'div.replay-buttons',
      {},
      h('button.quiet', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel'),
      h('button.primary', { type: 'submit' }, 'Send'),
    ),
  );
  const dialog = h('dialog.replay', { 'aria-labelledby': 'replay-title' }, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  check();
  dialog.showModal();
  const first = secrets[0]?.input ?? (lostParts.some((part) => part.includes('body')) ? content : undefined);
  first?.focus();
}

function labelled(/** @type {string} */ name, /** @type {HTMLElement} */ input) {
  return h('label.field', {}, h('span', {}, name), input);
}

/** @returns {[name: string, value: string][]} */
function readHeaders(/** @type {string} */ text) {
  return text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
}

/**
 * Sends a request, and calls back when it is in the list.
 *
 * @param {Outgoing} outgoing
 * @param {RequestModel} repeated
 * @param {Live} live
 * @param {(number: number) => void} onArrival
 * @returns {Promise<string>} What came of it, in words.
 */
export async function sendAgain({ method, path, headers, body }, { number, isStream }, live, onArrival) {
  const mark = `${number}-${Math.random().toString(36).slice(2)}`;
  awaitArrival(mark, live, onArrival);
  const startMs = performance.now();
  try {
    const fields = new Headers([[markName, mark]]);
    for (const [name, value] of headers) fields.append(name, value);
    const options = /** @type {const} */ ({ redirect: 'manual', cache: 'no-store' });
    const response = await fetch(location.origin + path, { method, headers: fields, body, ...options });
    // A stream may never end.
    if (isStream) await response.body?.cancel();
    else await response.arrayBuffer();
    const result = response.type === 'opaqueredirect' ? 'a redirect' : response.status;
    return `Sent again: ${result} after ${time(performance.now() - startMs)}.`;
  } catch (error) {
    return `It could not be sent again: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function awaitArrival(
  /** @type {string} */ mark,
  /** @type {Live} */ live,
  /** @type {(number: number) => void} */ onArrival,
) {
  const stop = live.listen(() => {
    const found = live.requests.find(({ headers }) => headers[markName] === mark);
    if (found === undefined) return;
    stop();
    onArrival(found.number);
  });
  setTimeout(stop, arrivalMs);
}
