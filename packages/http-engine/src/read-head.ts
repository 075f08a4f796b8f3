/** Reads the heads of one connection. It keeps the target and the fields of the last head, because most clients repeat them. */
import { FieldBlock } from './field-block.ts';
import { codeOf, incomplete } from './reasons.ts';
import { FieldScan } from './scan-fields.ts';

const badMethod = codeOf('method');
const badTarget = codeOf('target');
const badVersion = codeOf('version');

const SLASH = 0x2f;
/** Visible ASCII: the characters of a target. */
const isTargetByte = new Uint8Array(256).fill(1, 0x21, 0x7f);
const lineEnd: Uint8Array = Buffer.from(' HTTP/1.1\r\n', 'latin1');

/** What the server allows. */
interface HeadLimits {
  readonly fieldCount: number;
  readonly joinsDuplicates: boolean;
}

export class HeadReader {
  method = '';
  target = '';
  fields: FieldBlock | undefined = undefined;
  readonly #methods: MethodTable;
  readonly #limits: HeadLimits;

  constructor(methods: MethodTable, limits: HeadLimits) {
    this.#methods = methods;
    this.#limits = limits;
  }

  // HOT: once per request.
  /** @returns The position after the head; `incomplete`; or the code of a reason, which is negative. */
  read(bytes: Buffer, start: number): number {
    const fieldsStart = this.#scanRequestLine(bytes, start);
    if (fieldsStart <= 0) return fieldsStart;
    if (this.fields?.isRepeatedAt(bytes, fieldsStart)) return fieldsStart + this.fields.length;
    const limits = this.#limits;
    const scan = new FieldScan();
    const end = scan.read(bytes, fieldsStart, limits.fieldCount);
    if (end > 0) this.fields = new FieldBlock(bytes, fieldsStart, end, scan, limits.joinsDuplicates);
    return end;
  }

  /** Scans a method that the engine serves, a target that begins with a slash, and `HTTP/1.1`. */
  #scanRequestLine(bytes: Buffer, start: number): number {
    const end = bytes.length;
    const method = this.#methods.find(bytes, start, end);
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
    this.method = method;
    // Comparing is cheaper than creating a string (benchmark `get`).
    if (!isTextAt(bytes, targetStart, at, this.target))
      this.target = bytes.toString('latin1', targetStart, at);
    return at + lineEnd.length;
  }
}

function isTextAt(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The methods that the engine serves by default. */
export const defaultMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Node handles these methods in its own way, or they change the kind of connection. */
const neverServed: ReadonlySet<string> = new Set(['CONNECT', 'PRI', 'M-SEARCH', 'SOURCE']);

interface Method {
  readonly name: string;
  /** The name and the space after it. */
  readonly bytes: Uint8Array;
}

export class MethodTable {
  readonly #byFirstByte: (readonly Method[] | undefined)[] = new Array(256).fill(undefined);

  constructor(names: readonly string[]) {
    for (const name of names) {
      if (!/^[A-Z]+$/.test(name) || neverServed.has(name)) continue;
      const bytes = Buffer.from(`${name} `, 'latin1');
      const first = bytes[0]!;
      this.#byFirstByte[first] = [...(this.#byFirstByte[first] ?? []), { name, bytes }];
    }
  }

  // HOT: once per request.
  /**
   * @returns The method that the bytes begin with, if a space follows it; `''` if more bytes are needed to know; `undefined`
   *   for any other method.
   */
  find(bytes: Uint8Array, start: number, end: number): string | undefined {
    const candidates = this.#byFirstByte[bytes[start]!];
    if (candidates === undefined) return undefined;
    let result: string | undefined;
    for (let i = 0; i < candidates.length; i++) {
      const method = candidates[i]!;
      const limit = Math.min(method.bytes.length, end - start);
      let length = 0;
      while (length < limit && method.bytes[length] === bytes[start + length]) length++;
      if (length === method.bytes.length) return method.name;
      if (start + length === end) result = '';
    }
    return result;
  }
}
