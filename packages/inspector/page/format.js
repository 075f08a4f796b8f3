// Formats times, files, counts, methods, statuses and URL patterns for people.
import { h } from './dom.js';
import { parsePattern } from './url-pattern.js';

/** @import { DefinitionModel } from '@ambit/inspector' */

/**
 * `1.25 ms`, `840 µs`, `2.10 s`.
 *
 * @param {number} ms
 */
export function time(ms) {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 100) return `${Math.round(ms)} ms`;
  if (ms >= 1) return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
  return ms === 0 ? '0' : `${Math.round(ms * 1000)} µs`;
}

/**
 * `3 hooks`, `1 hook`.
 *
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** @type {Record<DefinitionModel['kind'], string>} */
const nouns = {
  decorator: 'decorator',
  requestDecorator: 'request decorator',
  replyDecorator: 'reply decorator',
  hook: 'hook',
  schema: 'schema',
  parser: 'parser',
  removedParser: 'removed parser',
  errorHandler: 'error handler',
  notFoundHandler: 'not-found handler',
  compiler: 'compiler',
  setting: 'setting',
  readinessCheck: 'readiness check',
  constraintStrategy: 'constraint strategy',
};

/** The kinds of definitions, in the order in which they are listed. */
export const kinds = /** @type {DefinitionModel['kind'][]} */ (Object.keys(nouns));

export function kindTitle(/** @type {DefinitionModel['kind']} */ kind) {
  const noun = nouns[kind];
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;
}

export function countKind(/** @type {number} */ number, /** @type {DefinitionModel['kind']} */ kind) {
  return count(number, nouns[kind]);
}

/**
 * A file relative to the folder of the application.
 *
 * @param {string} file
 * @param {string} folder
 */
export function shortFile(file, folder) {
  const relative = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  return relative
    .replace(/^.*\/node_modules\//, '')
    .replace(/^node_modules\//, '')
    .replace(/:\d+$/, '');
}

const missingLine =
  'This was declared before @ambit/inspector was imported. Import it before the modules that declare something.';

/**
 * A file with its line. A click selects the text, so that it can be copied. The title is the full path.
 *
 * @param {string | null} file
 * @param {string} folder
 */
export function fileLabel(file, folder) {
  if (file === null) return h('span.file.is-missing', { title: missingLine }, 'line not recorded');
  return h('code.file', { title: file }, shortFile(file, folder));
}

export function method(/** @type {string} */ name) {
  return h(`span.method.method-${/^[A-Z]+$/.test(name) ? name.toLowerCase() : 'other'}`, {}, name);
}

/**
 * A status, with a colour for its class: 2xx, 3xx, …
 *
 * @param {number} code
 */
export function status(code) {
  return h(`span.status.status-${Math.floor(code / 100)}`, {}, code === 0 ? 'left' : code);
}

/**
 * The URL pattern, with its parameters marked.
 *
 * @param {string} url
 */
export function pattern(url) {
  return h(
    'span.pattern',
    {},
    parsePattern(url).map(({ kind, text }) => (kind === 'text' ? text : h('span.param', {}, text))),
  );
}
