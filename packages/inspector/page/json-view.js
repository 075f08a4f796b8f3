// Shows JSON and code with colours, as elements and never as markup.
import { pointerTo } from './check-value.js';
import { h } from './dom.js';

/** @import { ChangeModel } from '@ambit/inspector' */
/** @import { Child } from './dom.js' */

const maxCharacters = 60_000;
/** A longer text in a value is cut. */
const maxText = 10_000;
const words =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(?:const|let|var|function|return|if|else|for|while|do|new|typeof|instanceof|in|of|switch|case|break|continue|try|catch|throw|true|false|null|undefined|this)\b|\b\d+(?:\.\d+)?\b/g;

/**
 * A JSON value. A `$ref` into the same value is a link to its target.
 *
 * @param {unknown} value
 * @param {string} label For screen readers.
 * @param {readonly ChangeModel[]} [changes] What a serializer has changed in the value. It is marked in its place.
 */
export function jsonView(value, label, changes = []) {
  const printer = new JsonPrinter(changes);
  printer.print(value, '#', '');
  return block(printer.parts, label);
}

/** Writes JSON with an indent of two spaces, and stores the elements that are targets of references. */
class JsonPrinter {
  /** @type {Child[]} */
  parts = [];
  /** @type {Map<string, HTMLElement>} */
  #brackets = new Map();
  #characters = 0;
  /** @type {Map<string, ChangeModel>} */
  #changes;
  /** The names of dropped properties, by the JSON Pointers of their objects. @type {Map<string, string[]>} */
  #dropped = new Map();

  /** @param {readonly ChangeModel[]} changes */
  constructor(changes) {
    this.#changes = new Map(changes.map((change) => [`#${change.path}`, change]));
    for (const { kind, path } of changes) {
      const [, owner = '', name = ''] = /^(.*)\/(.*)$/s.exec(path) ?? [];
      if (kind === 'dropped' && path !== '')
        this.#dropped.set(`#${owner}`, [...(this.#dropped.get(`#${owner}`) ?? []), name]);
    }
  }

  /**
   * @param {unknown} value
   * @param {string} pointer The JSON Pointer of the value.
   * @param {string} indent
   */
  print(value, pointer, indent) {
    if (typeof value !== 'object' || value === null) this.#scalar(value, pointer);
    else {
      const isList = Array.isArray(value);
      const members = Object.entries(value);
      const dropped = this.#dropped.get(pointer) ?? [];
      const [open, close] = isList ? '[]' : '{}';
      if (members.length + dropped.length === 0) return this.#add(`${open}${close}`);
      this.#open(open ?? '', pointer);
      for (const [i, [key, member]] of members.entries()) {
        if (this.#characters > maxCharacters) {
          this.#add(`\n${indent}  … ${members.length - i} more`);
          break;
        }
        const at = pointerTo(pointer, key);
        this.#add(`\n${indent}  `);
        if (!isList) this.#token('key', JSON.stringify(key), ': ');
        this.print(member, at, `${indent}  `);
        if (i < members.length - 1) this.#add(',');
        if (typeof member !== 'object' || member === null) this.#mark(at);
      }
      for (const name of dropped) this.#addDropped(name, `${pointer}/${name}`, `\n${indent}  `);
      this.#add(`\n${indent}${close}`);
    }
  }

  /** Writes what was done to a value behind it. */
  #mark(/** @type {string} */ pointer) {
    const change = this.#changes.get(pointer);
    if (change === undefined || change.kind === 'dropped') return;
    const text = change.message.startsWith(change.kind)
      ? change.message
      : `${change.kind}: ${change.message}`;
    this.parts.push(h(`mark.change-${change.kind}`, {}, text));
  }

  #addDropped(/** @type {string} */ name, /** @type {string} */ pointer, /** @type {string} */ indent) {
    const key = JSON.stringify(name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const message = this.#changes.get(pointer)?.message;
    this.parts.push(indent, h('mark.change-dropped', { title: message }, h('del', {}, key), ' dropped'));
  }

  #open(/** @type {string} */ bracket, /** @type {string} */ pointer) {
    const element = h('span', { tabIndex: -1 }, bracket);
    this.#brackets.set(pointer, element);
    this.parts.push(element);
  }

  #scalar(/** @type {unknown} */ value, /** @type {string} */ pointer) {
    const text = JSON.stringify(value) ?? 'undefined';
    if (typeof value === 'string' && value.startsWith('#') && pointer.endsWith('/$ref'))
      this.#link(value, text);
    else if (text.length <= maxText) this.#token(typeof value === 'string' ? 'string' : 'literal', text);
    else {
      this.#token('string', `${text.slice(0, maxText)}"`);
      this.#add(` … ${text.length - maxText} more characters`);
    }
  }

  /** The target is looked up when the user follows the link, because it may be written later. */
  #link(/** @type {string} */ target, /** @type {string} */ text) {
    const follow = () => {
      const found = this.#brackets.get(target);
      found?.scrollIntoView({ block: 'center' });
      found?.focus();
    };
    this.parts.push(
      h('button.reference', { type: 'button', title: `Go to ${target}`, on: { click: follow } }, text),
    );
  }

  #token(/** @type {string} */ kind, /** @type {string} */ text, after = '') {
    this.#characters += text.length;
    this.parts.push(h(`span.token-${kind}`, {}, text), after);
  }

  #add(/** @type {string} */ text) {
    this.#characters += text.length;
    this.parts.push(text);
  }
}

/**
 * Code in JavaScript, with colours.
 *
 * @param {string} code
 */
export function codeParts(code) {
  /** @type {Child[]} */
  const parts = [];
  let end = 0;
  for (const { 0: word, 1: string, index } of code.matchAll(words)) {
    const kind = string !== undefined ? 'string' : /^\d/.test(word) ? 'literal' : 'keyword';
    parts.push(code.slice(end, index), h(`span.token-${kind}`, {}, word));
    end = index + word.length;
  }
  parts.push(code.slice(end));
  return parts;
}

/**
 * Plain text.
 *
 * @param {string} text
 * @param {string} label
 */
export function textView(text, label) {
  const rest = text.length - maxCharacters;
  return block([text.slice(0, maxCharacters), rest > 0 && `\n… ${rest} more characters`], label);
}

function block(/** @type {Child[]} */ parts, /** @type {string} */ label) {
  return h('pre.code', { tabIndex: 0, role: 'region', 'aria-label': label }, h('code', {}, parts));
}
