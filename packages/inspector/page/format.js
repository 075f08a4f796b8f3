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
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `12,345`. The first call of `toLocaleString` would load data of all languages, which the opening page would wait for. */
export function digits(/** @type {number} */ number) {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
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
  const isInside = file.startsWith(folder) && /[\\/]/.test(file.charAt(folder.length));
  const relative = isInside ? file.slice(folder.length + 1) : file;
  return relative
    .replace(/^.*\/node_modules\//, '')
    .replace(/^node_modules\//, '')
    .replace(/:\d+$/, '');
}

const missingLine =
  'This was declared before @ambit/inspector was imported. Import it before the modules that declare something.';

/**
 * A file with its line, as a link that opens the editor. The title is the full path.
 *
 * @param {string | null} file
 * @param {string} folder
 */
export function fileLabel(file, folder) {
  if (file === null) return h('span.file.is-missing', { title: missingLine }, 'line not recorded');
  const text = shortFile(file, folder);
  const url = editorUrl(file);
  return url === undefined
    ? h('code.file', { title: file }, text)
    : h('a.file', { href: url, title: `Open ${file} in the editor` }, text);
}

/**
 * The address that opens a line in VS Code, as on the page of an error; `undefined` for what is not a path, such as `node:fs:1:1`.
 *
 * @param {string} file `file:line:column`
 */
export function editorUrl(file) {
  const [, path = '', line] = /^(.*?)((?::\d+){0,2})$/s.exec(file.replaceAll('\\', '/')) ?? [];
  if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) return undefined;
  // Each part is encoded, so that nothing in a name ends the path.
  const parts = path
    .split('/')
    .map((part) => encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%3A', ':'));
  return `vscode://file${path.startsWith('/') ? '' : '/'}${parts.join('/')}${line}`;
}

/**
 * How a function is called on the page: by its name, or by its line.
 *
 * @param {string | null} name
 * @param {string | null} file
 * @param {string} folder
 */
export function functionLabel(name, file, folder) {
  return name ?? (file === null ? 'a function without a name' : shortFile(file, folder));
}

/**
 * `version 1.2.0`, from the JSON of the constraints of a route.
 *
 * @param {string} constraints
 */
export function constraintText(constraints) {
  const entries = Object.entries(JSON.parse(constraints));
  return entries
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
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

/**
 * `840 bytes`, `12.5 kB`, `64 MB`.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1_000) return count(bytes, 'byte');
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 0)} MB`;
}
