// Formats generated code, which has no line breaks: adds one after each statement and block.

/** @param {string} code */
export function layOut(code) {
  if (code.split('\n').length > code.length / 120) return code;
  const writer = new Writer();
  for (let i = 0; i < code.length; i++) {
    const c = code.charAt(i);
    if (writer.quote !== '') {
      writer.text += c;
      if (c === '\\') writer.text += code.charAt(++i);
      else if (c === writer.quote) writer.quote = '';
    } else if (c === '\n') {
      writer.breakLine();
      while (/\s/.test(code.charAt(i + 1))) i++;
    } else if (c === '}') writer.close(code.slice(i + 1, i + 12));
    else writer.add(c);
  }
  return writer.text.replace(/\n\s*\n+/g, '\n').trim();
}

class Writer {
  text = '';
  /** The quote of the string that is being written. */
  quote = '';
  #depth = 0;
  /** The number of open parentheses. A semicolon inside them, as in `for`, does not end a line. */
  #parentheses = 0;

  breakLine() {
    this.text = `${this.text.trimEnd()}\n${'  '.repeat(this.#depth)}`;
  }

  /** @param {string} c */
  add(c) {
    if (c === '"' || c === "'" || c === '`') this.quote = c;
    if (c === '(') this.#parentheses++;
    if (c === ')') this.#parentheses--;
    if (c === '{') this.#depth++;
    this.text += c;
    if (c === '{' || (c === ';' && this.#parentheses === 0)) this.breakLine();
  }

  /** @param {string} rest The code after the brace. */
  close(rest) {
    this.#depth = Math.max(0, this.#depth - 1);
    this.text = this.text.trimEnd();
    if (!this.text.endsWith('{')) this.breakLine();
    this.text += '}';
    if (/^(?:else|catch|finally)/.test(rest)) this.text += ' ';
    else if (!/^\s*(?:[;,).\]=]|else|catch|finally)/.test(rest)) this.breakLine();
  }
}
