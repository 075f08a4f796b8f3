/** The response object of our HTTP/1.1 servers: node's own, but head and text leave with one write instead of two. */
import { ServerResponse } from 'node:http';

/** Where node keeps a head between `writeHead` and the first write; a node without these fields loses the gain only. */
interface HeldHead {
  /** Status line and fields. */
  _header?: string | null;
  _headerSent?: boolean;
  /** False where the method or the status has no content (RFC 9110, 6.4.1). */
  _hasBody?: boolean;
}

/** A longer text costs more to look through again than the head does by itself. */
const longLength = 512;

export class OneWriteResponse extends ServerResponse {
  /** A text that is known to be ASCII. */
  asciiText: string | undefined = undefined;

  /**
   * HOT: once per response. Until Node 24 `end(text)` writes twice, the text and an empty string that reports the end,
   * and so goes through `writev`: 8 % of the CPU time of benchmark `get`. A text behind the waiting head needs one write.
   */
  override end(text?: unknown, encoding?: unknown, callback?: unknown): this {
    const isText = typeof text === 'string' && (encoding == null || encoding === 'utf8');
    const whole = isText ? joinHead(this, text) : undefined;
    if (whole === undefined) return super.end(text, encoding as BufferEncoding, callback as () => void);
    (this as HeldHead)._header = whole;
    return super.end(callback as () => void);
  }
}

/**
 * The head and the text behind it, where a head waits whose length node does not check, and all is ASCII. Node writes such a head
 * as Latin-1, but with a text behind it as UTF-8: only where the two are the same is the answer the same.
 */
function joinHead(response: OneWriteResponse, text: string): string | undefined {
  const { _header, _headerSent, _hasBody } = response as HeldHead;
  const isWaiting =
    typeof _header === 'string' &&
    _headerSent === false &&
    _hasBody === true &&
    !response.chunkedEncoding &&
    !response.strictContentLength &&
    !response.writableEnded;
  if (!isWaiting) return undefined;
  const whole = _header + text;
  const isKnown = text.length > longLength && text === response.asciiText;
  return isAscii(isKnown ? _header : whole) ? whole : undefined;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
