/** Writes the head and the text of a response with one write, through node's own response object. */
import { ServerResponse } from 'node:http';

/** Where node stores a head between `writeHead` and the first write. A version of node without these fields writes twice. */
interface ResponseWithHead extends ServerResponse {
  _header?: string | null;
  _headerSent?: boolean;
  /** False if the method or the status has no content (RFC 9110, 6.4.1). */
  _hasBody?: boolean;
}

/** For a longer text whose length is known, only the head is checked for ASCII. */
const longTextLength = 512;
const { end: endAsNodeDoes } = ServerResponse.prototype;

/**
 * HOT: once per response. Until Node 24 `end(text)` writes twice, the text and an empty string that reports the end, and so
 * goes through `writev`: 8 % of the CPU time of benchmark `get`. A text that is appended to the waiting head needs one write.
 *
 * @param lengthBytes The length of the text in UTF-8, if it is known.
 */
export function endInOneWrite(
  response: ResponseWithHead,
  text: string,
  lengthBytes: number | undefined,
): void {
  // If middleware has replaced `end`, it must get the text.
  if (response.end !== endAsNodeDoes) {
    response.end(text);
    return;
  }
  const headAndText = joinHead(response, text, lengthBytes);
  if (headAndText === undefined) response.end(isAscii(response._header ?? '') ? text : Buffer.from(text));
  else {
    response._header = headAndText;
    response.end();
  }
}

/**
 * Returns the head and the text together, if a head is waiting, node does not check its length, and everything is ASCII. Node writes a head
 * as Latin-1, but a head with text as UTF-8: only for ASCII, the bytes are the same. With another head, the text is sent as bytes.
 */
function joinHead(
  response: ResponseWithHead,
  text: string,
  lengthBytes: number | undefined,
): string | undefined {
  const { _header } = response;
  const isWaiting =
    typeof _header === 'string' &&
    response._headerSent === false &&
    response._hasBody === true &&
    !response.chunkedEncoding &&
    !response.strictContentLength &&
    !response.writableEnded;
  if (!isWaiting) return undefined;
  const headAndText = _header + text;
  const isKnownAscii = text.length > longTextLength && text.length === lengthBytes;
  return isAscii(isKnownAscii ? _header : headAndText) ? headAndText : undefined;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
