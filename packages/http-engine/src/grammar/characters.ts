/** Tables of the bytes that each part of the grammar allows. The index is the byte. */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COLON = 0x3a;
export const SLASH = 0x2f;

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1;
  return table;
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `tchar` of RFC 9110, 5.6.2: the characters of field names. */
export const isTokenByte: Uint8Array = tableOf(`!#$%&'*+-.^_\`|~${digits}${letters}`);

/** Visible ASCII: the characters of a target. */
export const isTargetByte: Uint8Array = new Uint8Array(256).fill(1, 0x21, 0x7f);

/** `field-vchar` and spaces (RFC 9110, 5.5). No control character, not even a tab. */
export const isValueByte: Uint8Array = new Uint8Array(256).fill(1, 0x20).fill(0, 0x7f, 0x80);

/** The characters of a registered name in a URI (RFC 3986, 3.2.2). */
export const isHostByte: Uint8Array = tableOf(`-._~!$&'()*+,;=%${digits}${letters}`);

/** The characters between the brackets of an address: IPv6, or a future version. */
export const isBracketedByte: Uint8Array = tableOf(`:-._~!$&'()*+,;=%${digits}${letters}`);

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
