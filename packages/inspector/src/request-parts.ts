/** What is stored of a request besides its URL and headers: the body, the response, and the error. All of it without secrets, and of limited size. */
import type { ErrorReport, Redactor } from '@ambit/readable';
import { type Reply, type Request, reportError } from 'ambit';
import type { RequestBody, RequestModel } from './model.ts';

/** The longest body that is stored, in bytes. */
const maxBodyBytes = 16 * 1024;
/** The longest texts of an error, and the number of frames. */
const maxTitle = 2_000;
const maxText = 500;
const maxFrames = 50;

/** Media types of responses that a client may leave at any time: events (WHATWG HTML, 9.2), and lines of JSON (RFC 7464). */
const streamType = /^\s*(?:text\/event-stream|application\/(?:jsonl|x-ndjson|json-seq))\b/i;

/** What is known of a response. */
export type ResponseParts = Pick<RequestModel, 'status' | 'responseHeaders' | 'bytes' | 'isStream'>;

export function isStream(reply: Reply): boolean {
  return streamType.test(String(reply.getHeader('content-type')));
}

export function describeResponse(
  reply: Reply,
  { method }: Request,
  redactor: Redactor,
  secrets: readonly string[],
): ResponseParts {
  const status = reply.statusCode;
  const headers = reply.getHeaders() as Record<string, string>;
  const hasContent = method !== 'HEAD' && status !== 204 && status !== 304;
  const length = String(headers['content-length']);
  return {
    status,
    responseHeaders: redactor.headers({ headers }, secrets),
    bytes: !hasContent ? 0 : /^\d{1,15}$/.test(length) ? Number(length) : null,
    isStream: isStream(reply),
  };
}

/** @returns `undefined` if the body has not been parsed, `null` if it is not stored. */
export function describeBody(
  { body, headers }: Request,
  redactor: Redactor,
  secrets: readonly string[],
): RequestBody | null | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'object' && !isPlain(body)) return null;
  const { value, isRedacted, isCut } = redactor.json('body', body, secrets, maxBodyBytes);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isCut || Buffer.byteLength(text) > maxBodyBytes) return null;
  return { type: String(headers['content-type'] ?? '').slice(0, maxText), text, isRedacted };
}

/** Bytes, streams and forms of other libraries are no text. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

export function describeError(error: unknown, redactor: Redactor, secrets: readonly string[]): ErrorReport {
  return copyReport(
    reportError(error),
    (text, length) => redactor.text(text.slice(0, length), secrets),
    redactor,
  );
}

function copyReport(
  { title, name, advice, code, frame, where, docs, stack, cause, others }: ErrorReport,
  text: (text: string, length: number) => string,
  redactor: Redactor,
): ErrorReport {
  const copyOf = (report: ErrorReport): ErrorReport => copyReport(report, text, redactor);
  return {
    title: text(title, maxTitle),
    name: text(name, maxText),
    ...(advice !== undefined && { advice: text(advice, maxTitle) }),
    ...(code !== undefined && { code: text(code, maxText) }),
    ...(frame !== undefined && isShort(frame) && { frame }),
    ...(where !== undefined && {
      where: redactor.json('log', where).value as NonNullable<ErrorReport['where']>,
    }),
    ...(docs !== undefined && { docs }),
    stack: { ...stack, frames: stack.frames.slice(0, maxFrames).map(shortFrame) },
    ...(cause !== undefined && { cause: copyOf(cause) }),
    ...(others !== undefined && { others: others.slice(0, 10).map(copyOf) }),
  };
}

/** Lines of code that a tool has written may be very long, and nobody reads them. */
function isShort({ lines }: NonNullable<ErrorReport['frame']>): boolean {
  return lines.every(({ text }) => text.length <= maxText);
}

function shortFrame(frame: ErrorReport['stack']['frames'][number]): typeof frame {
  const { function: name, file } = frame;
  return {
    ...frame,
    file: file.slice(0, maxText),
    ...(name !== undefined && { function: name.slice(0, maxText) }),
  };
}
