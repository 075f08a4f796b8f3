/** Splits the text of a JSON object into its members without parsing the values: numbers keep their digits, and strings their escapes. */

/**
 * @param text Valid JSON.
 * @returns The text of each value by its name, or `undefined` if the text is not an object.
 */
export function jsonMembers(text: string): { [name: string]: string } | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  const members: { [name: string]: string } = { __proto__: null as never };
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const from = skipSpace(text, text.indexOf(':', nameEnd) + 1);
    const to = endOfValue(text, from);
    members[JSON.parse(text.slice(at, nameEnd))] = text.slice(from, to);
    at = skipSpace(text, to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next++;
  return next;
}

/** Returns the index after the closing quote. */
function endOfString(text: string, at: number): number {
  let quote = at;
  do quote = text.indexOf('"', quote + 1);
  while (isEscaped(text, quote));
  return quote + 1;
}

/** Whether the character at `at` follows an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === 0x5c) from--;
  return (at - from) % 2 === 1;
}

function endOfValue(text: string, at: number): number {
  let next = at;
  let depth = 0;
  do {
    const character = text[next];
    if (character === '"') next = endOfString(text, next);
    else if (character === '{' || character === '[') {
      depth++;
      next++;
    } else if (character === '}' || character === ']') {
      depth--;
      next++;
    } else next = depth > 0 ? next + 1 : endOfScalar(text, next);
  } while (depth > 0);
  return next;
}

/** Returns the index after a number, `true`, `false` or `null`. */
function endOfScalar(text: string, at: number): number {
  let next = at;
  while (next < text.length && !',}'.includes(text[next]!) && text.charCodeAt(next) > 0x20) next++;
  return next;
}
