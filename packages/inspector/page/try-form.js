// Shows a form that sends a request to a route, as any page of the application could: its fields come from the schemas of the route.
import { showAnswer } from './answer-view.js';
import { checkValue, decodeStep, isSchemaObject, patternOf } from './check-value.js';
import { toCurl } from './copy-as.js';
import { copyText, fill, h } from './dom.js';
import { constraintText } from './format.js';
import { textFor } from './pattern-text.js';
import { isSettable } from './replayable.js';
import { examplesOf, sampleOf } from './sample.js';
import { authFields, requirementsOf } from './try-auth.js';
import { bodyForm } from './try-body.js';
import { createField, folded, propertiesOf } from './try-fields.js';
import { fillPattern, parsePattern } from './url-pattern.js';

/** @import { RouteInspection, RouteModel, SchemaModel } from '@ambit/inspector' */
/** @import { Field } from './try-fields.js' */
/** @import { PatternPart } from './url-pattern.js' */

const withoutBody = new Set(['GET', 'HEAD']);
/** Methods that `fetch` refuses. */
const refusedMethod = /^(?:CONNECT|TRACE|TRACK)$/;

const copyTitle = 'Copy as curl';

/**
 * @typedef {object} FormOptions
 * @property {RouteModel} route
 * @property {RouteInspection} inspection The schemas of the route.
 * @property {(name: string) => Promise<any>} load Reads data of the inspector.
 * @property {AbortSignal} signal Ends the requests of the form.
 */

