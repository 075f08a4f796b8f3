/** Parses the header `traceparent` (W3C Trace Context, 3.2). */

export interface TraceParent {
  /** The part of the header that every version has: version, trace id, parent id and flags. */
  readonly text: string;
  readonly traceId: string;
}

/** Lower case only. The version ff, and ids that consist of zeros only, are invalid. */
const grammar = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}/;
const lengthOfVersion00 = 55;

/** @returns `undefined` if the header is missing or invalid. An invalid trace must not appear in logs. */
export function parseTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string') return undefined;
  const match = grammar.exec(header);
  if (match === null) return undefined;
  // Later versions may append fields after another dash (4.1, versioning of traceparent).
  const isLonger = header.length > lengthOfVersion00;
  if (isLonger && (header.startsWith('00') || header[lengthOfVersion00] !== '-')) return undefined;
  return { text: match[0], traceId: match[1]! };
}
