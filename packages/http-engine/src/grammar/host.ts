/** Checks the value of a Host field: `uri-host [ ":" port ]` (RFC 9112, 3.2). */
import { COLON, isBracketedByte, isDigit, isHostByte } from './characters.ts';

const OPENING = 0x5b;
const CLOSING = 0x5d;

// HOT: once per field block that is not a repetition of the last.
/** Whether the bytes are a host, with or without a port. An empty host is valid (RFC 9112, 3.2). */
export function isHost(bytes: Uint8Array, start: number, end: number): boolean {
  let i = start;
  if (i < end && bytes[i] === OPENING) {
    i++;
    const first = i;
    while (i < end && isBracketedByte[bytes[i]!] === 1) i++;
    if (i === first || i === end || bytes[i] !== CLOSING) return false;
    i++;
  } else {
    while (i < end && isHostByte[bytes[i]!] === 1) i++;
  }
  if (i === end) return true;
  if (bytes[i] !== COLON) return false;
  i++;
  while (i < end && isDigit(bytes[i]!)) i++;
  return i === end;
}
