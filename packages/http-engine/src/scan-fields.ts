/** Scans field blocks with a strict grammar. If a block does not match it, the connection goes to node, with a reason. */
import { codeOf, incomplete, invalidHost } from './reasons.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

// Tables of the bytes that each part of the grammar allows. The index is the byte.

/** `tchar` of RFC 9110, 5.6.2: the characters of field names. */
const isTokenByte = tableOf("!#$%&'*+-.^_`|~");
/** `field-vchar` and spaces (RFC 9110, 5.5). No control character, not even a tab. */
const isValueByte = new Uint8Array(256).fill(1, 0x20).fill(0, 0x7f, 0x80);
/** The characters of a registered name in a URI (RFC 3986, 3.2.2). */
const isHostByte = tableOf("-._~!$&'()*+,;=%");
/** The characters between the brackets of an address: IPv6, or a future version. */
const isBracketedByte = tableOf(":-._~!$&'()*+,;=%");

/** The table of letters, digits and these characters. */
function tableOf(others: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(alphanumeric + others)) table[byte] = 1;
  return table;
}

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

// HOT: once per request whose fields differ from the last ones of its connection.
/** Reads one field block, and keeps what it says about its message. */
export class FieldScan {
  /** The positions at which names and values begin and end: four numbers per field. */
  readonly offsets: number[] = [];
  contentLength = 0;
  /** Whether the client wants the connection closed after the response. */
  saysClose = false;
  #hosts = 0;
  #hasValidHost = true;
  #lengths = 0;
  #connections = 0;
  /** The reason why this block goes to node. The scan continues after it, to check Host. */
  #reason = 0;

  /**
   * Reads a field block, with the empty line at its end.
   *
   * @param maxFields A block with more fields goes to node.
   * @returns The position after it; `incomplete`; or the code of a reason, which is negative.
   */
  read(bytes: Uint8Array, start: number, maxFields: number): number {
    const end = bytes.length;
    let at = start;
    while (at < end) {
      if (bytes[at] === CR) {
        if (at + 1 === end) return incomplete;
        return bytes[at + 1] === LF ? this.#conclude(at + 2) : badName;
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
      this.offsets.push(nameStart, nameEnd, valueStart, valueEnd);
      this.#recordField(bytes, nameStart, nameEnd, valueStart, valueEnd);
      at += 2;
      if (this.offsets.length > maxFields * 4) return tooMany;
    }
    return incomplete;
  }

  /** Makes the checks that need the whole block. An invalid Host is rejected whether the engine or node serves the request. */
  #conclude(end: number): number {
    if (this.#hosts > 1 || !this.#hasValidHost) return invalidHost;
    if (this.#reason !== 0) return this.#reason;
    return this.#hosts === 0 ? noHost : end;
  }

  /** Records a field that affects the message or its connection. Most other fields are excluded by the length of their names. */
  #recordField(bytes: Uint8Array, start: number, nameEnd: number, valueStart: number, end: number): void {
    switch (nameEnd - start) {
      case 4:
        if (isName(bytes, start, 'host')) this.#recordHost(bytes, valueStart, end);
        break;
      case 6:
        if (isName(bytes, start, 'expect')) this.#reason ||= hasExpect;
        break;
      case 7:
        if (isName(bytes, start, 'upgrade')) this.#reason ||= hasUpgrade;
        break;
      case 10:
        if (isName(bytes, start, 'connection')) this.#recordConnection(bytes, valueStart, end);
        break;
      case 14:
        if (isName(bytes, start, 'content-length')) this.#recordLength(bytes, valueStart, end);
        break;
      case 16:
        // Node's parser treats it as Connection.
        if (isName(bytes, start, 'proxy-connection')) this.#reason ||= badConnection;
        break;
      case 17:
        if (isName(bytes, start, 'transfer-encoding')) this.#reason ||= hasTransferEncoding;
        break;
    }
  }

  #recordHost(bytes: Uint8Array, start: number, end: number): void {
    this.#hosts++;
    if (!isHost(bytes, start, end)) this.#hasValidHost = false;
  }

  #recordConnection(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    const isClose = length === 5 && isName(bytes, start, 'close');
    const isKnown = isClose || (length === 10 && isName(bytes, start, 'keep-alive'));
    if (++this.#connections > 1 || !isKnown) this.#reason ||= badConnection;
    this.saysClose = isClose;
  }

  #recordLength(bytes: Uint8Array, start: number, end: number): void {
    const digits = end - start;
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (!isDigit(byte)) this.#reason ||= badLength;
      length = length * 10 + (byte - 0x30);
    }
    if (++this.#lengths > 1 || digits === 0 || digits > longestLength) this.#reason ||= badLength;
    this.contentLength = length;
  }
}

/** Whether the bytes at a position are this lower-case text of letters and `-`, in upper or lower case. */
function isName(bytes: Uint8Array, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const expected = name.charCodeAt(i);
    const byte = bytes[start + i]!;
    // A hyphen has no upper case. The byte 0x0d differs from it only in this bit, but is not allowed in a token.
    if ((byte | 0x20) !== expected) return false;
  }
  return true;
}

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

// HOT: once per field block that is not a repetition of the last.
/** Whether the bytes are `uri-host [ ":" port ]` (RFC 9112, 3.2). An empty host is valid. */
export function isHost(bytes: Uint8Array, start: number, end: number): boolean {
  let i = start;
  if (i < end && bytes[i] === OPENING_BRACKET) {
    i++;
    const first = i;
    while (i < end && isBracketedByte[bytes[i]!] === 1) i++;
    if (i === first || i === end || bytes[i] !== CLOSING_BRACKET) return false;
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
