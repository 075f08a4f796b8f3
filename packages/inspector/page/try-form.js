// A form that sends a request to a route, as any page of the application could.
import { fill, h } from './dom.js';
import { status, time } from './format.js';
import { jsonView } from './json-view.js';

const maxBody = 50_000;
const withoutBody = new Set(['GET', 'HEAD']);

export function tryForm(route, load) {
  const params = [...new Set(route.url.match(/:\w+|\*/g) ?? [])];
  const fields = params.map((name) => ({
    name,
    input: h('input', { required: name !== '*', autocomplete: 'off' }),
  }));
  const methods = h(
    'select',
    {},
    route.methods.map((name) => h('option', {}, name)),
  );
  const query = h('input', { placeholder: 'page=1&sort=name', autocomplete: 'off' });
  const headers = h('textarea', { rows: 2, placeholder: 'accept: application/json', spellcheck: false });
  const body = h('textarea', { rows: 5, placeholder: '{ }', spellcheck: false });
  const answer = h('div.answer', { role: 'status' });
  const bodyField = field('Body', body);
  const setBody = () => {
    bodyField.hidden = withoutBody.has(methods.value);
  };
  methods.addEventListener('change', setBody);
  setBody();
  if (route.schemas.includes('body')) suggestBody();

  async function suggestBody() {
    const { schemas } = await load(`route.json?id=${route.id}`);
    const schema = schemas.find(({ part }) => part === 'body')?.resolved;
    if (body.value === '') body.value = JSON.stringify(exampleOf(schema), null, 2);
  }

  async function send(event) {
    event.preventDefault();
    const url = urlOf(route.url, fields, query.value);
    const hasBody = !withoutBody.has(methods.value) && body.value !== '';
    const started = performance.now();
    try {
      const response = await fetch(url, {
        method: methods.value,
        headers: { ...(hasBody && { 'content-type': 'application/json' }), ...readHeaders(headers.value) },
        ...(hasBody && { body: body.value }),
        redirect: 'manual',
      });
      const text = await response.text();
      fill(answer, show(response, text, performance.now() - started));
    } catch (error) {
      fill(answer, h('p.is-error', {}, `The request failed: ${error.message}`));
    }
  }

  return h(
    'form.try',
    { on: { submit: send } },
    h(
      'div.try-line',
      {},
      route.methods.length > 1 && field('Method', methods),
      fields.map(({ name, input }) => field(name, input)),
      field('Query', query),
    ),
    h('details.fold-out', {}, h('summary', {}, 'Headers'), field('One on each line', headers)),
    bodyField,
    h('button.primary', { type: 'submit' }, 'Send'),
    answer,
  );
}

function field(name, input) {
  return h('label.field', {}, h('span', {}, name), input);
}

/** From the root of the server: the pattern has all prefixes. */
function urlOf(url, fields, query) {
  const values = new Map(fields.map(({ name, input }) => [name, input.value]));
  const path = url.replace(/:\w+|\*/g, (name) =>
    name === '*' ? encodeURI(values.get(name) ?? '') : encodeURIComponent(values.get(name) ?? ''),
  );
  return query === '' ? path : `${path}?${query}`;
}

function readHeaders(text) {
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function show(response, text, ms) {
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return [
    h(
      'p.answer-line',
      {},
      status(response.status),
      h('span', {}, time(ms)),
      h('span.quiet', {}, `${text.length} characters`),
    ),
    isJson
      ? jsonView(parse(text), 'Body of the response')
      : h(
          'pre.code',
          { tabIndex: 0, role: 'region', 'aria-label': 'Body of the response' },
          h('code', {}, text.slice(0, maxBody)),
        ),
    h(
      'details.fold-out',
      {},
      h('summary', {}, 'Headers of the response'),
      h('pre.code', { tabIndex: 0 }, h('code', {}, fields)),
    ),
  ];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, maxBody);
  }
}

/** A value with the properties that a schema requires. */
function exampleOf(schema, depth = 0) {
  if (typeof schema !== 'object' || schema === null || depth > 5) return {};
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples)) return schema.examples[0];
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
