// Shows JSON and code with colours, as elements and never as markup.
import { layOut } from './code-layout.js';
import { h } from './dom.js';

/** @import { Child } from './dom.js' */

const maxCharacters = 60_000;
const words =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(?:const|let|var|function|return|if|else|for|while|do|new|typeof|instanceof|in|of|switch|case|break|continue|try|catch|throw|true|false|null|undefined|this)\b|\b\d+(?:\.\d+)?\b/g;

/**
 * A JSON value. A `$ref` into the same value is a link to its target.
 *
 * @param {unknown} value
 * @param {string} label For screen readers.
 */
export function jsonView(value, label) {
  const printer = new JsonPrinter();
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

  /**
   * @param {unknown} value
   * @param {string} pointer The JSON Pointer of the value.
   * @param {string} indent
   */
  print(value, pointer, indent) {
    if (this.#characters > maxCharacters) this.#add(this.parts.at(-1) === ' …' ? '' : ' …');
    else if (typeof value !== 'object' || value === null) this.#scalar(value, pointer);
    else {
      const isList = Array.isArray(value);
      const members = Object.entries(value);
      const [open, close] = isList ? '[]' : '{}';
      if (members.length === 0) return this.#add(`${open}${close}`);
      this.#open(open ?? '', pointer);
      members.forEach(([key, member], i) => {
        this.#add(`${i === 0 ? '' : ','}\n${indent}  `);
        if (!isList) this.#token('key', JSON.stringify(key), ': ');
        this.print(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${indent}  `);
      });
      this.#add(`\n${indent}${close}`);
    }
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
    else this.#token(typeof value === 'string' ? 'string' : 'literal', text);
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
 * Code in JavaScript.
 *
 * @param {string} code
 * @param {string} label
 */
export function codeView(code, label) {
  const text = layOut(code);
  const visible = text.slice(0, maxCharacters);
  /** @type {Child[]} */
  const parts = [];
  let end = 0;
  for (const { 0: word, 1: string, index } of visible.matchAll(words)) {
    const kind = string !== undefined ? 'string' : /^\d/.test(word) ? 'literal' : 'keyword';
    parts.push(visible.slice(end, index), h(`span.token-${kind}`, {}, word));
    end = index + word.length;
  }
  parts.push(visible.slice(end));
  if (text.length > maxCharacters) parts.push(`\n… ${text.length - maxCharacters} more characters`);
  return block(parts, label);
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
