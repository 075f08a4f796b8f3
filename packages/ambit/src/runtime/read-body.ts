/** The step that reads the body: it selects the parser, collects the bytes up to the limit, and runs the parser. */
import { firstFieldText, formType, isInRange, type MediaType, parseMediaType } from '../shared/media-type.ts';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { readField, textOf, withFields } from '../shared/thrown-values.ts';
import { isThenable } from '../shared/values.ts';
import {
  BodyTooLarge,
  ContentLengthMismatch,
  ContentTypeMissing,
  MediaTypeUnsupported,
} from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { BodyParser } from '../types/plan.ts';
import { defaultNotFoundHandler } from './error-reply.ts';
import { ensureError, setStatus } from './exchange.ts';
import { fail, isCurrent, walk } from './run-steps.ts';

const noMediaType: MediaType = parseMediaType(undefined);

// HOT: once per request of a route that may have a body.
/** Throws if the media type of the body is not accepted. */
export function readBody(x: Exchange): boolean {
  if (x.plan.methods.get(x.method) !== true) return true;
  const header = firstFieldText(x.header('content-type'));
  if (header === undefined) return readUntyped(x);
  x.mediaType ??= parseMediaType(header);
  const { mediaType } = x;
  const { essence } = mediaType;
  if (essence === undefined) throw withStatus(x, new MediaTypeUnsupported());
  const { acceptedTypes } = x.plan;
  // Whether the schema covers the media type. Other bodies are rejected (specification 3.8), because they would not be validated.
  const isAccepted =
    acceptedTypes === undefined ||
    acceptedTypes[0] === essence ||
    acceptedTypes.some((type) => isInRange(type, essence));
  if (isAccepted) return parse(x, mediaType);
  // A media type that is not accepted is rejected unless the body is known to be empty.
  if (x.hasBody !== false) throw new MediaTypeUnsupported(accepted(x));
  return true;
}

function readUntyped(x: Exchange): boolean {
  // RFC 10008, 2: a QUERY request must name the media type of its content.
  if (x.method === 'QUERY') throw withStatus(x, new ContentTypeMissing(x.method));
  if (x.hasBody !== true) return true;
  if (x.plan.acceptedTypes !== undefined) throw new MediaTypeUnsupported(accepted(x));
  return parse(x, noMediaType);
}

function withStatus(x: Exchange, error: Error & { statusCode: number }): Error {
  setStatus(x, error.statusCode);
  return error;
}

function accepted(x: Exchange): string {
  return x.plan.acceptedTypes!.join(', ');
}

function parse(x: Exchange, mediaType: MediaType): boolean {
  const { parsers, formParser } = x.plan;
  const parser = parsers.match(mediaType) ?? (mediaType.essence === formType ? formParser : undefined);
  if (parser === undefined) {
    if (x.plan.isNotFound) return true;
    throw new MediaTypeUnsupported();
  }
  if (x.plan.isNotFound && isAnsweredByHead(x)) return true;
  const { responseEpoch } = x;
  if (parser.collectAs === undefined) runParser(x, parser, x.bodyStream ?? x.streamBody(), responseEpoch);
  // The promise is needed: it keeps the AsyncLocalStorage of the caller, which the events of the stream do not have.
  else
    new Promise<string | Buffer>((resolve, reject) => collect(x, parser, resolve, reject)).then(
      (collected) => {
        if (parser.read === undefined) {
          runParser(x, parser, collected, responseEpoch);
          return;
        }
        let body: unknown;
        try {
          body = parser.read(collected as string);
        } catch (error) {
          finish(x, error, undefined, responseEpoch);
          return;
        }
        finish(x, undefined, body, responseEpoch);
      },
      (error) => finish(x, error, undefined, responseEpoch),
    );
  return false;
}

/** Whether nobody would see the body of a request without a route, whose client waits for 100 (Continue): it gets 404 at once. */
function isAnsweredByHead(x: Exchange): boolean {
  const { handler, steps } = x.plan;
  return (
    handler === defaultNotFoundHandler &&
    steps.request.at(-2)!.name === 'readBody' &&
    x.requestHeader('expect') !== undefined &&
    (x.bodyStream === undefined || x.bodyStream === x.streamBody())
  );
}