/** @param {FormOptions} options */
export function tryForm({ route, inspection: { schemas }, load, signal }) {
  const schemaOf = (/** @type {SchemaModel['part']} */ part) =>
    schemas.find((schema) => schema.part === part)?.resolved;
  const methods = h(
    'select',
    {},
    route.methods.map((name) => h('option', {}, name)),
  );
  const preview = h('code.try-url', {});
  const params = paramFields(route.url, schemaOf('params'), update);
  const query = partFields('querystring', schemaOf('querystring'), update);
  const headers = partFields('headers', schemaOf('headers'), update);
  const moreQuery = h('input', { placeholder: 'page=1&sort=name', autocomplete: 'off', spellcheck: false });
  const moreHeaders = h('textarea', {
    rows: 2,
    placeholder: 'accept: application/json',
    value: versionHeader(route.constraints),
    spellcheck: false,
  });
  const body = bodyForm(
    schemas.filter(({ part }) => part === 'body'),
    update,
  );
  /** The OpenAPI documents of the application. @type {readonly any[]} */
  let documents = [];
  let auth = authFields([]);
  const authPlace = h('div', {}, auth.element);
  const bodyPart = part('Body', body.element);
  const result = h('div.answer', {});
  const problems = h('p.is-error', { role: 'alert' });
  const copy = h('button.quiet', { type: 'button', on: { click: copyAsCurl } }, copyTitle);
  const button = h('button.primary', { type: 'submit', title: 'Ctrl+Enter' }, 'Send');

  function hasBody() {
    return !withoutBody.has(methods.value);
  }

  function urlOf() {
    const values = new Map(params.map(({ name, read }) => [name, textOf(read().value)]));
    const pairs = new URLSearchParams();
    for (const { name, read } of query.fields)
      for (const item of [read().value].flat()) if (item !== undefined) pairs.append(name, textOf(item));
    const more = moreQuery.value.replace(/^\?/, '');
    const search = [pairs.toString(), more].filter(Boolean).join('&');
    // It is absolute, because a path that begins with two slashes would be a URL of another host.
    return `${location.origin}${fillPattern(route.url, values)}${search === '' ? '' : `?${search}`}`;
  }

  function update() {
    bodyPart.hidden = !hasBody();
    fill(preview, h('span.quiet', {}, methods.value), ` ${urlOf()}`);
  }

  function showAuth() {
    auth = authFields(requirementsOf(documents, route, methods.value));
    fill(authPlace, auth.element);
  }

  methods.addEventListener('change', () => {
    showAuth();
    update();
  });
  moreQuery.addEventListener('input', update);

  /** Sends also from a text area. */
  function keydown(/** @type {KeyboardEvent} */ event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(button);
  }

  /**
   * The request that the form describes.
   *
   * @returns {{ url: string, init: { method: string, headers: Headers, body: BodyInit | null } }}
   * @throws {Error} if a field has no value that can be sent.
   */
  function compose() {
    if (refusedMethod.test(methods.value)) throw new Error(`A browser cannot send ${methods.value}.`);
    for (const { name, read } of [...query.fields, ...headers.fields]) {
      const { problem } = read();
      if (problem !== undefined) throw new Error(`${name} ${problem}.`);
    }
    const content = hasBody() ? body.read() : {};
    if (content.problem !== undefined) throw new Error(`The body ${content.problem}.`);
    const signature = auth.sign();
    const url = new URL(urlOf());
    for (const [name, value] of signature.query) url.searchParams.append(name, value);
    const named = headers.fields.map(({ name, read }) => [name, textOf(read().value)]);
    // What is written by hand replaces the rest.
    const all = [
      ...Object.entries(content.headers ?? {}),
      ...named.filter(([, value]) => value !== ''),
      ...Object.entries(signature.headers),
      ...readHeaders(moreHeaders.value),
    ];
    const fields = new Headers();
    for (const [name = '', value = ''] of all) {
      try {
        fields.set(name, value);
      } catch {
        throw new Error(`The header ${name} has a name or a value that is not allowed.`);
      }
    }
    return { url: url.href, init: { method: methods.value, headers: fields, body: content.body ?? null } };
  }

  function clearProblems() {
    for (const field of [...params, ...query.fields, ...headers.fields, ...body.fields])
      field.showProblems([]);
    body.showProblems([]);
    problems.textContent = '';
  }

  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    form.classList.add('is-used');
    clearProblems();
    try {
      const request = compose();
      button.disabled = true;
      const answer = await showAnswer(result, { ...request, route, load, signal });
      if (answer !== undefined && answer.status >= 400) showFailures(answer.json);
    } catch (error) {
      problems.textContent = error instanceof Error ? error.message : String(error);
    }
    button.disabled = false;
  }

  async function copyAsCurl() {
    clearProblems();
    try {
      const { url, init } = compose();
      const { pathname, search } = new URL(url);
      const text = init.body === null || typeof init.body === 'string' ? init.body : undefined;
      if (text === undefined)
        throw new Error('A form or a file cannot be copied: curl reads it from the disk.');
      const request = {
        method: init.method,
        path: pathname + search,
        headers: [...init.headers],
        body: text,
        lostHeaders: [],
        lostParts: [],
      };
      copy.textContent = (await copyText(toCurl(request, location.origin)))
        ? 'Copied'
        : 'The browser does not allow it';
    } catch (error) {
      problems.textContent = error instanceof Error ? error.message : String(error);
    }
    setTimeout(() => {
      copy.textContent = copyTitle;
    }, 1_500);
  }

  /** Shows what the application says is wrong at the fields, and leads to them. */
  function showFailures(/** @type {unknown} */ json) {
    /** @type {Map<Field, string[]>} */
    const byField = new Map();
    /** @type {string[]} */
    const ofBody = [];
    /** @type {string[]} */
    const others = [];
    for (const { part: where, path, message } of readFailures(json)) {
      const list = { params, query: query.fields, headers: headers.fields, body: body.fields }[where];
      const at = decodeStep(path.split('/')[1] ?? '').toLowerCase();
      const field = list.find(({ name }) => path !== '' && name.toLowerCase() === at);
      if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), message]);
      else if (where === 'body') ofBody.push(`${path} ${message}`.trim());
      else others.push(`${where}${path} ${message}.`);
    }
    for (const [field, messages] of byField) {
      field.showProblems(messages);
      field.element.closest('details')?.setAttribute('open', '');
    }
    body.showProblems(ofBody);
    const links = [...byField.keys()].map(({ name, focus }) =>
      h('button.reference', { type: 'button', on: { click: focus } }, name),
    );
    fill(
      problems,
      links.length > 0 && ['Refused: ', links.flatMap((link, i) => (i === 0 ? [link] : [', ', link])), '. '],
      others.join(' '),
    );
  }

  update();
  const form = h(
    'form.try',
    { noValidate: true, on: { submit: send, keydown, input: () => form.classList.add('is-used') } },
    route.methods.length > 1 && h('label.field.try-method', {}, h('span', {}, 'Method'), methods),
    params.length > 0 &&
      part(
        'Path',
        params.map(({ element }) => element),
      ),
    query.fields.length > 0 && part('Query', query.element),
    headers.fields.length > 0 && part('Headers', headers.element),
    bodyPart,
    authPlace,
    h(
      'details.fold-out',
      {},
      h('summary', {}, query.fields.length > 0 ? 'More of the query, more headers' : 'Query and headers'),
      h('label.field', {}, h('span', {}, 'Query'), moreQuery),
      h('label.field', {}, h('span', {}, 'Headers, one on each line'), moreHeaders),
    ),
    hostNote(route.constraints),
    h('div.try-send', {}, button, preview, copy),
    problems,
    result,
  );
  return {
    element: form,
    /** @param {readonly any[]} read The OpenAPI documents of the application. */
    setDocuments(read) {
      documents = read;
      showAuth();
    },
  };
}

function part(/** @type {string} */ title, /** @type {import('./dom.js').Children} */ content) {
  return h('fieldset.fields', {}, h('legend', {}, title), content);
}

