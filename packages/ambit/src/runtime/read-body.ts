/** Owns the body on its way in: which parser takes it, how many bytes it may have, and what they parse to. */
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
  if (plan.bodylessMethods.has(method) || !plan.bodyMethods.has(method)) {
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
  return coveredTypes.some((type) => isInRange(type, essence));
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
  // The promise is more than a convenience: it carries the caller's AsyncLocalStorage across the events of the stream.
  new Promise<unknown>((resolve, reject) => startParsing(x, parser, resolve, reject)).then(
    (body) => {
      x.request.body = body;
      after(x, undefined);
    },
    (error) => {
      // The client may still be sending: the connection cannot carry another request.
      x.reply.header('connection', 'close');
      after(x, error ?? new Error('the body could not be parsed'));
    },
  );
}

type Resolve = (body: unknown) => void;
type Reject = (error: unknown) => void;

function startParsing(x: Exchange, parser: BodyParser, resolve: Resolve, reject: Reject): void {
  if (parser.collectAs === undefined) {
    runParser(x, parser, x.bodyStream, resolve, reject);
    return;
  }
  const isText = parser.collectAs === 'string';
  collect(x, x.plan.bodyLimitBytes ?? parser.limitBytes, reject, (chunks) => {
    // Bytes are copied even when there is one chunk: it is a view of a buffer that the socket will use again.
    const body = isText && chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks);
    runParser(x, parser, isText ? body.toString() : body, resolve, reject);
  });
}

function runParser(x: Exchange, parser: BodyParser, body: unknown, resolve: Resolve, reject: Reject): void {
  try {
    const result = parser.parse(x.request, body as never, (error, parsed) =>
      error != null ? reject(error) : resolve(parsed),
    );
    if (isThenable(result)) result.then(resolve, reject);
  } catch (error) {
    reject(error);
  }
}

/** Collects the body's bytes, up to the limit, and checks that as many came as were announced. */
function collect(x: Exchange, limitBytes: number, reject: Reject, resolve: (chunks: Buffer[]) => void): void {
  const announced = x.requestHeaders['content-length'];
  const announcedBytes = announced === undefined ? undefined : Number(announced);
  if (announcedBytes !== undefined && announcedBytes > limitBytes) {
    reject(new BodyTooLarge());
    return;
  }
  const stream = x.bodyStream!;
  const chunks: Buffer[] = [];
  let receivedBytes = 0;

  const stop = (): void => {
    stream.removeListener('data', onData);
    stream.removeListener('end', onEnd);
    stream.removeListener('error', onError);
  };
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    receivedBytes += bytes.length;
    // A hook may decompress: both sides of it are held to the limit.
    if (receivedBytes > limitBytes || (stream.receivedEncodedLength ?? 0) > limitBytes) {
      stop();
      reject(new BodyTooLarge());
    } else chunks.push(bytes);
  };
  const onError = (error: Error & { statusCode?: number }): void => {
    stop();
    if (!(typeof error.statusCode === 'number' && error.statusCode >= 400)) error.statusCode = 400;
    reject(error);
  };
  const onEnd = (): void => {
    stop();
    const arrivedBytes = stream.receivedEncodedLength || receivedBytes;
    if (announcedBytes !== undefined && arrivedBytes !== announcedBytes) reject(new ContentLengthMismatch());
    else resolve(chunks);
  };
  stream.on('data', onData);
  stream.on('end', onEnd);
  stream.on('error', onError);
  stream.resume();
}
