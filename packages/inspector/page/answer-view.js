// Sends a request and shows its answer while it arrives: status, time, size, headers, and the body beside the schema that wrote it.
import { saveFile } from './code-view.js';
import { fill, h } from './dom.js';
import { count, size, status, time } from './format.js';
import { jsonView, textView } from './json-view.js';
import { schemaTree } from './schema-tree.js';

/** @import { ChangeModel, RequestModel, RouteInspection, RouteModel, SchemaModel } from '@ambit/inspector' */

/** A body is kept up to this size; what comes after it is only counted. */
const maxBytes = 8 * 1024 * 1024;
/** A body that has not ended after this time is shown as it arrives. */
const patienceMs = 400;
/** How often a body that arrives is drawn. */
const drawMs = 100;
/** How much of a body that arrives is shown: its end. */
const maxShown = 20_000;
/** How long to wait until the inspector has recorded the end of a request. */
const recordMs = 60;
/** How far apart the clocks of the page and of the application are at most: they are the same, but for rounding. */
const clockMs = 20;

/**
 * @typedef {object} Exchange
 * @property {string} url
 * @property {RequestInit} init
 * @property {RouteModel} route
 * @property {(name: string) => Promise<any>} load Reads data of the inspector.
 * @property {AbortSignal} signal Ends the request.
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {unknown} json `undefined` if the body is not JSON.
 */

/**
 * Shows the answer to a request in an element.
 *
 * @param {HTMLElement} element
 * @param {Exchange} exchange
 * @returns {Promise<Answer | undefined>} `undefined` if there was none.
 */
export async function showAnswer(element, exchange) {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, exchange.signal]);
  const startedMs = performance.now();
  const clock = h('span.answer-ms', {}, '0 ms');
  const stop = h('button.quiet', { type: 'button', on: { click: () => stopping.abort() } }, 'Stop');
  const line = h(
    'p.answer-line',
    { role: 'status' },
    h('span.quiet', {}, 'waiting for the answer …'),
    clock,
    stop,
  );
  const body = h('div.answer-body');
  fill(element, line, body);
  // Below a long form, the answer would not be seen.
  if (element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView({ block: 'start' });
  const timer = setInterval(() => {
    clock.textContent = time(performance.now() - startedMs);
  }, 100);
  /** @type {Response | undefined} */
  let response;
  const received = new Received();
  try {
    response = await fetch(exchange.url, { ...exchange.init, redirect: 'manual', signal });
    if (response.type === 'opaqueredirect') {
      fill(line, h('span', {}, 'a redirect'), h('span', {}, time(performance.now() - startedMs)));
      await showRedirect(body, exchange, startedMs);
      return { status: 0, json: undefined };
    }
    fill(line, status(response.status), response.statusText, clock, h('span.quiet', {}, 'receiving …'), stop);
    await receive(response, received, body, startedMs);
  } catch (error) {
    const isStopped = signal.aborted;
    received.problem = isStopped ? 'You have stopped it.' : problemOf(error, response, received);
  } finally {
    clearInterval(timer);
  }
  const ms = performance.now() - startedMs;
  if (response === undefined) {
    fill(line, h('span', {}, time(ms)));
    fill(body, h('p', { className: signal.aborted ? 'quiet' : 'is-error' }, received.problem));
    return undefined;
  }
  fill(
    line,
    status(response.status),
    response.statusText,
    h('span', {}, time(ms)),
    sizeOf(response, received),
  );
  const answer = await showBody(body, exchange, response, received);
  findRecord(exchange, startedMs).then((record) => record && line.append(recordLink(record)));
  return answer;
}

/** The bytes of a body, and what went wrong. */
class Received {
  bytes = 0;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  chunks = [];
  problem = '';
  isCut = false;

  /** @param {Uint8Array<ArrayBuffer>} chunk */
  add(chunk) {
    this.bytes += chunk.length;
    if (this.bytes <= maxBytes) this.chunks.push(chunk);
    else this.isCut = true;
  }

  /** @param {string} type */
  blob(type) {
    return new Blob(this.chunks, { type });
  }
}

