// Reads HTTP/1.1 responses: finds the end of a response with Content-Length or chunks, and its content.

/** A server sent another response than the scenario requires. Only this failure ends the benchmark. */
export class WrongResponse extends Error {
  name = 'WrongResponse';
}

/**
 * Reads the first response in the received bytes. Bodies of the benchmark are ASCII, so each character is one byte.
 *
 * @param {Buffer} bytes
 * @returns `undefined` until the response is complete.
 */
export function readResponse(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.latin1Slice(0, headEnd + 2);
  const bodyStart = headEnd + 4;
  const length = readHeader(head, 'content-length');
  const content =
    length === undefined ? readChunks(bytes, bodyStart, head) : readLength(bytes, bodyStart, Number(length));
  if (content === undefined) return undefined;
  return {
    status: Number(head.slice(9, 12)),
    type: readHeader(head, 'content-type') ?? '',
    body: content.body,
    size: content.end,
  };
}

/** @returns {string | undefined} */
function readHeader(/** @type {string} */ head, /** @type {string} */ name) {
  return new RegExp(`\r\n${name}: *([^\r]*)\r\n`, 'i').exec(head)?.[1];
}

function readLength(bytes, start, length) {
  const end = start + length;
  return bytes.length < end ? undefined : { body: bytes.latin1Slice(start, end), end };
}

/** Reads a body in chunks (RFC 9112, section 7.1). No peer sends extensions or trailers. */
function readChunks(bytes, start, head) {
  if (readHeader(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') {
    throw new WrongResponse(`a response without content-length that is not in chunks:\n${head}`);
  }
  let body = '';
  let position = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.latin1Slice(position, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body, end: next };
    body += bytes.latin1Slice(lineEnd + 2, lineEnd + 2 + size);
    position = next;
  }
}
