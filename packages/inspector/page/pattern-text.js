// Creates a short text that matches a regular expression.
import { patternOf } from './check-value.js';

/** How often a repetition without an upper limit is repeated at most, to reach a minimum length. */
const maxRepeats = 80;
/** Longer texts are not created. */
const maxCharacters = 10_000;

/** Characters in the order in which they are tried. */
const characters =
  'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.@/: ,;+#%&=!?*~$^|()[]{}<>"\'`\\\n\tßéλжあ中€😀';

/**
 * A part of a pattern: one of several characters, several sequences to choose from, or a repetition.
 *
 * @typedef {{ kind: 'one', source: string } | { kind: 'choice', sequences: Part[][] } |
 *   { kind: 'repeat', part: Part, min: number, max: number } | { kind: 'nothing' }} Part
 */

/**
 * @param {string} pattern
 * @param {{ minLength?: number, maxLength?: number }} [limits]
 * @returns {string | undefined} `undefined` if none was found: the pattern may be one that no text matches.
 */
export function textFor(pattern, { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = {}) {
  const expression = patternOf(pattern);
  if (expression === undefined) return undefined;
  const part = new Parser(pattern).parse();
  const fits = (/** @type {string} */ text) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && expression.test(text);
  };
  for (let choice = 0; choice < 4; choice++) {
    for (let extra = 0; extra <= maxRepeats; extra++) {
      const text = write(part, extra, choice);
      // A text that is longer than needed helps no more, and some expressions need very long for long texts.
      if (text === undefined || (extra > 3 && text.length > minLength + extra)) break;
      // The pattern may match a part of the text only.
      const missing = Math.max(0, minLength - [...text].length);
      const found = [text, text + 'a'.repeat(missing), 'a'.repeat(missing) + text].find(fits);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * @param {Part} part
 * @param {number} extra How many repetitions to add where there is no upper limit.
 * @param {number} choice Which alternative to take.
 * @returns {string | undefined} `undefined` if no known character fits.
 */
function write(part, extra, choice) {
  if (part.kind === 'nothing') return '';
  if (part.kind === 'one') {
    const expression = patternOf(`^${part.source}$`);
    return [...characters].find((character) => expression?.test(character));
  }
  if (part.kind === 'choice')
    return writeAll(part.sequences[choice % part.sequences.length] ?? [], extra, choice);
  const text = write(part.part, extra, choice);
  if (part.min === 0 && (text === undefined || extra === 0)) return '';
  const times = Math.min(part.max, Math.max(part.min, extra));
  return text === undefined || text.length * times > maxCharacters ? undefined : text.repeat(times);
}

function writeAll(/** @type {Part[]} */ parts, /** @type {number} */ extra, /** @type {number} */ choice) {
  let text = '';
  for (const part of parts) {
    const written = write(part, extra, choice);
    if (written === undefined) return undefined;
    text += written;
  }
  return text;
}

/** Reads what occurs in patterns of schemas. Assertions count as nothing: the text is compared with the whole pattern in the end. */
class Parser {
  #source;
  #at = 0;

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
  }

  /** @returns {Part} */
  parse() {
    return this.#choice();
  }

  /** @returns {Part} */
  #choice() {
    const sequences = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) sequences.push(this.#sequence());
    return { kind: 'choice', sequences };
  }

  #sequence() {
    /** @type {Part[]} */
    const parts = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at)))
      parts.push(this.#repeated(this.#atom()));
    return parts;
  }

  /** @returns {Part} */
  #atom() {
    if (this.#take(/\((?:\?:|\?<\w+>)?(?!\?)/y) !== undefined) {
      const part = this.#choice();
      this.#take(/\)/y);
      return part;
    }
    if (this.#take(/\(\?<?[=!]/y) !== undefined) {
      this.#choice();
      this.#take(/\)/y);
      return { kind: 'nothing' };
    }
    if (this.#take(/\^|\$|\\[bB]/y) !== undefined) return { kind: 'nothing' };
    const source =
      this.#take(/\[\^?(?:\\.|[^\]\\])*\]/sy) ??
      this.#take(/\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[a-z]|.)/isy) ??
      this.#take(/./suy) ??
      '';
    return { kind: 'one', source };
  }

  /**
   * @param {Part} part
   * @returns {Part}
   */
  #repeated(part) {
    const text = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    if (text === undefined) return part;
    if (text.startsWith('*')) return { kind: 'repeat', part, min: 0, max: maxRepeats };
    if (text.startsWith('+')) return { kind: 'repeat', part, min: 1, max: maxRepeats };
    if (text.startsWith('?')) return { kind: 'repeat', part, min: 0, max: 1 };
    const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(text) ?? [];
    const least = Number(min);
    const most = comma === '' ? least : max === '' ? Math.max(least, maxRepeats) : Number(max);
    return { kind: 'repeat', part, min: least, max: most };
  }

  /** @param {RegExp} token */
  #take(token) {
    token.lastIndex = this.#at;
    const [text] = token.exec(this.#source) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}