async function receive(
  /** @type {Response} */ response,
  /** @type {Received} */ received,
  /** @type {HTMLElement} */ body,
  /** @type {number} */ startedMs,
) {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  const isText = textType.test(typeOf(response));
  const isStream = streamType.test(typeOf(response));
  let text = '';
  let drawnMs = 0;
  const view = h('pre.code.answer-live', { tabIndex: 0, role: 'region', 'aria-label': 'The body so far' });
  const draw = () => {
    if (!view.isConnected) fill(body, view);
    const isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 40;
    view.textContent = text;
    if (isAtEnd) view.scrollTop = view.scrollHeight;
    drawnMs = performance.now();
  };
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    received.add(next.value);
    if (!isText) continue;
    text = (text + decoder.decode(next.value, { stream: true })).slice(-maxShown);
    const now = performance.now();
    if ((isStream || now - startedMs > patienceMs) && now - drawnMs > drawMs) draw();
    else if (isStream) requestAnimationFrame(draw);
  }
}

const textType =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml|javascript|x-ndjson|jsonl|json-seq|x-www-form-urlencoded|yaml))/;
const streamType = /event-stream|ndjson|jsonl|json-seq/;

function typeOf(/** @type {Response} */ response) {
  return (response.headers.get('content-type') ?? '').toLowerCase();
}

function problemOf(
  /** @type {unknown} */ error,
  /** @type {Response | undefined} */ response,
  /** @type {Received} */ { bytes },
) {
  const text = error instanceof Error ? error.message : String(error);
  return response === undefined
    ? `There was no answer: the application is down, or it closed the connection (${text}).`
    : `The connection ended after ${bytes.toLocaleString('en')} bytes, before the body was complete (${text}).`;
}

/** The size of the body, and how many bytes of it came over the network if it was compressed. */
function sizeOf(/** @type {Response} */ response, /** @type {Received} */ { bytes }) {
  const encoding = response.headers.get('content-encoding');
  const length = Number(response.headers.get('content-length') ?? 0);
  const sent = encoding !== null && length > 0 ? `, ${size(length)} as ${encoding}` : '';
  const texts = [`${size(bytes)}${sent}`, typeOf(response)].filter(Boolean);
  return texts.map((text) => h('span.quiet', {}, text));
}

/**
 * The request as the inspector has recorded it.
 *
 * @param {Exchange} exchange
 * @param {number} startedMs
 * @returns {Promise<RequestModel | undefined>}
 */
async function findRecord({ init, route, load }, startedMs) {
  const since = performance.timeOrigin + startedMs - clockMs;
  for (let tries = 0; tries < 3; tries++) {
    /** @type {{ requests: readonly RequestModel[] }} */
    const { requests } = await load('requests.json').catch(() => ({ requests: [] }));
    const record = requests.findLast(
      (request) => request.route === route.id && request.method === init.method && request.at >= since,
    );
    if (record !== undefined) return record;
    await new Promise((resolve) => setTimeout(resolve, recordMs));
  }
  return undefined;
}

/** A page does not get to see a redirect, but the inspector has recorded the response. */
async function showRedirect(
  /** @type {HTMLElement} */ body,
  /** @type {Exchange} */ exchange,
  /** @type {number} */ startedMs,
) {
  fill(
    body,
    h('p', {}, 'The answer is a redirect. It is not followed, because it may lead to another host.'),
  );
  const record = await findRecord(exchange, startedMs);
  if (record === undefined) return;
  const target = record.responseHeaders.location;
  const url =
    target !== undefined && URL.canParse(target, exchange.url) ? new URL(target, exchange.url) : undefined;
  body.append(
    h(
      'p.answer-line',
      {},
      status(record.status),
      target !== undefined && ['to ', h('code', {}, target)],
      url?.origin === location.origin &&
        h('a', { href: url.href, target: '_blank', rel: 'noopener' }, 'Open it'),
      recordLink(record),
    ),
  );
}

function recordLink(/** @type {RequestModel} */ { number }) {
  return h('a.answer-record', { href: `#/requests/${number}` }, 'What ran, and for how long');
}

/**
 * @param {HTMLElement} body
 * @param {Exchange} exchange
 * @param {Response} response
 * @param {Received} received
 * @returns {Promise<Answer>}
 */