/** One field for each parameter, even if its name occurs twice. */
function paramFields(
  /** @type {string} */ url,
  /** @type {unknown} */ schema,
  /** @type {() => void} */ onChange,
) {
  /** @type {Map<string, PatternPart>} */
  const parts = new Map();
  for (const one of parsePattern(url)) if (one.kind !== 'text') parts.set(one.name, one);
  return [...parts.values()].map(({ name, kind, text, isOptional }) => {
    const declared = isSchemaObject(schema) && isSchemaObject(schema.properties) ? schema.properties : {};
    const own = Object.hasOwn(declared, name) ? declared[name] : undefined;
    const expression = /\((.*)\)\??$/s.exec(text)?.[1];
    const ofPattern = { type: 'string', ...(expression !== undefined && { pattern: whole(expression) }) };
    const field = createField({
      name,
      schema: own ?? ofPattern,
      root: own === undefined ? ofPattern : schema,
      isRequired: !isOptional,
      onChange,
    });
    field.element
      .querySelector('.field-name')
      ?.replaceChildren(kind === 'wildcard' ? '* (the rest of the path)' : text);
    field.set(paramSample(own, schema, expression, isOptional));
    return field;
  });
}

function whole(/** @type {string} */ expression) {
  return `^(?:${expression.replace(/^\^|\$$/g, '')})$`;
}

/** A value that fits the schema and the expression of the URL pattern. */
function paramSample(
  /** @type {unknown} */ schema,
  /** @type {unknown} */ root,
  /** @type {string | undefined} */ expression,
  /** @type {boolean} */ isOptional,
) {
  const sample = schema === undefined ? undefined : sampleOf(schema, root).value;
  if (expression === undefined) return sample ?? (isOptional ? undefined : '1');
  const pattern = whole(expression);
  return sample !== undefined && patternOf(pattern)?.test(String(sample)) ? sample : textFor(pattern);
}

/** The fields of the properties that a schema declares. */
function partFields(
  /** @type {'querystring' | 'headers'} */ where,
  /** @type {unknown} */ schema,
  /** @type {() => void} */ onChange,
) {
  const declared = isSchemaObject(schema) ? propertiesOf(schema) : { properties: {}, required: [] };
  /** @type {Field[]} */
  const fields = [];
  /** @type {HTMLElement[]} */
  const notes = [];
  for (const [name, own] of Object.entries(declared.properties)) {
    if (where === 'headers' && !isSettable(name.toLowerCase())) {
      notes.push(h('p.quiet', {}, h('code', {}, name), ': the browser sets this header itself.'));
      continue;
    }
    const isRequired = declared.required.includes(name);
    const field = createField({ name, schema: own, root: schema, isRequired, onChange });
    const [example] = examplesOf(own);
    if (isRequired) field.set(sampleOf(own, schema).value);
    else if (example !== undefined && checkValue(own, example, schema).length === 0) field.set(example);
    fields.push(field);
  }
  return { fields, element: [folded(fields), notes] };
}

function textOf(/** @type {unknown} */ value) {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The header that chooses a version of a route. */
function versionHeader(/** @type {string | null} */ constraints) {
  const { version } = constraints === null ? {} : JSON.parse(constraints);
  return typeof version === 'string' ? `accept-version: ${version}` : '';
}

/** What a page cannot do about the other constraints of a route. */
function hostNote(/** @type {string | null} */ constraints) {
  const { version: _, ...others } = constraints === null ? {} : JSON.parse(constraints);
  if (Object.keys(others).length === 0) return null;
  return h(
    'p.quiet',
    {},
    `The route needs ${constraintText(JSON.stringify(others))}. A page cannot set the header Host.`,
  );
}

/** @returns {[name: string, value: string][]} */
function readHeaders(/** @type {string} */ text) {
  return text
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
}

/** @typedef {{ part: 'body' | 'params' | 'query' | 'headers', path: string, message: string }} PartFailure */

/** @type {Record<string, PartFailure['part']>} */
const partNames = {
  body: 'body',
  params: 'params',
  querystring: 'query',
  query: 'query',
  headers: 'headers',
};

/**
 * What an answer says is wrong with the request: the entries of a problem (RFC 9457), or the message of the default error handler.
 *
 * @param {any} json
 * @returns {PartFailure[]}
 */
export function readFailures(json) {
  if (Array.isArray(json?.errors))
    return json.errors.flatMap((/** @type {any} */ entry) => {
      const where = partNames[String(entry?.part)];
      const path = String(entry?.pointer ?? '').replace(/^#/, '');
      return where === undefined ? [] : [{ part: where, path, message: String(entry?.detail ?? '') }];
    });
  if (typeof json?.message !== 'string') return [];
  const texts = json.message.split(/, (?=(?:body|params|querystring|query|headers)[/ ])/);
  return texts.flatMap((/** @type {string} */ text) => {
    const [, name = '', path = '', message = ''] = /^(\w+)(\/\S*)? (.+)$/s.exec(text) ?? [];
    const where = Object.hasOwn(partNames, name) ? partNames[name] : undefined;
    const missing = /required property '([^']+)'/.exec(message)?.[1];
    return where === undefined
      ? []
      : [{ part: where, path: missing === undefined ? path : `${path}/${missing}`, message }];
  });
}
