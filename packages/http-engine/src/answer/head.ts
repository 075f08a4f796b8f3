/** Writes the head of a whole response, with the same bytes as node would. */
import { STATUS_CODES } from 'node:http';
import { dateLine } from './date.ts';
import { type AnswerFields, type FieldName, type FieldValue, fieldName } from './field-lines.ts';

/** The settings that a response announces in `Keep-Alive`. */
export interface KeepAliveSettings {
  readonly keepAliveTimeoutMs: number;
  readonly maxRequests: number;
}

const statusLines: (string | undefined)[] = new Array(1000).fill(undefined);

function statusLine(status: number): string {
  statusLines[status] ??= `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  return statusLines[status];
}

/**
 * Whether a response with this status has no content (RFC 9110, 6.4.1). A status below 200 is not a final response, so
 * node handles it.
 */
export function isWithoutContent(status: number): boolean {
  return status === 204 || status === 304;
}

let isAscii = true;

/** Whether the last head contains only ASCII. Node writes other characters as Latin-1. */
export function isLastHeadAscii(): boolean {
  return isAscii;
}

// HOT: once per whole response.
/**
 * Writes the head of a response whose payload is known.
 *
 * @param length Bytes of the payload; undefined if the head must not state it.
 * @returns The head with its empty line; `undefined` if node must write it.
 * @throws node's own errors for invalid names and values.
 */
export function writeHead(
  status: number,
  fields: AnswerFields,
  length: number | undefined,
  isHead: boolean,
  isLast: boolean,
  connection: KeepAliveSettings,
): string | undefined {
  if (!(status >= 200 && status <= 999) || !Number.isInteger(status)) return undefined;
  let head = statusLine(status);
  let hasLength = false;
  let hasDate = false;
  isAscii = true;
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    const value = fields[key];
    const name = fieldName(key);
    if (name.kind === 'node-only') return undefined;
    if (name.kind === 'length') {
      // A response to HEAD may state the length that the content would have. Otherwise, a wrong length is left to node's objects, which
      // omit it.
      if (!isHead && Number(value) !== length) return undefined;
      hasLength = true;
    } else if (name.kind === 'date') hasDate = true;
    const lines = writeLines(name, value);
    if (lines === undefined) return undefined;
    head += lines;
    if (!name.isAscii) isAscii = false;
  }
  if (!hasDate) head += dateLine();
  head += isLast ? 'Connection: close\r\n' : keepAliveLines(connection);
  return hasLength || length === undefined || isHead || isWithoutContent(status)
    ? `${head}\r\n`
    : `${head}Content-Length: ${length}\r\n\r\n`;
}

function writeLines(name: FieldName, value: FieldValue | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return name.writeLine(value);
  if (name.kind !== 'cookies' || !Array.isArray(value)) return undefined;
  let lines = '';
  for (let i = 0; i < value.length; i++) {
    lines += name.writeLine(value[i] as string);
    if (!name.isAscii) isAscii = false;
  }
  return lines;
}

let cachedLines = '';
let cachedTimeoutMs = -1;
let cachedMaxRequests = -1;

function keepAliveLines(connection: KeepAliveSettings): string {
  const { keepAliveTimeoutMs, maxRequests } = connection;
  if (keepAliveTimeoutMs !== cachedTimeoutMs || maxRequests !== cachedMaxRequests) {
    cachedLines = makeKeepAliveLines(keepAliveTimeoutMs, maxRequests);
    cachedTimeoutMs = keepAliveTimeoutMs;
    cachedMaxRequests = maxRequests;
  }
  return cachedLines;
}

function makeKeepAliveLines(timeoutMs: number, maxRequests: number): string {
  if (!timeoutMs) return 'Connection: keep-alive\r\n';
  const max = ~~maxRequests > 0 ? `, max=${maxRequests}` : '';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeoutMs / 1000)}${max}\r\n`;
}
