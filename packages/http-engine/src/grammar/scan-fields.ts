/** Scans field blocks with a strict grammar. If a block does not match it, the connection goes to node, with a reason. */
import { COLON, CR, isDigit, isTokenByte, isValueByte, LF, SPACE } from './characters.ts';
import { isHost } from './host.ts';
import { codeOf, incomplete, invalidHost } from './reasons.ts';

const badName = codeOf('field-name');
const badValue = codeOf('field-value');
const tooMany = codeOf('too-many-fields');
const noHost = codeOf('host-missing');
const badLength = codeOf('content-length');
const badConnection = codeOf('connection-field');
const hasTransferEncoding = codeOf('transfer-encoding');
const hasUpgrade = codeOf('upgrade');
const hasExpect = codeOf('expect');

/** A number with more digits cannot be the length of a body, and JavaScript numbers cannot hold it exactly. */
const longestLength = 15;

/** What a field block says about its message. */
export interface FieldFacts {
  /** The positions at which names and values begin and end: four numbers per field. */
  offsets: number[];
  contentLength: number;
  /** Whether the client wants the connection closed after the response. */
  saysClose: boolean;
}

class Scan implements FieldFacts {
  offsets: number[] = [];
  contentLength = 0;
  saysClose = false;
  hosts = 0;
  hasValidHost = true;
  lengths = 0;
  connections = 0;
  /** The reason why this block goes to node. The scan continues after it, to check Host. */
  reason = 0;
}

let scan: Scan = new Scan();

/** The facts of the last complete block. The next scan creates new ones. */
export function takeFacts(): FieldFacts {
  return scan;
}

// HOT: once per request whose fields differ from the last ones of its connection.
/**
 * Reads a field block, with the empty line at its end.
 *
 * @param maxFields A block with more fields goes to node.
 * @returns The position after it; `incomplete`; or the code of a reason, which is negative.
 */
export function scanFields(bytes: Uint8Array, start: number, end: number, maxFields: number): number {
  scan = new Scan();
  let at = start;
  while (at < end) {
    if (bytes[at] === CR) {
      if (at + 1 === end) return incomplete;
      return bytes[at + 1] === LF ? conclude(at + 2) : badName;
    }
    const nameStart = at;
    while (at < end && isTokenByte[bytes[at]!] === 1) at++;
    if (at === end) return incomplete;
    if (bytes[at] !== COLON || at === nameStart) return badName;
    const nameEnd = at++;
    while (at < end && bytes[at] === SPACE) at++;
    const valueStart = at;
    while (at < end && isValueByte[bytes[at]!] === 1) at++;
    if (at === end) return incomplete;
    if (bytes[at] !== CR) return badValue;
    if (at + 1 === end) return incomplete;
    if (bytes[at + 1] !== LF) return badValue;
    let valueEnd = at;
    while (valueEnd > valueStart && bytes[valueEnd - 1] === SPACE) valueEnd--;
    scan.offsets.push(nameStart, nameEnd, valueStart, valueEnd);
    recordField(bytes, nameStart, nameEnd, valueStart, valueEnd);
    at += 2;
    if (scan.offsets.length > maxFields * 4) return tooMany;
  }
  return incomplete;
}

/** Makes the checks that need the whole block. An invalid Host is rejected whether the engine or node serves the request. */
function conclude(end: number): number {
  if (scan.hosts > 1 || !scan.hasValidHost) return invalidHost;
  if (scan.reason !== 0) return scan.reason;
  if (scan.hosts === 0) return noHost;
  return end;
}

/** Records a field that affects the message or its connection. Most other fields are excluded by the length of their names. */
function recordField(
  bytes: Uint8Array,
  start: number,
  nameEnd: number,
  valueStart: number,
  end: number,
): void {
  switch (nameEnd - start) {
    case 4:
      if (isName(bytes, start, 'host')) recordHost(bytes, valueStart, end);
      break;
    case 6:
      if (isName(bytes, start, 'expect')) scan.reason ||= hasExpect;
      break;
    case 7:
      if (isName(bytes, start, 'upgrade')) scan.reason ||= hasUpgrade;
      break;
    case 10:
      if (isName(bytes, start, 'connection')) recordConnection(bytes, valueStart, end);
      break;
    case 14:
      if (isName(bytes, start, 'content-length')) recordLength(bytes, valueStart, end);
      break;
    case 16:
      // Node's parser treats it as Connection.
      if (isName(bytes, start, 'proxy-connection')) scan.reason ||= badConnection;
      break;
    case 17:
      if (isName(bytes, start, 'transfer-encoding')) scan.reason ||= hasTransferEncoding;
      break;
  }
}

/**
 * Whether the bytes at a position are this lower-case text, in upper or lower case. The text contains only letters and
 * `-`.
 */
function isName(bytes: Uint8Array, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const expected = name.charCodeAt(i);
    const byte = bytes[start + i]!;
    // A hyphen has no upper case. The byte 0x0d differs from it only in this bit, but is not allowed in a token.
    if ((byte | 0x20) !== expected) return false;
  }
  return true;
}

function recordHost(bytes: Uint8Array, start: number, end: number): void {
  scan.hosts++;
  if (!isHost(bytes, start, end)) scan.hasValidHost = false;
}

function recordConnection(bytes: Uint8Array, start: number, end: number): void {
  const length = end - start;
  const isClose = length === 5 && isName(bytes, start, 'close');
  const isKnown = isClose || (length === 10 && isName(bytes, start, 'keep-alive'));
  if (++scan.connections > 1 || !isKnown) scan.reason ||= badConnection;
  scan.saysClose = isClose;
}

function recordLength(bytes: Uint8Array, start: number, end: number): void {
  const digits = end - start;
  let length = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (!isDigit(byte)) scan.reason ||= badLength;
    length = length * 10 + (byte - 0x30);
  }
  if (++scan.lengths > 1 || digits === 0 || digits > longestLength) scan.reason ||= badLength;
  scan.contentLength = length;
}
