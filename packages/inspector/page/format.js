// Writes times, files and counts as people read them.
import { h } from './dom.js';

/** `1.25 ms`, `840 µs`, `2.1 s`. */
export function time(ms) {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 100) return `${Math.round(ms)} ms`;
  if (ms >= 1) return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
  return `${Math.round(ms * 1000)} µs`;
}

/** `3 hooks`, `1 hook`. */
export function count(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

const nouns = {
  decorator: ['decorator'],
  requestDecorator: ['request decorator'],
  replyDecorator: ['reply decorator'],
  hook: ['hook'],
  schema: ['schema'],
  parser: ['parser'],
  removedParser: ['removed parser'],
  errorHandler: ['error handler'],
  notFoundHandler: ['not-found handler'],
  compiler: ['compiler'],
  setting: ['setting'],
};

/** The kinds of definitions, in the order in which they are listed. */
export const kinds = Object.keys(nouns);

export function kindTitle(kind) {
  const [noun] = nouns[kind];
  return `${noun[0].toUpperCase()}${noun.slice(1)}s`;
}

export function countKind(number, kind) {
  return count(number, ...nouns[kind]);
}

/** A file as seen from the folder of the application. */
export function shortFile(file, folder) {
  const near = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  return near
    .replace(/^.*\/node_modules\//, '')
    .replace(/^node_modules\//, '')
    .replace(/:\d+$/, '');
}

/** A file with its line. A click selects the whole path, to be copied. */
export function fileLabel(file, folder) {
  if (file === null) return null;
  return h('code.file', { title: file }, shortFile(file, folder));
}

export function method(name) {
  return h(`span.method.method-${/^[A-Z]+$/.test(name) ? name.toLowerCase() : 'other'}`, {}, name);
}

/** A status with its colour: of its hundred. */
export function status(code) {
  return h(`span.status.status-${Math.floor(code / 100)}`, {}, code === 0 ? 'left' : code);
}

/** The URL pattern, with its parameters marked. */
export function pattern(url) {
  const parts = url.split(/(:\w+|\*)/);
  return h(
    'span.pattern',
    {},
    parts.map((part, i) => (i % 2 === 1 ? h('span.param', {}, part) : part)),
  );
}
