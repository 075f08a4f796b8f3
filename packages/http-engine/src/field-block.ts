/** The header fields of a request: the bytes as they arrived, and the objects that are created from them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldScan } from './scan-fields.ts';

/** A shorter block is compared in JavaScript, because a call into the runtime takes longer (benchmark `get`). */
const shortBlockBytes = 100;

/** After this many calls of `find`, a block is likely to be repeated, and an object of its fields is worth its cost. */
const findsBeforeTemplate = 4;

/**
 * A field block, shared by the requests of a connection that repeat it byte for byte. It never changes: objects that it returns are
 * created anew for each request.
 */
export class FieldBlock {
  readonly contentLength: number;
  readonly saysClose: boolean;
  /** The length of the block in bytes, with the empty line at its end. */
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #offsets: readonly number[];
  /** Whether the values of every name that is sent twice are joined, not only those of lists (node's `joinDuplicateHeaders`). */
  readonly #joinsAll: boolean;
  #text: string | undefined = undefined;
  /** The object that `copyHeaders` copies. It is created when a second request reads headers, or after a few calls of `find`. */
  #template: IncomingHttpHeaders | undefined = undefined;
  #wasCopied = false;
  #finds = 0;

  constructor(bytes: Buffer, start: number, end: number, scan: FieldScan, joinsAll: boolean) {
    // A block that lives longer than its request must not keep other memory alive: the same memory may contain a body.
    const isShared = bytes.length > 2 * (end - start) + 1024;
    this.#bytes = isShared ? Buffer.from(bytes.subarray(start, end)) : bytes;
    const shift = isShared ? start : 0;
    this.#start = start - shift;
    this.#offsets = shift === 0 ? scan.offsets : scan.offsets.map((offset) => offset - shift);
    this.#joinsAll = joinsAll;
    this.length = end - start;
    this.contentLength = scan.contentLength;
    this.saysClose = scan.saysClose;
  }

  // HOT: once per request after the first of a connection.
  /** Whether these bytes repeat the block. */
  isRepeatedAt(bytes: Buffer, start: number): boolean {
    const end = start + this.length;
    // If they are equal, both end with an empty line. Two reads detect most differences without a call into the runtime.
    if (end > bytes.length || bytes[end - 1] !== 0x0a || bytes[end - 3] !== 0x0a) return false;
    return this.length < shortBlockBytes
      ? this.#isEqualAt(bytes, start)
      : this.#bytes.compare(bytes, start, end, this.#start, this.#start + this.length) === 0;
  }

  #isEqualAt(bytes: Buffer, start: number): boolean {
    const own = this.#bytes;
    const ownStart = this.#start;
    for (let i = 0; i < this.length; i++) if (bytes[start + i] !== own[ownStart + i]) return false;
    return true;
  }

  /** The value of a field, as in `headers`; `undefined` if there is none. */
  find(name: string): string | undefined {
    if (this.#template === undefined && ++this.#finds > findsBeforeTemplate)
      this.#template = this.#buildHeaders();
    if (this.#template !== undefined) return textOf(this.#template[name]);
    const offsets = this.#offsets;
    let firstValue: string | undefined;
    for (let i = 0; i < offsets.length; i += 4) {
      if (offsets[i + 1]! - offsets[i]! !== name.length || !this.#isNameAt(offsets[i]!, name)) continue;
      const value = this.#slice(offsets[i + 2]!, offsets[i + 3]!);
      if (firstValue !== undefined) return textOf(this.#buildHeaders()[name]);
      firstValue = value;
    }
    return firstValue;
  }

  #isNameAt(start: number, name: string): boolean {
    for (let i = 0; i < name.length; i++) {
      let byte = this.#bytes[start + i]!;
      if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20;
      if (byte !== name.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Creates an object like node's `message.headers`. */
  copyHeaders(): IncomingHttpHeaders {
    if (this.#template === undefined) {
      const headers = this.#buildHeaders();
      if (!this.#wasCopied) this.#wasCopied = true;
      else this.#template = this.#buildHeaders();
      return headers;
    }
    const headers = { ...this.#template };
    const cookies = headers['set-cookie'];
    if (cookies !== undefined) headers['set-cookie'] = [...cookies];
    return headers;
  }

  #buildHeaders(): IncomingHttpHeaders {
    const headers: IncomingHttpHeaders = {};
    const offsets = this.#offsets;
    for (let i = 0; i < offsets.length; i += 4) {
      const name = toLowerCase(this.#slice(offsets[i]!, offsets[i + 1]!));
      const value = this.#slice(offsets[i + 2]!, offsets[i + 3]!);
      const existing = headers[name];
      if (name === 'set-cookie') {
        headers[name] ??= [];
        headers[name].push(value);
      } else if (typeof existing !== 'string') headers[name] = value;
      else headers[name] = joinValues(name, existing, value, this.#joinsAll);
    }
    return headers;
  }

  /** Creates a list like node's `message.rawHeaders`: names as they arrived, and values, alternating. */
  listRaw(): string[] {
    const offsets = this.#offsets;
    const list: string[] = [];
    for (let i = 0; i < offsets.length; i += 2) list.push(this.#slice(offsets[i]!, offsets[i + 1]!));
    return list;
  }

  #slice(start: number, end: number): string {
    this.#text ??= this.#bytes.toString('latin1', this.#start, this.#start + this.length);
    return this.#text.slice(start - this.#start, end - this.#start);
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Lower-case names that were used before, because most clients send the same few names. */
const knownNames: Map<string, string> = new Map();
const maxKnownNames = 500;

function toLowerCase(name: string): string {
  const cached = knownNames.get(name);
  if (cached !== undefined) return cached;
  const lower = name.toLowerCase();
  // The limit keeps a client that invents names from filling the memory.
  if (knownNames.size < maxKnownNames && name.length <= 40) knownNames.set(name, lower);
  return lower;
}

/** For these names, the first value is used (node's documentation of `message.headers`). */
const singular: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/** Returns the value of a name that has a value already: one value, as in node's `message.headers`. `set-cookie` is always a list. */
function joinValues(name: string, first: string, next: string, joinsAll: boolean): string {
  if (name === 'cookie') return `${first}; ${next}`;
  return joinsAll || !singular.has(name) ? `${first}, ${next}` : first;
}
