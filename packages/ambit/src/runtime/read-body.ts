/** Owns the body on its way in: which parser takes it, how many bytes it may have, and what they parse to. */
import type { BodyStream } from '../contract/body.ts';
import {
  BodyTooLarge,
  ContentLengthMismatch,
  ContentTypeMissing,
  MediaTypeUnsupported,
} from '../contract/errors.ts';
import type { BodyParser, Exchange } from '../contract/exchange.ts';
import { isInRange, type MediaType, parseMediaType } from '../kit/media-type.ts';
import { isThenable } from '../kit/thenable.ts';

/** Where the request goes on once `request.body` is set, or could not be. */
export type AfterBody = (x: Exchange, error: unknown) => void;

const noMediaType: MediaType = parseMediaType(undefined);

// HOT: once per request. Methods without a body pass straight through.
export function readBody(x: Exchange, after: AfterBody): void {
  const { plan, method } = x;
  if (!plan.bodyMethods.has(method)) {
    after(x, undefined);
    return;
  }
  const header = x.request.headers['content-type'];
  if (header === undefined) readUntyped(x, after);
  else {
    x.mediaType ??= parseMediaType(header);
    const { mediaType } = x;
    if (mediaType.essence === undefined) after(x, withStatus(x, new MediaTypeUnsupported()));
    else if (isCovered(x, mediaType.essence)) parse(x, mediaType, after);
    // HTTP/2 frames a body without a length: a type that is not covered is refused before it is known to be empty.
    else after(x, hasBody(x) || x.isHttp2 ? new MediaTypeUnsupported(accepted(x)) : undefined);
  }
}

function readUntyped(x: Exchange, after: AfterBody): void {
  if (x.method === 'QUERY') {
    // RFC 10008, 2: a query without a media type says nothing.
    x.reply.code(400);
    after(x, new ContentTypeMissing(x.method));
  } else if (!hasBody(x)) after(x, undefined);
  else if (x.plan.coveredTypes !== undefined) after(x, new MediaTypeUnsupported(accepted(x)));
  else parse(x, noMediaType, after);
}

function withStatus(x: Exchange, error: Error & { statusCode: number }): Error {
  x.reply.code(error.statusCode);
  return error;
}

/** A message has a body when it says how that is framed (RFC 9112, 6.3). */
function hasBody(x: Exchange): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = x.requestHeaders;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** A body schema must not be walked around by a body of another type: only what it covers gets in. */
function isCovered(x: Exchange, essence: string): boolean {
  const { coveredTypes } = x.plan;
  if (coveredTypes === undefined) return true;
  return coveredTypes[0] === essence || coveredTypes.some((type) => isInRange(type, essence));
}

function accepted(x: Exchange): string {
  return x.plan.coveredTypes!.join(', ');
}

function parse(x: Exchange, mediaType: MediaType, after: AfterBody): void {
  const parser = x.plan.findParser(mediaType);
  if (parser === undefined) {
    after(x, x.plan.isNotFound ? undefined : new MediaTypeUnsupported());
    return;
  }
  if (parser.collectAs === undefined) {
    runParser(x, parser, x.bodyStream, after);
    return;
  }
  // The promise is more than a convenience: it carries the caller's AsyncLocalStorage across the events of the stream.
  new Promise<string | Buffer>((resolve, reject) => collect(x, parser, resolve, reject)).then(
    (collected) => {
      if (parser.read !== undefined) readNow(x, parser.read, collected as string, after);
      else runParser(x, parser, collected, after);
    },
    (error) => finish(x, error, undefined, after),
  );
}

function readNow(x: Exchange, read: (text: string) => unknown, text: string, after: AfterBody): void {
  let body: unknown;
  try {
    body = read(text);
  } catch (error) {
    finish(x, error, undefined, after);
    return;
  }
  finish(x, undefined, body, after);
}

/** How a parser ended: without an error, `body` is what it made of the body. */
interface Outcome {
  readonly error: unknown;
  readonly body: unknown;
}

