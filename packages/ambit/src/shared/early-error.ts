/** The response to an error before a reply exists, and the members of problem details (RFC 9457) that later ones have, too. */
import { statusText } from './http-facts.ts';

/** An error that is answered before a reply exists. */
export interface EarlyError {
  readonly status: number;
  readonly message: string;
  /** Absent if the error has no code that a client should see. */
  readonly code?: string | undefined;
  /** Absent if the request has no id yet. */
  readonly requestId?: string;
}

/** The header fields and the body of the response. */
export interface EarlyResponse {
  readonly fields: { 'content-type': string; 'content-length': string };
  readonly body: string;
}

/** Creates the response: JSON with its members in this order, or problem details (RFC 9457) if the application uses that format. */
export function earlyError(
  format: 'json' | 'problem',
  { status, message, code, requestId = '' }: EarlyError,
): EarlyResponse {
  const isProblem = format === 'problem';
  const title = statusText(status);
  const content = isProblem
    ? {
        type: blankType,
        title,
        status,
        // As in other problems, the message of a server error is not sent to clients.
        detail: status < 500 ? message : undefined,
        instance: problemInstance(requestId),
        code,
      }
    : { error: title, code, message, statusCode: status };
  const body = JSON.stringify(content);
  const type = isProblem ? problemMediaType : 'application/json';
  return { fields: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }, body };
}

/** Members that the framework writes: those of RFC 9457, 3.1, and two of its own. Extensions must not use these names. */
export const reservedMembers = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'code'] as const;

/** The media type of problem details, with the parameter that all our JSON has. */
export const problemMediaType = 'application/problem+json; charset=utf-8';

/** The type of a problem that is only described by its status (RFC 9457, 4.2.1). */
export const blankType = 'about:blank';

const uriReference = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;

/** Whether a value can be the type of a problem: a URI reference (RFC 3986, 4.1). */
export function isProblemType(value: unknown): value is string {
  return typeof value === 'string' && uriReference.test(value);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Creates the `instance` of a problem from the id of the request: the URN of a UUID (RFC 9562, 4). Any other id is only unique in its
 * process, so it is a fragment, relative to the URL of the request (RFC 9457, 3.1.5); other URN namespaces must be registered.
 */
export function problemInstance(requestId: string): string | undefined {
  if (requestId === '') return undefined;
  return uuid.test(requestId)
    ? `urn:uuid:${requestId.toLowerCase()}`
    : `#${encodeURIComponent(toWellFormed(requestId))}`;
}

/** Replaces each half of a surrogate pair by a replacement character, because `encodeURIComponent` throws for such a half. */
export function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}