/** Runs a parser. Its first result counts, synchronous or later. */
function runParser(x: Exchange, parser: BodyParser, collected: unknown, responseEpoch: number): void {
  let outcome = undefined as { readonly error: unknown; readonly body: unknown } | undefined;
  let resume: (() => void) | undefined;
  const settle = (error: unknown, body?: unknown): void => {
    if (outcome !== undefined) return;
    outcome = { error, body };
    resume?.();
  };
  const reject = (error: unknown): void => settle(error ?? new Error('the body could not be parsed'));
  try {
    const result = parser.parse(x.request, collected as never, settle);
    if (isThenable(result)) result.then((body) => settle(undefined, body), reject);
  } catch (error) {
    reject(error);
  }
  if (outcome !== undefined) finish(x, outcome.error, outcome.body, responseEpoch);
  // The promise keeps the AsyncLocalStorage of this call, whatever context the parser calls `done` in.
  else
    new Promise<void>((resolve) => (resume = resolve)).then(() =>
      finish(x, outcome!.error, outcome!.body, responseEpoch),
    );
}

function finish(x: Exchange, error: unknown, body: unknown, responseEpoch: number): void {
  const isParsed = error === undefined || error === null;
  if (isParsed) x.request.body = body;
  // The client may still send the body, so the connection cannot be used for another request. After a time limit, the head may be written
  // already.
  else if (!x.isHeadWritten) x.closeAfterResponse();
  if (!isCurrent(x, responseEpoch)) return;
  if (isParsed) walk(x);
  else fail(x, ensureError(error));
}

/** Checks that the number of bytes is the Content-Length. */
function collect(
  x: Exchange,
  parser: BodyParser,
  resolve: (collected: string | Buffer) => void,
  reject: (error: unknown) => void,
): void {
  const limitBytes = x.plan.bodyLimitBytes ?? parser.limitBytes;
  const announcedBytes = announcedLength(x);
  if (announcedBytes !== undefined && announcedBytes > limitBytes) {
    reject(new BodyTooLarge());
    return;
  }
  const settle: BytesCollected = (error, chunks, arrivedBytes) => {
    if (error === overLimit) reject(new BodyTooLarge());
    else if (error !== undefined) reject(withClientStatus(ensureError(error)));
    else if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      reject(new ContentLengthMismatch());
    // Bytes are copied even if there is only one chunk, because it is a view of a buffer that the socket reuses.
    else if (parser.collectAs === 'buffer') resolve(Buffer.concat(chunks));
    else resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString());
  };
  const { bodyStream } = x;
  if (bodyStream === undefined || bodyStream === x.streamBody()) x.readBody(limitBytes, settle);
  else new ReplacedBody(bodyStream, limitBytes, settle).listen();
}

/** The stream of a `preParsing` hook. If it is destroyed without an error, it emits neither `end` nor `error`, but only `close`. */
class ReplacedBody extends StreamCollector {
  protected override awaitEnd(): void {
    super.awaitEnd();
    this.stream.once('close', this.#stop);
    // A closed stream has emitted its other events already, or emits them in earlier ticks.
    if (this.stream.closed) process.nextTick(this.#stop);
  }

  readonly #stop = (): void => {
    if (!this.hasEnded) this.fail(this.stream.errored ?? undefined);
  };
}

/** Node's parser rejects a Content-Length that is not a number. `inject` or a server of the application may pass one: it is ignored. */
export function announcedLength(x: Exchange): number | undefined {
  const announced = x.requestHeader('content-length');
  if (announced === undefined) return undefined;
  const lengthBytes = Number(announced);
  return Number.isNaN(lengthBytes) ? undefined : lengthBytes;
}

/** Adds status 400 to any value that has no error status, because errors of a body are usually caused by the client. */
export function withClientStatus(error: unknown): unknown {
  const status = readField(error, 'statusCode');
  if (typeof status === 'number' && status >= 400) return error;
  const failure =
    typeof error === 'object' && error !== null ? error : new Error(textOf(error), { cause: error });
  return withFields(failure, { statusCode: 400 });
}