/** Runs a parser, which ends once, at once or later; what it says after that no longer counts. */
function runParser(x: Exchange, parser: BodyParser, collected: unknown, after: AfterBody): void {
  let outcome = undefined as Outcome | undefined;
  let wake: (() => void) | undefined;
  const settle = (error: unknown, body?: unknown): void => {
    if (outcome !== undefined) return;
    outcome = { error, body };
    wake?.();
  };
  const refuse = (error: unknown): void => settle(error ?? new Error('the body could not be parsed'));
  try {
    const result = parser.parse(x.request, collected as never, settle);
    if (isThenable(result)) result.then((body) => settle(undefined, body), refuse);
  } catch (error) {
    refuse(error);
  }
  if (outcome !== undefined) finish(x, outcome.error, outcome.body, after);
  // Wherever the parser calls `done` from: the request goes on where it was.
  else
    new Promise<void>((resolve) => (wake = resolve)).then(() =>
      finish(x, outcome!.error, outcome!.body, after),
    );
}

function finish(x: Exchange, error: unknown, body: unknown, after: AfterBody): void {
  if (error == null) {
    x.request.body = body;
    after(x, undefined);
    return;
  }
  // The client may still be sending: the connection cannot carry another request.
  x.reply.header('connection', 'close');
  after(x, error);
}

/** Collects the body's bytes, up to the limit, and checks that as many came as were announced. */
function collect(
  x: Exchange,
  parser: BodyParser,
  resolve: (collected: string | Buffer) => void,
  reject: (error: unknown) => void,
): void {
  const limitBytes = x.plan.bodyLimitBytes ?? parser.limitBytes;
  const announced = x.requestHeaders['content-length'];
  if (announced !== undefined && Number(announced) > limitBytes) {
    reject(new BodyTooLarge());
    return;
  }
  const isText = parser.collectAs === 'string';
  const settle: Settle = (error, chunks, arrivedBytes) => {
    if (error != null) reject(withClientStatus(error));
    else if (announced !== undefined && arrivedBytes !== Number(announced)) reject(new ContentLengthMismatch());
    else resolve(assemble(chunks, isText));
  };
  const stream = x.bodyStream!;
  if (announced === undefined || stream !== x.requestStream || !gather(x, Number(announced), settle)) {
    listen(stream, limitBytes, settle);
  }
}

type Settle = (error: BodyError | undefined, chunks: Buffer[], arrivedBytes: number) => void;
type BodyError = Error & { statusCode?: number };

/** What goes wrong with a body is the client's fault, unless the error says otherwise. */
function withClientStatus(error: BodyError): BodyError {
  if (!(typeof error.statusCode === 'number' && error.statusCode >= 400)) error.statusCode = 400;
  return error;
}

function gather(x: Exchange, lengthBytes: number, settle: Settle): boolean {
  return x.gatherBody(
    lengthBytes,
    (body) => settle(undefined, [body], body.length),
    (error) => settle(error, [], 0),
  );
}

function listen(stream: BodyStream, limitBytes: number, settle: Settle): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    receivedBytes += bytes.length;
    chunks.push(bytes);
    // A hook may decompress: both sides of it are held to the limit.
    if (receivedBytes > limitBytes || (stream.receivedEncodedLength ?? 0) > limitBytes) {
      onEnd(new BodyTooLarge());
    }
  };
  const onEnd = (error?: BodyError): void => {
    stream.removeListener('data', onData);
    stream.removeListener('end', onEnd);
    stream.removeListener('error', onEnd);
    settle(error, chunks, stream.receivedEncodedLength || receivedBytes);
  };
  stream.on('data', onData);
  stream.on('end', onEnd);
  stream.on('error', onEnd);
  stream.resume();
}

/** Bytes are copied even when there is one chunk: it is a view of a buffer that the socket will use again. */
function assemble(chunks: Buffer[], isText: boolean): string | Buffer {
  if (!isText) return Buffer.concat(chunks);
  return chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
}
