// Writes a recorded request as a command of curl, as a call of fetch, and as a call of the typed client.
import { isSettable } from './replayable.js';
import { readPattern } from './url-pattern.js';

/** @import { RouteModel } from '@ambit/inspector' */
/** @import { Replayable } from './replayable.js' */

/**
 * A command for a POSIX shell with `$'…'` (bash, zsh, ksh), that sends the same bytes again.
 *
 * @param {Replayable} request
 * @param {string} origin The origin of the application.
 */
export function toCurl({ method, path, headers, body }, origin) {
  const hasBody = body !== null && method !== 'HEAD';
  const options = [];
  // curl would read these characters as patterns, and remove segments of dots.
  if (/[[\]{}]/.test(path)) options.push('--globoff');
  if (/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)) options.push('--path-as-is');
  if (method === 'HEAD') options.push('--head');
  else if (method !== (hasBody ? 'POST' : 'GET')) options.push(`--request ${quote(method)}`);
  for (const [name, value] of headers) {
    if (name === 'accept-encoding') options.push('--compressed');
    else if (name !== 'host' || !isHostOf(origin, value)) options.push(`--header ${quoteField(name, value)}`);
  }
  if (hasBody) {
    // Without this, curl says that the body is a form.
    if (!headers.some(([name]) => name === 'content-type')) options.push('--header content-type:');
    options.push(`--data-raw ${quote(body)}`);
  }
  return [`curl ${quote(origin + toAscii(path))}`, ...options].join(' \\\n  ');
}

/** A header as curl reads it: a colon without a value would remove the header. */
function quoteField(/** @type {string} */ name, /** @type {string} */ value) {
  if (value === '') return quote(`${name};`);
  const text = readBytes(value);
  // Bytes that are not UTF-8 can only be written as numbers.
  return text === undefined ? `$'${escapeText(`${name}: ${value}`, true)}'` : quote(`${name}: ${text}`);
}

function isHostOf(/** @type {string} */ origin, /** @type {string} */ host) {
  return new URL(origin).host === host;
}

