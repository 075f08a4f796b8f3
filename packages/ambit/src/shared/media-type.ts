/** Parses values of Content-Type (RFC 9110, 8.3.1) for parsers, validators and serializers, so that all read a value the same. */

/** The media type of forms that may hold files (RFC 7578). */
export const formType = 'multipart/form-data';

export interface MediaType {
  /** `type/subtype` in lower case, or `undefined` when the value is not a media type. */
  readonly essence: string | undefined;
  /** Parameter names in lower case, values unquoted, in the order received. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The value in canonical form: `type/subtype; name="value"`. Empty if the value is not a media type. */
  readonly text: string;
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
// One parameter with the semicolon before it: `;name=token` or `;name="quoted string"` (RFC 9110, 5.6.6). Clients such as those of iOS do
// not quote a boundary with other characters (RFC 2046, 5.1.1).
const parameter =
  /;[\t ]*([\w!#$%&'*+.^`|~-]+)=((?<=;[\t ]*[bB][oO][uU][nN][dD][aA][rR][yY]=)[\w!#$%&'*+.^`|~()/:=?@,-]+|[\w!#$%&'*+.^`|~-]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*")/g;

const invalidMediaType: MediaType = { essence: undefined, parameters: new Map(), text: '' };

const cacheLimit = 256;
const cache = new Map<string, MediaType>();

/** The text of a field that has one value: the first item of an array. @throws If the value cannot be converted to text. */
export function firstFieldText(value: unknown): string | undefined {
  if (typeof value === 'string' || value === undefined) return value;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null ? undefined : String(first);
}

// HOT: once per request with a body and per reply with a content type. A map lookup for values seen before.
/** Parses a Content-Type value. A value that is not a valid media type has no `essence`. */
export function parseMediaType(value: string | undefined): MediaType {
  if (value === undefined) return invalidMediaType;
  let parsed = cache.get(value);
  if (parsed === undefined) {
    parsed = readMediaType(value);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(value, parsed);
  }
  return parsed;
}

/** Whether a media type matches a range, such as `application/*+json` or `text/*`. A range without a star is one type. */
export function isInRange(range: string, essence: string): boolean {
  const star = range.indexOf('*');
  if (star === -1) return range === essence;
  if (range === '*/*') return true;
  // The star matches at least one character.
  const isLongEnough = essence.length >= range.length;
  return isLongEnough && essence.startsWith(range.slice(0, star)) && essence.endsWith(range.slice(star + 1));
}

// HOT: once per reply and per body with schemas by media type. The first lookup usually finds the entry.
/** The entry of the most specific range that includes a media type (RFC 9110, 12.5.1): itself, the longest range, or all types. */
export function findByRange<Entry>(byRange: ReadonlyMap<string, Entry>, essence: string): Entry | undefined {
  const exact = byRange.get(essence);
  if (exact !== undefined) return exact;
  let longest = '*/*';
  for (const range of byRange.keys()) {
    const isLonger = longest === '*/*' || range.length > longest.length;
    if (range !== '*/*' && isLonger && isInRange(range, essence)) longest = range;
  }
  return byRange.get(longest);
}

/** A media type or range in lower case, without parameters; `undefined` for other texts. The subtype may have one star. */
export function parseMediaRange(text: string): string | undefined {
  const { essence } = parseMediaType(text);
  return essence !== undefined && /^(?:[^*/]+\/[^*]*\*?[^*]*|\*\/\*)$/.test(essence) ? essence : undefined;
}

function readMediaType(value: string): MediaType {
  const semicolon = value.indexOf(';');
  const type = trimBlanks(value, semicolon === -1 ? value.length : semicolon);
  const slash = type.indexOf('/');
  // The check comes before `toLowerCase`, which converts the Kelvin sign to an ASCII letter.
  if (slash === -1 || !token.test(type.slice(0, slash)) || !token.test(type.slice(slash + 1)))
    return invalidMediaType;
  const essence = type.toLowerCase();
  const parameters = new Map<string, string>();
  if (semicolon !== -1) {
    for (const [, name, text] of value.slice(semicolon).matchAll(parameter)) {
      parameters.set(name!.toLowerCase(), unquote(text!));
    }
  }
  let text = essence;
  for (const [name, value] of parameters) text += `; ${name}="${value.replace(/["\\]/g, '\\$&')}"`;
  return { essence, parameters, text };
}

/** Returns the text up to `end` without spaces and tabs around it, which are the only white space in HTTP (RFC 9110, 5.6.3). */
function trimBlanks(text: string, end: number): string {
  let from = 0;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the content of a quoted string, without the backslashes of quoted pairs (RFC 9110, 5.6.4). */
function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
}
