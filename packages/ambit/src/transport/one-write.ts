/** Writes the head and the text of a response at once; the response object stays node's own. */
import { ServerResponse } from 'node:http';

/** Where node keeps a head between `writeHead` and the first write; a node without these fields loses the gain only. */
interface HeldHead extends ServerResponse {
  _header?: string | null;
  _headerSent?: boolean;
  /** False where the method or the status has no content (RFC 9110, 6.4.1). */
  _hasBody?: boolean;
}

/** A longer text costs more to look through again than the head does by itself. */
const longLength = 512;
const { end: endAsNodeDoes } = ServerResponse.prototype;

/**
 * HOT: once per response. Until Node 24 `end(text)` writes twice, the text and an empty string that reports the end, and so
 * goes through `writev`: 8 % of the CPU time of benchmark `get`. A text behind the waiting head needs one write.
 *
 * @param lengthBytes Of the text in UTF-8.
 */
export function endInOneWrite(response: HeldHead, text: string, lengthBytes: number | undefined): void {
  // A middleware that has put an `end` of its own in place is given the text.
  const whole = response.end === endAsNodeDoes ? joinHead(response, text, lengthBytes) : undefined;
  if (whole === undefined) response.end(text);
  else {
    response._header = whole;
    response.end();
  }
}

/**
 * The head and the text behind it, where a head waits whose length node does not check, and all is ASCII. Node writes such a head
 * as Latin-1, but with a text behind it as UTF-8: only where the two are the same is the answer the same.
 */
function joinHead(response: HeldHead, text: string, lengthBytes: number | undefined): string | undefined {
  const { _header } = response;
  const isWaiting =
    typeof _header === 'string' &&
    response._headerSent === false &&
    response._hasBody === true &&
    !response.chunkedEncoding &&
    !response.strictContentLength &&
    !response.writableEnded;
  if (!isWaiting) return undefined;
  const whole = _header + text;
  const isKnownAscii = text.length > longLength && text.length === lengthBytes;
  return isAscii(isKnownAscii ? _header : whole) ? whole : undefined;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
