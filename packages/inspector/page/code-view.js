// Shows the generated code of one schema as a file: with line numbers, to copy and to save.
import { layOut } from './code-layout.js';
import { copyText, empty, fill, h } from './dom.js';
import { count, method, pattern } from './format.js';
import { codeParts } from './json-view.js';

/** @import { RouteInspection, SchemaModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/**
 * The address of the code of a schema.
 *
 * @param {number} route
 * @param {number} index The index of the schema in those of the route.
 */
export function codeAddress(route, index) {
  return `#/code/${route}/${index}`;
}

/**
 * @param {SchemaModel} schema
 */
export function schemaName({ part, status, contentType }) {
  return [part, status, contentType].filter(Boolean).join(' ');
}

/**
 * @param {Model} model
 * @param {(name: string) => Promise<RouteInspection>} load
 */
export function codeView(model, load) {
  const element = h('div.view.code-page');
  let shown = '';

  async function show(/** @type {string} */ id = '', /** @type {string} */ index = '') {
    shown = `${id}/${index}`;
    const route = model.routes[Number(id)];
    if (route === undefined) {
      fill(element, empty('There is no such route.', 'The application may have changed since.'));
      return;
    }
    fill(element, h('h1', {}, 'Generated code'), h('p.quiet', {}, 'loading …'));
    const text = await readCode(load, id, Number(index));
    if (shown !== `${id}/${index}`) return;
    if (typeof text === 'string') {
      fill(element, empty('There is no such code.', text));
      return;
    }
    const { code, schema } = text;
    const isResponse = schema.part === 'response';
    const file = `${isResponse ? 'serializer' : 'validator'}-${schemaName(schema).replace(/\W+/g, '-')}.js`;
    const lines = code.split('\n').length;
    fill(
      element,
      h(
        'div.view-head',
        {},
        h('h1', {}, file),
        h(
          'p.lead',
          {},
          `The code that ${isResponse ? 'writes' : 'validates'} `,
          h('span', {}, schemaName(schema)),
          ' of ',
          h('a.code-route', { href: `#/route/${route.id}` }, route.methods.map(method), pattern(route.url)),
          h('span.quiet', {}, count(lines, 'line')),
        ),
        h('div.filters', {}, copyButton(code), saveButton(code, file)),
      ),
      numbered(code, lines, file),
    );
  }

  return { element, show };
}

/** @returns {Promise<{ code: string, schema: SchemaModel } | string>} A text says why there is none. */
async function readCode(
  /** @type {(name: string) => Promise<RouteInspection>} */ load,
  /** @type {string} */ id,
  /** @type {number} */ index,
) {
  try {
    const schema = (await load(`route.json?id=${Number(id)}`)).schemas[index];
    if (schema === undefined) return 'The route has no such schema.';
    return schema.code === null ? 'Another library does the work.' : { code: layOut(schema.code), schema };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function numbered(/** @type {string} */ code, /** @type {number} */ lines, /** @type {string} */ label) {
  const numbers = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
  return h(
    'div.code-file',
    { tabIndex: 0, role: 'region', 'aria-label': label },
    h('pre.code-numbers', { 'aria-hidden': 'true' }, numbers),
    h('pre.code-text', {}, h('code', {}, codeParts(code))),
  );
}

function copyButton(/** @type {string} */ code) {
  const button = h(
    'button.quiet',
    {
      type: 'button',
      on: {
        click: async () => {
          button.textContent = (await copyText(code)) ? 'Copied' : 'The browser does not allow it';
          setTimeout(() => {
            button.textContent = 'Copy';
          }, 1_500);
        },
      },
    },
    'Copy',
  );
  return button;
}

function saveButton(/** @type {string} */ code, /** @type {string} */ file) {
  return h('button.quiet', { type: 'button', on: { click: () => saveFile(new Blob([code]), file) } }, 'Save');
}

/**
 * Lets the browser save a file.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
