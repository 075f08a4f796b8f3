/** What holds of the members of problem details (RFC 9457), wherever they come from. */

/** Members that the framework writes: those of RFC 9457, 3.1, and its own two. No extension has one of these names. */
export const reservedMembers = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'code'] as const;

/** The media type of problem details, with the parameter that all our JSON has. */
export const problemMediaType = 'application/problem+json; charset=utf-8';

/** The type of a problem that says no more than its status (RFC 9457, 4.2.1). */
export const blankType = 'about:blank';

const uriReference = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;

/** Whether a value can be the type of a problem: a URI reference (RFC 3986, 4.1). */
export function isProblemType(value: unknown): value is string {
  return typeof value === 'string' && uriReference.test(value);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The `instance` of a problem. A UUID has a registered URN (RFC 9562, 4). Any other id is unique only in its process; a fragment says so, since
 * it is relative to the URL of the request (RFC 9457, 3.1.5; RFC 8141, 5.1 reserves other URN namespaces for those who register them).
 */
export function instanceOf(requestId: string): string | undefined {
  if (requestId === '') return undefined;
  return uuid.test(requestId)
    ? `urn:uuid:${requestId.toLowerCase()}`
    : `#${encodeURIComponent(wellFormed(requestId))}`;
}

/** The text with a replacement character for each half of a surrogate pair: what encodes URIs throws for such a half. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
