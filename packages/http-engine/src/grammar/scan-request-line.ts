/**
 * Scans request lines: a method that the engine serves, a target that begins with a slash, and `HTTP/1.1`.
 */
import { isTargetByte, SLASH } from './characters.ts';
import type { MethodTable } from './methods.ts';
import { codeOf, incomplete } from './reasons.ts';

const badMethod = codeOf('method');
const badTarget = codeOf('target');
const badVersion = codeOf('version');

const lineEnd: Uint8Array = Buffer.from(' HTTP/1.1\r\n', 'latin1');

/** The parts of the last complete request line. */
class RequestLine {
  method = '';
  targetStart = 0;
  targetEnd = 0;
}

export const requestLine: RequestLine = new RequestLine();

// HOT: once per request.
/** @returns The position after the line; `incomplete`; or the code of a reason, which is negative. */
export function scanRequestLine(bytes: Uint8Array, start: number, end: number, methods: MethodTable): number {
  const method = methods.find(bytes, start, end);
  if (method === undefined) return badMethod;
  if (method === '') return incomplete;
  const targetStart = start + method.length + 1;
  if (targetStart === end) return incomplete;
  if (bytes[targetStart] !== SLASH) return badTarget;
  let at = targetStart + 1;
  while (at < end && isTargetByte[bytes[at]!] === 1) at++;
  for (let i = 0; i < lineEnd.length; i++) {
    if (at + i === end) return incomplete;
    if (bytes[at + i] !== lineEnd[i]) return i === 0 ? badTarget : badVersion;
  }
  requestLine.method = method;
  requestLine.targetStart = targetStart;
  requestLine.targetEnd = at;
  return at + lineEnd.length;
}
