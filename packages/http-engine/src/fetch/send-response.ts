/** Sends the `Response` of a handler. */
import type { AnswerFields } from '../answer/field-lines.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { BufferedResponse } from './buffered-response.ts';
import { isOfConnection } from './connection-fields.ts';

// HOT: once per request.
/**
 * Sends a response.
 *
 * @returns A promise if the response is read from a stream. It rejects if the stream fails.
 * @throws if the response cannot be sent. Nothing was sent then.
 */
export function sendResponse(exchange: Exchange, response: unknown): void | Promise<void> {
  if (
    typeof response === 'object' &&
    response !== null &&
    BufferedResponse.is(response) &&
    !response.hasNative
  )
    exchange.respond(response.status, response.fields, response.payload);
  else return sendNative(exchange, response);
}

function sendNative(exchange: Exchange, response: unknown): void | Promise<void> {
  if (!isResponse(response))
    throw new TypeError(`The handler must return a Response, not ${nameOf(response)}`);
  const { status, body } = response;
  // This is what `Response.error()` returns.
  if (status < 200) throw new TypeError(`A response with the status ${status} cannot be sent`);
  if (response.bodyUsed || body?.locked === true)
    throw new TypeError('The body of the response has been read already');
  const fields = fieldsOf(response);
  if (exchange.method === 'HEAD' || body === null || exchange.isDestroyed) {
    body?.cancel().catch(() => {});
    if (!exchange.isDestroyed) exchange.respond(status, fields);
    return undefined;
  }
  return sendStream(exchange, status, fields, body as ReadableStream<Uint8Array>);
}

/** Not `instanceof`, because other `Response` classes are accepted, too, such as that of the package `undici`. */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

function nameOf(value: unknown): string {
  return value === null || typeof value !== 'object'
    ? String(value)
    : `an object of ${value.constructor?.name}`;
}

function fieldsOf({ headers, url }: Response): AnswerFields {
  const fields: Record<string, string | string[]> = {};
  // Only a response that was fetched has a URL, and `fetch` has decoded its body.
  const isDecoded = url !== '' && decodedCodings.test(headers.get('content-encoding') ?? '');
  for (const [name, value] of headers) {
    if (name === 'set-cookie') fields[name] = headers.getSetCookie();
    else if (isDecoded && (name === 'content-encoding' || name === 'content-length')) continue;
    else if (!isOfConnection(name, value)) fields[name] = value;
  }
  return fields;
}

const [major = 0, minor = 0] = (process.versions.undici ?? '').split('.').map(Number);
const decodesZstd = major > 7 || (major === 7 && minor >= 11);
const coding = `\\s*(?:(?:x-)?gzip|deflate|br${decodesZstd ? '|zstd' : ''})\\s*`;
/** The codings that node's `fetch` decodes, `zstd` from undici 7.11 on. If there is any other, it decodes none. */
const decodedCodings = new RegExp(`^${coding}(?:,${coding})*$`, 'i');

/**
 * Sends a stream as fast as the client takes it. A stream of one piece that ends within one turn is sent in one write, with its length. If
 * no piece comes within one turn, the head is sent alone, because clients of event streams wait for it.
 */
async function sendStream(
  exchange: Exchange,
  status: number,
  fields: AnswerFields,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const reader = body.getReader();
  const stopWatching = exchange.onClientGone(() => void reader.cancel(clientGone()).catch(() => {}));
  try {
    let isLate = true;
    const first = readPiece(reader);
    const second = first.then((piece) => {
      isLate = false;
      return piece === undefined ? undefined : readPiece(reader);
    });
    const isComplete = await Promise.race([second.then(isEnd), nextTurn()]);
    if (exchange.isDestroyed) return;
    if (isComplete) {
      exchange.respond(status, withoutLength(fields), (await first) ?? '');
      return;
    }
    writeHead(exchange, status, fields);
    if (isLate) exchange.rawResponse.flushHeaders();
    await writePieces(exchange, [first, second], reader);
  } catch (error) {
    reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    stopWatching();
  }
}

function writeHead(exchange: Exchange, status: number, fields: AnswerFields): void {
  // If a stream is longer than its head says, the client would read the rest as the beginning of the next response.
  exchange.rawResponse.strictContentLength = true;
  const hasLength = /^\d+$/.test(String(fields['content-length']));
  exchange.writeHead(status, hasLength ? fields : withoutLength(fields));
}

async function writePieces(
  exchange: Exchange,
  [first, second]: [Promise<Uint8Array | undefined>, Promise<Uint8Array | undefined>],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> {
  let piece = await first;
  let next: Promise<Uint8Array | undefined> | undefined = second;
  while (piece !== undefined && !exchange.isDestroyed) {
    if (!exchange.write(piece)) await new Promise<void>((resolve) => exchange.onceDrained(resolve));
    piece = await (next ?? readPiece(reader));
    next = undefined;
  }
  if (!exchange.isDestroyed) exchange.end();
}

async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  const { value, done } = await reader.read();
  if (done) return undefined;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`The body of a response must be made of Uint8Array, not of ${typeof value}`);
}

function isEnd(piece: Uint8Array | undefined): boolean {
  return piece === undefined;
}

function nextTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false));
}

/** Leaves the length out, because the server sets it. */
function withoutLength(fields: AnswerFields): AnswerFields {
  const { 'content-length': _, ...others } = fields;
  return others;
}

function clientGone(): Error {
  return new Error('The client left before the response was complete');
}
