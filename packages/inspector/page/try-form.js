// Shows a form that sends a request to a route, as any page of the application could.
import { fill, h } from './dom.js';
import { status, time } from './format.js';
import { jsonView, textView } from './json-view.js';
import { fillPattern, parsePattern } from './url-pattern.js';

/** @import { RouteInspection, RouteModel } from '@ambit/inspector' */
/** @import { PatternPart } from './url-pattern.js' */

const withoutBody = new Set(['GET', 'HEAD']);

/**
 * @param {RouteModel} route
 * @param {Promise<RouteInspection>} inspection The schemas of the route, from which the form creates an example body.
 */
export function tryForm(route, inspection) {
  const params = paramsOf(route.url);
  const methods = h(
    'select',
    {},
    route.methods.map((name) => h('option', {}, name)),
  );
  const query = h('input', { placeholder: 'page=1&sort=name', autocomplete: 'off' });
  const headers = h('textarea', { rows: 2, placeholder: 'accept: application/json', spellcheck: false });
  const body = h('textarea', { rows: 5, placeholder: '{ }', spellcheck: false });
  const result = h('div.answer', { role: 'status' });
  const button = h('button.primary', { type: 'submit' }, 'Send');
  const bodyField = field('Body', body);
  const setBody = () => {
    bodyField.hidden = withoutBody.has(methods.value);
  };
  methods.addEventListener('change', setBody);
  setBody();
  if (route.schemas.includes('body')) suggestBody(body, inspection);

  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    const values = new Map(params.map(({ name, input }) => [name, input.value]));
    const hasBody = !withoutBody.has(methods.value) && body.value !== '';
    const request = { method: methods.value, headers: headers.value, body: hasBody ? body.value : undefined };
    button.disabled = true;
    try {
      fill(result, await sendRequest(urlOf(route.url, values, query.value), request));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      fill(result, h('p.is-error', {}, `The request failed: ${text}`));
    }
    button.disabled = false;
  }

  return h(
    'form.try',
    { on: { submit: send } },
    h(
      'div.try-line',
      {},
      route.methods.length > 1 && field('Method', methods),
      params.map(({ label, input }) => field(label, input)),
      field('Query', query),
    ),
    h('details.fold-out', {}, h('summary', {}, 'Headers'), field('One on each line', headers)),
    bodyField,
    button,
    result,
  );
}

/** One field for each parameter, even if its name occurs twice. */
function paramsOf(/** @type {string} */ url) {
  /** @type {Map<string, PatternPart>} */
  const parts = new Map();
  for (const part of parsePattern(url)) if (part.kind !== 'text') parts.set(part.name, part);
  return [...parts.values()].map(({ kind, text, name, isOptional }) => ({
    name,
    label: kind === 'wildcard' ? '* (the rest of the path)' : text,
    input: h('input', { required: !isOptional, autocomplete: 'off', spellcheck: false }),
  }));
}

function field(/** @type {string} */ name, /** @type {HTMLElement} */ input) {
  return h('label.field', {}, h('span', {}, name), input);
}

/**
 * The URL of the request. It is absolute, because a path that begins with two slashes would be a URL of another host.
 *
 * @param {string} pattern The URL pattern with all prefixes.
 * @param {ReadonlyMap<string, string>} values
 * @param {string} query
 */
function urlOf(pattern, values, query) {
  const path = fillPattern(pattern, values);
  return `${location.origin}${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`;
}

async function suggestBody(
  /** @type {HTMLTextAreaElement} */ body,
  /** @type {Promise<RouteInspection>} */ inspection,
) {
  const { schemas } = await inspection.catch(() => ({ schemas: [] }));
  const schema = schemas.find(({ part }) => part === 'body')?.resolved;
  // Also sets the default value, so that the example does not count as text of the user.
  if (body.value === '') body.value = body.defaultValue = JSON.stringify(exampleOf(schema), null, 2);
}

async function sendRequest(
  /** @type {string} */ url,
  /** @type {{ method: string, headers: string, body: string | undefined }} */ { method, headers, body },
) {
  const started = performance.now();
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...readHeaders(headers) },
    body: body ?? null,
    redirect: 'manual',
  });
  if (response.type === 'opaqueredirect')
    return h('p.answer-line', {}, 'The route replied with a redirect. A page cannot see where it leads.');
  return showResponse(response, await response.text(), performance.now() - started);
}

function readHeaders(/** @type {string} */ text) {
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function showResponse(
  /** @type {Response} */ response,
  /** @type {string} */ text,
  /** @type {number} */ ms,
) {
  const json = /json/.test(response.headers.get('content-type') ?? '') ? parse(text) : undefined;
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const label = 'Body of the response';
  return [
    h(
      'p.answer-line',
      {},
      status(response.status),
      h('span', {}, time(ms)),
      h('span.quiet', {}, `${text.length.toLocaleString('en')} characters`),
    ),
    text !== '' && (json === undefined ? textView(text, label) : jsonView(json, label)),
    h(
      'details.fold-out',
      {},
      h('summary', {}, 'Headers of the response'),
      textView(fields, 'Headers of the response'),
    ),
  ];
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

/**
 * An example with the properties that a schema declares.
 *
 * @param {any} schema
 * @returns {unknown}
 */
function exampleOf(schema, depth = 0) {
  if (typeof schema !== 'object' || schema === null || depth > 5) return {};
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  if (type === 'null') return null;
  const names = Object.keys(schema.properties ?? {});
  return Object.fromEntries(
    names.slice(0, 20).map((name) => [name, exampleOf(schema.properties[name], depth + 1)]),
  );
}
