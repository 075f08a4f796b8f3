/** Writes the head of a whole response, with the same bytes as node would. */
import { type Server, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';

/** The value of a field of a response. A list is sent as several lines of that name. */
export type FieldValue = string | number | readonly string[];
/** The fields of a response. Names may be in upper or lower case. */
export interface AnswerFields {
  readonly [name: string]: FieldValue | undefined;
}

/** The settings of a server that a response announces in `Keep-Alive`. */
type KeepAliveSettings = Pick<Server, 'keepAliveTimeout' | 'maxRequestsPerSocket'>;

/**
 * Whether a response with this status has neither content nor a length (RFC 9110, 6.4.1 and 8.6). A status below 200 is not a final response,
 * so node handles it. 205 has no content either, but states the length 0, as any response without payload does.
 */
export function hasNoLength(status: number): boolean {
  return status === 204 || status === 304;
}

// HOT: once per whole response.
/**
 * Writes the head of a response whose payload is known.
 *
 * @param answer Gets whether the head contains only ASCII. Node writes other characters as Latin-1.
 * @param lengthBytes The length of the payload.
 * @returns The head with its empty line; `undefined` if node must write it.
 * @throws node's own errors for invalid names and values.
 */
export function writeHead(
  answer: { isHeadAscii: boolean; readonly isLast: boolean },
  status: number,
  fields: AnswerFields,
  lengthBytes: number,
  answersHead: boolean,
  server: KeepAliveSettings,
): string | undefined {
  if (!(status >= 200 && status <= 999) || !Number.isInteger(status)) return undefined;
  let head = statusLine(status);
  let hasLength = false;
  let hasDate = false;
  answer.isHeadAscii = true;
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    const value = fields[key];
    const name = fieldName(key);
    if (name.kind === 'node-only') return undefined;
    if (name.kind === 'length') {
      // A response to HEAD may state the length that the content would have. Otherwise, `respondThroughNode` omits a wrong length. Compared
      // as texts, because a length is nothing but digits (RFC 9110, 8.6), and `Number` also reads 0x5 and 5.0.
      if (!answersHead && String(value) !== String(lengthBytes)) return undefined;
      hasLength = true;
    } else if (name.kind === 'date') hasDate = true;
    if (typeof value === 'string' || typeof value === 'number') {
      head += name.writeLine(value);
      if (!name.isAscii) answer.isHeadAscii = false;
    } else if (name.kind === 'cookies' && Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        head += name.writeLine(value[i]);
        if (!name.isAscii) answer.isHeadAscii = false;
      }
    } else return undefined;
  }
  if (!hasDate) head += dateLine();
  head += answer.isLast ? 'Connection: close\r\n' : keepAliveLines(server);
  return hasLength || answersHead || hasNoLength(status)
    ? `${head}\r\n`
    : `${head}Content-Length: ${lengthBytes}\r\n\r\n`;
}

const statusLines: (string | undefined)[] = new Array(1000).fill(undefined);

function statusLine(status: number): string {
  statusLines[status] ??= `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  return statusLines[status];
}

/**
 * How the engine treats a field. `plain`: one line. `length`, `date`: the engine must know whether the field is set.
 * `cookies`: one line for each value of a list. `node-only`: node must write the response, because the field affects the
 * connection or the transfer, or because node writes it in its own way.
 */
type FieldKind = 'plain' | 'length' | 'date' | 'cookies' | 'node-only';

const kinds: Readonly<Record<string, FieldKind>> = {
  __proto__: null as never, // A field may have the name of a method of objects.
  'content-length': 'length',
  date: 'date',
  'set-cookie': 'cookies',
  connection: 'node-only',
  'transfer-encoding': 'node-only',
  'keep-alive': 'node-only',
  trailer: 'node-only',
  expect: 'node-only',
};

const nonAscii = /[^\t\x20-\x7e]/;

/** A valid field name, and the last line that was written for it, because most responses repeat it. */
class FieldName {
  readonly kind: FieldKind;
  readonly #name: string;
  /** Whether the last line contains only ASCII. */
  isAscii = true;
  #value: string | number | undefined = undefined;
  #line = '';

  /** @throws node's own error if the name is invalid. */
  constructor(name: string) {
    validateHeaderName(name);
    this.#name = name;
    this.kind = kinds[name.toLowerCase()] ?? 'plain';
  }

  // HOT: once per field of a response.
  /**
   * Returns the line of a value, with CRLF at its end.
   *
   * @throws node's own error if the value is invalid.
   */
  writeLine(value: string | number): string {
    if (this.#value === value) return this.#line;
    validateHeaderValue(this.#name, value as string);
    this.isAscii = typeof value === 'number' || !nonAscii.test(value);
    const line = `${this.#name}: ${value}\r\n`;
    // A long value is rarely repeated, so keeping it would waste memory.
    if (line.length <= 200) {
      this.#value = value;
      this.#line = line;
    } else this.#value = undefined;
    return line;
  }
}

const names: Map<string, FieldName> = new Map();
const maxNames = 500;

// HOT: once per field of a response.
/** @throws node's own error if the name is invalid. */
function fieldName(name: string): FieldName {
  const cached = names.get(name);
  if (cached !== undefined) return cached;
  const created = new FieldName(name);
  // The limit keeps an application that invents names from filling the memory.
  if (names.size < maxNames) names.set(name, created);
  return created;
}

let date = '';

/** The `Date` line, which changes once per second. */
function dateLine(): string {
  if (date === '') {
    const now = new Date();
    date = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(clearDate, 1000 - now.getMilliseconds()).unref();
  }
  return date;
}

function clearDate(): void {
  date = '';
}

let cachedLines = '';
let cachedTimeoutMs = -1;
let cachedMaxRequests: number | null = -1;

function keepAliveLines({ keepAliveTimeout, maxRequestsPerSocket }: KeepAliveSettings): string {
  if (keepAliveTimeout !== cachedTimeoutMs || maxRequestsPerSocket !== cachedMaxRequests) {
    cachedLines = makeKeepAliveLines(keepAliveTimeout, maxRequestsPerSocket);
    cachedTimeoutMs = keepAliveTimeout;
    cachedMaxRequests = maxRequestsPerSocket;
  }
  return cachedLines;
}

function makeKeepAliveLines(timeoutMs: number, maxRequests: number | null): string {
  if (!timeoutMs) return 'Connection: keep-alive\r\n';
  const max = ~~maxRequests! > 0 ? `, max=${maxRequests}` : '';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeoutMs / 1000)}${max}\r\n`;
}