async function showBody(body, { route, load }, response, received) {
  const type = typeOf(response);
  const blob = received.blob(type);
  const text = textType.test(type) || type === '' ? await blob.text() : undefined;
  const json = text !== undefined && /json/.test(type) && !streamType.test(type) ? parse(text) : undefined;
  // What the serializers have changed may be known only now.
  /** @type {RouteInspection | undefined} */
  const inspection = await load(`route.json?id=${route.id}`).catch(() => undefined);
  const schema = inspection && schemaFor(inspection.schemas, response.status, type);
  const changes = (inspection?.changes ?? []).filter(
    (change) => schema !== undefined && change.status?.toLowerCase() === schema.status?.toLowerCase(),
  );
  const name = `${route.url.split('/').findLast((part) => /^\w+$/.test(part)) ?? 'answer'}`;
  fill(
    body,
    received.problem !== '' && h('p.is-error', {}, received.problem),
    received.isCut && h('p.quiet', {}, `Only the first ${size(maxBytes)} are kept.`),
    h(
      `div.answer-columns${schema === undefined ? '' : '.has-schema'}`,
      {},
      h('div', {}, h('h3', {}, 'Body'), contentOf({ text, json, changes, blob, received, name })),
      schema && schemaColumn(schema, changes),
    ),
    headerList(response),
  );
  return { status: response.status, json };
}

/**
 * @param {{ text: string | undefined, json: unknown, changes: readonly ChangeModel[], blob: Blob, received: Received, name: string }} answer
 */
function contentOf({ text, json, changes, blob, received, name }) {
  if (received.bytes === 0) return h('p.quiet', {}, 'It has no content.');
  const save = saveLink(blob, name);
  if (json !== undefined) return [jsonView(json, 'Body of the response', changes), save];
  if (text !== undefined) return [textView(text, 'Body of the response'), save];
  if (blob.type.startsWith('image/')) return [imageView(blob), save];
  const bytes = received.chunks[0]?.slice(0, 512) ?? new Uint8Array();
  return [textView(hexOf(bytes), 'The first bytes of the response'), save];
}

function imageView(/** @type {Blob} */ blob) {
  const src = URL.createObjectURL(blob);
  const free = () => URL.revokeObjectURL(src);
  return h('img.answer-image', { src, alt: 'The image of the response', on: { load: free, error: free } });
}

function saveLink(/** @type {Blob} */ blob, /** @type {string} */ name) {
  const ending =
    /^(?:\w+\/)(?:[\w.-]+\+)?(\w+)/.exec(blob.type)?.[1]?.replace('plain', 'txt').replace('octet', 'bin') ??
    'bin';
  return h(
    'button.quiet',
    {
      type: 'button',
      on: {
        click: () => saveFile(blob, `${name}.${ending}`),
      },
    },
    'Save as a file',
  );
}

/** Sixteen bytes a line, with their text. */
function hexOf(/** @type {Uint8Array} */ bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join('\n');
}

/** The schema that a response is written with: that of its status, of its class, or the default one. */
export function schemaFor(
  /** @type {readonly SchemaModel[]} */ schemas,
  /** @type {number} */ code,
  /** @type {string} */ type,
) {
  const media = type.split(';')[0]?.trim();
  const responses = schemas.filter(({ part }) => part === 'response');
  for (const key of [String(code), `${Math.floor(code / 100)}xx`, 'default']) {
    const matching = responses.filter(({ status: own }) => own?.toLowerCase() === key);
    const found =
      matching.find(({ contentType }) => contentType === media) ??
      matching.find(({ contentType }) => contentType === null);
    if (found !== undefined) return found;
  }
  return undefined;
}

function schemaColumn(/** @type {SchemaModel} */ schema, /** @type {readonly ChangeModel[]} */ changes) {
  return h(
    'div',
    {},
    h('h3', {}, `Schema of ${[schema.status, schema.contentType].filter(Boolean).join(' ')}`),
    schemaTree(schema.resolved, 'Schema of the response'),
    changes.length > 0 &&
      h(
        'p.quiet',
        {},
        'Marked is what the serializer has changed since the application started; each change once.',
      ),
  );
}

function headerList(/** @type {Response} */ response) {
  const fields = [...response.headers];
  return h(
    'details.fold-out',
    {},
    h('summary', {}, count(fields.length, 'header')),
    h(
      'dl.headers',
      {},
      fields.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
  );
}

/**
 * @param {string} text
 * @returns {unknown} `undefined` if the text is not one JSON value.
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
