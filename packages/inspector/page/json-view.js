// Shows JSON and code with colours, as elements and never as markup.
import { h } from './dom.js';

const maxCharacters = 60_000;
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;
const words =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(?:const|let|var|function|return|if|else|for|while|do|new|typeof|instanceof|in|of|switch|case|break|continue|try|catch|throw|true|false|null|undefined|this)\b|\b\d+(?:\.\d+)?\b/g;

/** A JSON value. */
export function jsonView(value, label) {
  return codeBlock(JSON.stringify(value, null, 2) ?? 'undefined', tokens, label, ([, text, colon]) =>
    text === undefined ? 'literal' : colon === undefined ? 'string' : 'key',
  );
}

/** Code in JavaScript. */
export function codeView(code, label) {
  return codeBlock(layOut(code), words, label, ([match, text]) =>
    text !== undefined ? 'string' : /^\d/.test(match) ? 'literal' : 'keyword',
  );
}

function codeBlock(text, expression, label, classOf) {
  const shown = text.slice(0, maxCharacters);
  const code = h('code');
  let end = 0;
  for (const match of shown.matchAll(expression)) {
    code.append(shown.slice(end, match.index));
    const [, string, colon] = match;
    const token = colon !== undefined ? string : match[0];
    code.append(h(`span.token-${classOf(match)}`, {}, token));
    end = match.index + token.length;
  }
  code.append(shown.slice(end));
  if (text.length > maxCharacters) code.append(`\n… ${text.length - maxCharacters} more characters`);
  return h('pre.code', { tabIndex: 0, role: 'region', 'aria-label': label }, code);
}

/** Generated code has no line breaks: they come after each statement and block. */
function layOut(code) {
  if (code.split('\n').length > code.length / 120) return code;
  let depth = 0;
  let text = '';
  let quote = '';
  let round = 0;
  for (let i = 0; i < code.length; i++) {
    const c = code[i];
    if (quote !== '') {
      text += c;
      if (c === '\\') text += code[++i] ?? '';
      else if (c === quote) quote = '';
      continue;
    }
    if (c === '"' || c === "'" || c === '`') quote = c;
    if (c === '(') round++;
    if (c === ')') round--;
    if (c === '}') {
      depth = Math.max(0, depth - 1);
      text = text.trimEnd();
      if (!text.endsWith('{')) text += `\n${'  '.repeat(depth)}`;
      text += c;
      if (!/^\s*(?:[;,).]|else|catch|finally)/.test(code.slice(i + 1, i + 12)))
        text += `\n${'  '.repeat(depth)}`;
      continue;
    }
    if (c === '\n') {
      text = `${text.trimEnd()}\n${'  '.repeat(depth)}`;
      while (/\s/.test(code[i + 1] ?? '')) i++;
      continue;
    }
    text += c;
    if (c === '{') {
      depth++;
      text += `\n${'  '.repeat(depth)}`;
    } else if (c === ';' && round === 0) text += `\n${'  '.repeat(depth)}`;
  }
  return text.replace(/\n\s*\n+/g, '\n').trim();
}