/** The value of a header has one character for each byte. @returns {string | undefined} `undefined` if the bytes are not UTF-8. */
function readBytes(/** @type {string} */ value) {
  if (/[\u0100-\uffff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(value, (c) => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Characters that a terminal may act on when a command is pasted. */
const unsafe = /[\p{Cc}\u2028\u2029]/u;

/** Text as one word of a shell. */
function quote(/** @type {string} */ text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // Nothing has a meaning between single quotation marks, not even `!` and `\`.
  return unsafe.test(text) ? `$'${escapeText(text)}'` : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Text for `$'…'`. The history of an interactive shell takes `\'` for the end of the text and acts on `!`, so both are written as numbers.
 *
 * @param {string} text
 * @param {boolean} [isBytes] Whether a character above ASCII is a byte.
 */
function escapeText(text, isBytes = false) {
  return text.replace(isBytes ? /[^ -~]|['\\!]/g : /[\p{Cc}\u2028\u2029'\\!]/gu, (c) => {
    const short = shortEscapes.get(c);
    if (short !== undefined) return short;
    const bytes = isBytes ? [c.charCodeAt(0)] : new TextEncoder().encode(c);
    return Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
}

const shortEscapes = new Map([
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/** A target of printable ASCII. A `#` would begin a fragment, which is not sent. */
function toAscii(/** @type {string} */ path) {
  return path.replace(/[^!-~]|[#\\]/gu, (c) => {
    const code = c.charCodeAt(0);
    // A character is a byte, unless a function of the application has changed the URL.
    if (code <= 0xff) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
    return encodeURIComponent(c.replace(/\p{Surrogate}/u, '\ufffd'));
  });
}

/**
 * A call of `fetch`, for the console of a browser or a module of Node.
 *
 * @param {Replayable} request
 * @param {string} origin
 */
export function toFetch({ method, path, headers, body }, origin) {
  const isWithoutBody = method === 'GET' || method === 'HEAD';
  const fields = headers.filter(([name]) => isSettable(name));
  const options = {
    ...(method !== 'GET' && { method }),
    ...(fields.length > 0 && { headers: Object.fromEntries(fields) }),
    ...(body !== null && !isWithoutBody && { body }),
  };
  const url = literal(origin + toAscii(path));
  const hasOptions = Object.keys(options).length > 0;
  return `const response = await fetch(${url}${hasOptions ? `, ${literal(options)}` : ''});`;
}

/** The methods that the typed client has a function for. */
const clientMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);

/** Headers that every client sends by itself, so that a call need not name them. */
const ofEveryClient = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * A call of the typed client.
 *
 * @param {Replayable} request
 * @param {string} origin
 * @param {RouteModel | undefined} route
 * @returns {string | undefined} `undefined` if the client cannot send the request: it knows routes, and no unusual methods.
 */
export function toClientCall({ method, path, headers, body }, origin, route) {
  if (route === undefined || !clientMethods.has(method)) return undefined;
  const [pathname = '', search = ''] = splitOnce(path, '?');
  const params = readPattern(route.url, pathname);
  if (params === undefined) return undefined;
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  const sent = body === null || method === 'HEAD' ? undefined : bodyOf(body, type);
  const isImplied = (/** @type {string} */ name) =>
    ofEveryClient.has(name) || (name === 'content-type' && sent?.isTyped === true);
  const fields = headers.filter(([name]) => isSettable(name) && !isImplied(name));
  const parts = [
    params.size > 0 && `params: ${literal(Object.fromEntries(params), '  ')}`,
    search !== '' && `query: ${literal(queryOf(search), '  ')}`,
    fields.length > 0 && `headers: ${literal(Object.fromEntries(fields), '  ')}`,
    sent !== undefined && `body: ${sent.code}`,
  ].filter((part) => part !== false);
  const options = parts.length === 0 ? '' : `, {\n${parts.map((part) => `  ${part},\n`).join('')}}`;
  return [
    "import { client } from 'ambit/client';",
    '',
    '// App is the type of the application: `export type App = typeof app`.',
    `const api = client<App>(${literal(origin)});`,
    `const reply = await api.${method.toLowerCase()}(${literal(route.url)}${options});`,
  ].join('\n');
}

/** The body as an expression, and whether the client finds its media type by itself. */
function bodyOf(/** @type {string} */ text, type = '') {
  const [essence = ''] = type.toLowerCase().split(';', 1);
  if (/[/+]json$/.test(essence.trim())) {
    try {
      const value = JSON.parse(text);
      // The client sends a string as text, unless there is a header.
      const isTyped = essence.trim() === 'application/json' && typeof value !== 'string';
      return { code: literal(value, '  '), isTyped };
    } catch {
      return { code: literal(text), isTyped: false };
    }
  }
  if (essence.trim() === 'application/x-www-form-urlencoded')
    return { code: `new URLSearchParams(${literal(text)})`, isTyped: true };
  return { code: literal(text), isTyped: false };
}

/** The values of a query, by name: a list where a name occurs more than once. */
function queryOf(/** @type {string} */ search) {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

function splitOnce(/** @type {string} */ text, /** @type {string} */ separator) {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * A JSON value as JavaScript.
 *
 * @param {unknown} value
 * @param {string} [indent]
 * @returns {string}
 */
function literal(value, indent = '') {
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => {
    const text = literal(member, inner);
    return Array.isArray(value) ? text : `${keyLiteral(key)}: ${text}`;
  });
  const line = `${open} ${members.join(', ')} ${close}`;
  if (members.length === 0) return `${open}${close}`;
  if (line.length <= 60 && !line.includes('\n'))
    return Array.isArray(value) ? `[${members.join(', ')}]` : line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}

/** A key `__proto__` without brackets would set the prototype. */
function keyLiteral(/** @type {string} */ key) {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}

function stringLiteral(/** @type {string} */ text) {
  const json = JSON.stringify(text);
  // Where JSON needs no escapes, single quotation marks are what people write.
  return json.includes('\\') || text.includes("'") ? json : `'${text}'`;
}
