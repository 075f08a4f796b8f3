/** Owns which bytes the grammar allows in which place, as tables with the byte as index. */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COLON = 0x3a;
export const SLASH = 0x2f;

function makeTable(isAllowed: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isAllowed(code) ? 1 : 0));
}

function isOneOf(characters: string): (code: number) => boolean {
  return (code) => characters.includes(String.fromCharCode(code));
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `tchar` of RFC 9110, 5.6.2: names of fields. */
export const isTokenByte: Uint8Array = makeTable(isOneOf(`!#$%&'*+-.^_\`|~${digits}${letters}`));

/** Visible ASCII: the characters of a target. */
export const isTargetByte: Uint8Array = makeTable((code) => code > 0x20 && code < 0x7f);

/** `field-vchar` and spaces (RFC 9110, 5.5). No control character, not even a tab. */
export const isValueByte: Uint8Array = makeTable((code) => code >= 0x20 && code !== 0x7f);

/** The characters of a registered name in a URI (RFC 3986, 3.2.2). */
export const isHostByte: Uint8Array = makeTable(isOneOf(`-._~!$&'()*+,;=%${digits}${letters}`));

/** The characters between the brackets of an address: IPv6, or a future version. */
export const isBracketedByte: Uint8Array = makeTable(isOneOf(`:-._~!$&'()*+,;=%${digits}${letters}`));

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
